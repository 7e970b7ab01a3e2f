"""A mixture of steel and glass, with a law for each pair, kept warm by random kicks.

Both species are kicked alike and are alike in size and mass, but glass loses more in collisions: it
is colder, and energy is not shared evenly.

python steel_and_glass.py [picture.png]
"""

import sys

import carom
from carom.plotting import diagram

path = sys.argv[1] if len(sys.argv) > 1 else "steel_and_glass.png"
NAMES = ("steel", "glass")
disks = ["steel"] * 400 + ["glass"] * 400
particles, box = carom.packings.random(800, 0.3, dimension=2, species=disks, seed=1)

figure, axes = diagram(("restitution of glass", "temperature of glass over that of steel"))
ratios = []
for glass in (0.95, 0.8, 0.6, 0.4):
    law = carom.ByPair(
        {
            ("steel", "steel"): carom.ConstantRestitution(0.95),
            ("glass", "glass"): carom.ConstantRestitution(glass),
            ("steel", "glass"): carom.ConstantRestitution(0.5 * (0.95 + glass)),
        }
    )
    record = carom.Record(1.0, *(f'temperature of "{name}"' for name in NAMES))
    simulation = carom.Simulation(
        carom.System(particles, box, law=law),
        observers=[record],
        actors=[carom.RandomKicks(strength=0.05, every=0.05)],
        seed=1,
    )
    simulation.run(until=100.0)
    steel, other = (record[f'temperature of "{name}"'][20:].mean() for name in NAMES)
    ratios.append((glass, other / steel))
    print(f"glass of restitution {glass}: {other / steel:.3f} as warm as steel")

axes.plot(*zip(*ratios, strict=True), "o-")
axes.axhline(1.0, linewidth=0.8, linestyle="--")
figure.savefig(path, dpi=150)
print(f"see {path}")
