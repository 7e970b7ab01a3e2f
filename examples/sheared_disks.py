"""Granular disks in steady shear flow: their stress, their viscosity, and a picture.

The boundary of the box drives the flow, collisions dissipate what it puts in. The stress has a part
that particles carry along and one that contacts hand on.

python sheared_disks.py [picture.png]
"""

import sys

import carom
from carom.plotting import picture

path = sys.argv[1] if len(sys.argv) > 1 else "sheared_disks.png"

particles, box = carom.packings.random(1000, 0.4, dimension=2, temperature=2.0, seed=1)
domain = carom.LeesEdwards(box.lengths, shear_rate=0.5)
particles.velocity += domain.flow(particles.position)
system = carom.System(particles, domain, law=carom.ConstantRestitution(0.9))

simulation = carom.Simulation(system)
simulation.run(collisions=100_000)  # to the steady state
simulation.reset_averages()
work, lost = simulation.shear_work, simulation.dissipated_energy
simulation.run(collisions=200_000)

print(f"over a strain of {simulation.averaged_duration * domain.shear_rate:.1f}:")
print(f"granular temperature {simulation.mean_temperature:.3f}")
print(f"shear viscosity      {simulation.shear_viscosity:.3f}")
for name in ("kinetic_stress", "collisional_stress", "stress"):
    stress = getattr(simulation, name)
    print(f"{name:20} xx {stress[0, 0]:.3f}  -xy {-stress[0, 1]:.3f}  yy {stress[1, 1]:.3f}")
ratio = (simulation.shear_work - work) / (simulation.dissipated_energy - lost)
print(f"work of the shear over dissipation: {ratio:.3f}")

picture(simulation, path)
print(f"see {path}")
