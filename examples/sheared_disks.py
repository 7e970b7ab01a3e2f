"""Granular disks in steady shear flow: their stress beside kinetic theory, and a picture.

The images of the box above and below slide past it (Lees & Edwards 1972) and heat the disks as
much as collisions cool them.

python sheared_disks.py [picture.png]
"""

import sys

import carom
from carom.plotting import picture

path = sys.argv[1] if len(sys.argv) > 1 else "sheared_disks.png"

phi, restitution = 0.2, 0.9
particles, box = carom.packings.random(1000, phi, dimension=2, temperature=1.5, seed=1)
domain = carom.LeesEdwards(box.lengths, shear_rate=0.5)
particles.velocity += domain.flow(particles.position)
system = carom.System(particles, domain, law=carom.ConstantRestitution(restitution))

simulation = carom.Simulation(system)
simulation.run(collisions=50_000)  # to the steady state
simulation.reset_averages()
work, lost = simulation.shear_work, simulation.dissipated_energy
simulation.run(collisions=200_000)

theory = carom.theory.anisotropic_maxwellian.simple_shear(2, domain.shear_rate, phi, restitution)
strain = simulation.averaged_duration * domain.shear_rate
print(f"over a strain of {strain:.0f}:    measured    theory")
for name, measured, expected in (
    ("temperature", simulation.mean_temperature, theory.temperature),
    ("stress xx", simulation.stress[0, 0], theory.stress[0, 0]),
    ("stress xy", simulation.stress[0, 1], theory.stress[0, 1]),
    ("stress yy", simulation.stress[1, 1], theory.stress[1, 1]),
):
    print(f"{name:20}{measured:12.3f}{expected:10.3f}")
print(f"shear viscosity     {simulation.shear_viscosity:12.3f}")
gained = (simulation.shear_work - work) / (simulation.dissipated_energy - lost)
print(f"work of the shear over dissipation: {gained:.3f}")
# Colours show the velocity along the flow.
picture(simulation, path, colour=simulation.particles.velocity[:, 0], title="sheared disks")
print(f"see {path}")
