"""A gas that leaks: half a box is full, the other half empty, and a plate with a hole between.

As long as the gas stays in equilibrium, the share above decays towards one half like exp(-2 k t),
with k = v A / 4 V from kinetic theory: v is the mean speed, and A and V are the area and the volume
that centres can reach, so that a sphere of radius r sees a hole of radius a - r. (In half a
spherical vessel it is much slower: a path keeps its distance from the middle from one collision to
the next, and only few paths lead through the hole.)

python effusion.py [picture.png]
"""

import math
import sys

import numpy as np

import carom
from carom import walls
from carom.plotting import picture

path = sys.argv[1] if len(sys.argv) > 1 else "effusion.png"
n, r, a = 3000, 0.1, 2.0  # spheres and the hole
L, H = 20.0, 10.0  # the box is as high as wide, the plate in the middle of it

box = carom.Box(L)
plate = walls.Rectangle([0.0, 0.0, H], [[L, 0.0, 0.0], [0.0, L, 0.0]], opening=a)
start, _ = carom.packings.random(
    n, domain=box, region=([0.0, 0.0, H + r], [L, L, L]), radius=r, temperature=1.0, seed=1
)
simulation = carom.Simulation(carom.System(start, box, walls=[plate]))
times, above = np.linspace(0.0, 300.0, 31), []
for time in times:
    simulation.run(until=time)
    if time == times[3]:
        picture(simulation, path, title="a gas that leaks")
    above.append((simulation.particles.position[:, 2] > H).mean())

depth = np.linspace(0.0, r, 1001)  # centres reach into the hole, whose rim is round for them
in_hole = math.pi * ((a - np.sqrt(r * r - depth**2)) ** 2).mean() * r
volume = (L - 2.0 * r) ** 2 * (H - 2.0 * r) + in_hole
speed = math.sqrt(8.0 * simulation.temperature / math.pi)
k = 0.25 * speed * math.pi * (a - r) ** 2 / volume
decay = -np.polyfit(times, np.log(2.0 * np.array(above) - 1.0), 1)[0] / 2.0

print(
    f"{simulation.counts.collisions:,} collisions, {simulation.counts.wall_collisions:,} with walls"
)
expected = 0.5 + 0.5 * math.exp(-2.0 * k * times[-1])
print(f"share above after {times[-1]:g}: {above[-1]:.3f}, by kinetic theory {expected:.3f}")
print(f"it leaks at a rate of {decay:.3e}, by kinetic theory {k:.3e}")
print(f"see {path}")
