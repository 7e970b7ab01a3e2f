"""A force of one's own: vortices carry hard particles, which gather between them.

A force is a ``NamedTuple`` of its parameters and a function registered for it, compiled into the
steps. Here it is the drag of a fluid that turns in four vortices (Taylor & Green 1937): particles
are too heavy to follow its turns, are flung out of them and collide where streams meet.

python carried_by_a_force.py [picture.png]
"""

import math
import sys
from typing import NamedTuple

import carom
from carom.forces import force
from carom.plotting import picture

path = sys.argv[1] if len(sys.argv) > 1 else "carried_by_a_force.png"
side = 60.0


class VortexDrag(NamedTuple):
    coefficient: float
    speed: float
    wavenumber: float


@force.register(VortexDrag)
@carom.kernel
def _(body, law):  # body.position, .velocity: three numbers each; .radius, .mass, .time
    x, y = law.wavenumber * body.position[0], law.wavenumber * body.position[1]
    flow_x = law.speed * math.sin(x) * math.cos(y)
    flow_y = -law.speed * math.cos(x) * math.sin(y)
    return (
        law.coefficient * (flow_x - body.velocity[0]),
        law.coefficient * (flow_y - body.velocity[1]),
        0.0,
    )


particles, box = carom.packings.random(
    1000, 1000 * math.pi / 4.0 / side**2, dimension=2, temperature=0.01, seed=1
)
drag = VortexDrag(coefficient=0.5, speed=1.0, wavenumber=2.0 * math.pi / side)
system = carom.System(particles, box, law=carom.ConstantRestitution(0.5), force=drag)
simulation = carom.Simulation(system, method=carom.TimeStepped(dt=0.02))
simulation.run(until=100.0)

print(f"{simulation.counts.collisions:,} collisions in {simulation.counts.steps:,} steps")
print(f"mean overlap of those that collide: {simulation.mean_impact_overlap:.2%} of a diameter")
picture(simulation, path, colour="density", title="carried by vortices")
print(f"see {path}")
