"""How hot a sheared granular gas gets: a map over restitution and packing fraction, from 64 runs.

The shear heats the disks, their collisions cool them. Where both are equal the temperature is
steady, in units of (shear rate × diameter)². carom.sweep(..., folder="map") would keep the rows.

python sheared_gas_map.py [picture.png]
"""

import sys

import numpy as np

import carom

path = sys.argv[1] if len(sys.argv) > 1 else "sheared_gas_map.png"


def sheared_gas(restitution, phi, random):
    particles, box = carom.packings.lattice(
        196, phi, dimension=2, temperature=1.0, seed=random.integers(2**32)
    )
    domain = carom.LeesEdwards(box.lengths, shear_rate=1.0)
    particles.velocity += domain.flow(particles.position)
    return carom.System(particles, domain, law=carom.ConstantRestitution(restitution))


table = carom.sweep(
    sheared_gas,
    {"restitution": np.linspace(0.6, 0.95, 8).round(2), "phi": np.linspace(0.1, 0.45, 8).round(2)},
    run={"until": 60.0, "average_from": 20.0},
    measure=lambda sim: {"T": sim.mean_temperature, "viscosity": sim.shear_viscosity},
    seed=1,
)
print(table["T"].isel(replica=0).to_pandas().round(2))

kinetic = carom.theory.jenkins_richman_1985
for phi in (0.15, 0.25, 0.35, 0.45):
    found = table["T"].sel(phi=phi, restitution=0.95).item()
    theory = kinetic.simple_shear(carom.theory.Gas(2, phi, restitution=0.95), shear_rate=1.0)
    print(f"e = 0.95, phi = {phi}: T = {found:.1f}; Jenkins and Richman: {theory.temperature:.1f}")

table["log T"] = np.log10(table["T"])
carom.sweeps.picture(table, "restitution", "phi", "log T").savefig(path)
print(f"see {path}")
