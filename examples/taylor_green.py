"""Particles in a Taylor–Green flow: they are flung out of the vortices and collide between them.

The setting of Sigurgeirsson, Stuart & Wan 2001, section 2.3, with fewer particles. Counted are the
collisions, the particles that passed from cell to cell, and the contacts that the straight paths of
a step had promised but the flow prevented.

python taylor_green.py [picture.png]
"""

import math
import sys

import carom
from carom.plotting import FlowView, picture

path = sys.argv[1] if len(sys.argv) > 1 else "taylor_green.png"

n, fraction = 2000, 0.05
radius = math.sqrt(fraction / (math.pi * n))
particles, _ = carom.packings.random(
    n, fraction, dimension=2, radius=radius, temperature=0.0, seed=1
)
system = carom.System(particles, carom.Periodic((1.0, 1.0)))
method = carom.Laden(
    fluid=carom.fluids.TaylorGreen(),
    dt=0.01,
    relaxation_time=carom.PowerOfRadius(35.0, exponent=1.0),
    algorithm="cells",
)
print(method.stokes_report(system))

simulation = carom.Simulation(system, method=method)
for time in range(1, 7):
    before = simulation.counts.collisions
    simulation.run(until=float(time))
    counts = simulation.counts
    print(
        f"t = {time}: {counts.collisions - before:7,} collisions in the last unit of time, "
        f"{counts.transfers:9,} transfers and {counts.false_predictions:4,} false predictions"
    )

picture(simulation, path, flow=FlowView(show="speed"))
print(f"see {path}")
