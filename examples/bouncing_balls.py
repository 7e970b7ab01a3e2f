"""Balls bounce on a plate until they rest on it, each at the time that theory gives.

A ball let fall from height h over the plate comes to rest after infinitely many bounces at
t = √(2h/g) (1 + ε) / (1 − ε). With resting=True it is then held, and the simulation goes on.

python bouncing_balls.py [picture.png]
"""

import sys

import numpy as np

import carom
from carom.plotting import diagram

path = sys.argv[1] if len(sys.argv) > 1 else "bouncing_balls.png"

coefficient, gravity, radius = 0.8, 9.81, 0.1
heights = np.array([0.5, 1.0, 2.0, 4.0])
position = np.column_stack([np.arange(4.0), radius + heights])
system = carom.System(
    carom.Particles(position, radius=radius),
    carom.Open(),
    law=carom.ConstantRestitution(coefficient),
    gravity=[0.0, -gravity],
    walls=[carom.Plane([0.0, 0.0], [0.0, 1.0], restitution=coefficient)],
)
record = carom.Record(
    0.01,
    resting=lambda simulation: simulation.counts.resting,
    height=lambda simulation: simulation.particles.position[:, 1] - radius,
)
method = carom.EventDriven(resting=True)
simulation = carom.Simulation(system, method=method, observers=[record])
simulation.run(until=9.0)

expected = np.sqrt(2 * heights / gravity) * (1 + coefficient) / (1 - coefficient)
for number, rest in enumerate(np.sort(expected), start=1):
    seen = record["time"][np.argmax(record["resting"] >= number)]
    print(f"ball {number} rests from {rest:.4f} on; first seen at rest at {seen:.2f}")

figure, axes = diagram(("time", "height over the plate"))
for height, rest in zip(record["height"].T, expected, strict=True):
    (flight,) = axes.plot(record["time"], height, lw=1)
    axes.plot(rest, 0.0, "v", color=flight.get_color(), clip_on=False)
axes.set_ylim(bottom=0.0)
axes.set_title("triangles: when each comes to rest, in theory", fontsize=9)
figure.savefig(path)
print(f"{simulation.counts.wall_collisions} bounces; see {path}")
