"""The opening of a game with 210 balls: one hits the rack, and all scatter.

Every contact is found at its exact time, however many follow one another in the rack. A little
energy is lost at each, at the cushions too. Colours are the rows of the rack. With a name that ends
in .gif it leaves a film.

python break_shot.py [picture.png]
"""

import sys
from pathlib import Path

import numpy as np

import carom
from carom.plotting import Looks, film, picture

path = Path(sys.argv[1] if len(sys.argv) > 1 else "break_shot.png")

# A triangle of balls that almost touch, each a little out of line, as nobody racks them exactly.
random = np.random.default_rng(1)
rows, gap = 20, 1.01
places = [(k, j - k / 2) for k in range(rows) for j in range(k + 1)]
rack = gap * np.array(places) * [0.75**0.5, 1.0]
rack += random.uniform(-0.004, 0.004, rack.shape)
position = np.vstack([[8.0, 16.0], rack + np.array([26.0, 16.3])])
velocity = np.zeros_like(position)
velocity[0] = (60.0, 0.0)
heavier = np.r_[3.0, np.ones(len(rack))]  # the cue ball, so that it goes through
particles = carom.Particles(position, velocity, radius=0.5 * heavier**0.5, mass=heavier)
system = carom.System(particles, carom.Box([64.0, 32.0]), law=carom.ConstantRestitution(0.97))

row = np.r_[-1.0, [k for k, _ in places]]  # the cue ball is in front of all
looks = Looks(0.05)
simulation = carom.Simulation(system, observers=[looks])
simulation.run(until=4.0)

first = looks[8].particles
moving = np.count_nonzero((first.velocity**2).sum(axis=1))
print(f"at {looks[8].time:.1f} {moving} balls of {len(first)} are moving")
print(f"{simulation.counts.collisions:,} collisions up to {simulation.time:.0f}")
if path.suffix == ".gif":
    film(path, looks, colour=row, frames_per_second=16)
else:
    picture(looks[25], path, colour=row)
print(f"see {path}")
