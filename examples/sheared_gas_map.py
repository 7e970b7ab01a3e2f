"""How hot a sheared granular gas gets: a map over restitution and packing fraction, from 64 runs.

The shear heats the disks, their collisions cool them. Where both are equal the temperature is steady,
in units of (shear rate × diameter)². A folder would keep the rows: carom.sweep(..., folder="map").

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

hot, cold = table["T"].sel(phi=0.25).sel(restitution=[0.95, 0.6]).values.ravel()
# The work of the shear is proportional to √T, the loss in collisions to (1 - e²) T^(3/2).
print(f"T at e = 0.95 over T at e = 0.6: {hot / cold:.1f}")
print(f"(1 - 0.6²) / (1 - 0.95²):        {(1 - 0.6**2) / (1 - 0.95**2):.1f}")

table["log T"] = np.log10(table["T"])
carom.sweeps.picture(table, "restitution", "phi", "log T").savefig(path)
print(f"see {path}")
