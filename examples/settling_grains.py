"""A column of grains collapses: with friction a heap is left, without it grains run like a fluid.

Contacts are springs and dashpots; friction is a spring along the surfaces that slides where it
would pull with more than μ times the normal force. What the grains lose is accounted for.

python settling_grains.py [picture.png]
"""

import sys

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

import carom
from carom.plotting.style import DOTS_PER_INCH, PALETTE, soften

path = sys.argv[1] if len(sys.argv) > 1 else "settling_grains.png"

# Sizes that differ and places a little out of line, so that the column does not stay upright.
random = np.random.default_rng(1)
columns, rows = np.meshgrid(np.arange(10), np.arange(24))
position = 0.65 + 1.2 * np.stack([columns, rows], axis=-1).reshape(-1, 2)
position += random.uniform(-0.05, 0.05, position.shape)
radius = random.uniform(0.35, 0.55, len(position))
particles = carom.Particles(position, None, radius, mass=4.0 * radius**2)
system = carom.System(
    particles,
    carom.Box([50.0, 30.0]),  # walls lose as much as grains do
    law=carom.ConstantRestitution(0.7),
    gravity=[0.0, -1.0],
)

figure = Figure(figsize=(7, 5), dpi=DOTS_PER_INCH, layout="constrained")
for axes, friction, colour in zip(figure.subplots(2, 1), (0.0, 0.5), PALETTE, strict=False):
    simulation = carom.Simulation(system, method=carom.SoftContacts(5e3, friction=friction))
    start = simulation.energy
    simulation.run(until=25.0)
    grains = simulation.particles
    height = (grains.position[:, 1] + grains.radius)[grains.position[:, 0] < 5.0].max()
    print(
        f"μ = {friction}: height {height:.1f} at the wall, of {start:.0f} in energy "
        f"{simulation.energy:.0f} left and {simulation.dissipated_energy:.0f} dissipated; "
        f"largest overlap {simulation.largest_overlap:.2%}"
    )
    size, looks = 2.0 * grains.radius, {"facecolors": colour, "edgecolors": "white"}
    disks = EllipseCollection(
        size, size, 0, units="xy", offsets=grains.position, offset_transform=axes.transData, **looks
    )
    axes.add_collection(disks)
    axes.set(xlim=(0.0, 50.0), ylim=(0.0, 14.0), aspect="equal")
    axes.set_title(f"μ = {friction}", fontsize=9)
    soften(axes)
figure.savefig(path)
print(f"see {path}")
