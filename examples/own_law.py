"""A collision law of one's own, compiled into the event loop.

Slow contacts are elastic, so the gas cools only as long as many contacts are fast. A law from a
script is compiled once, in a few seconds, and kept on disk until it changes.

python own_law.py [picture.png]
"""

import sys
from typing import NamedTuple

import carom
from carom.collisions import restitution
from carom.plotting import diagram


class HardWhenSlow(NamedTuple):
    coefficient: float
    threshold: float


@restitution.register(HardWhenSlow)
@carom.kernel
def _(contact, law):  # contact.approach_speed, .reduced_mass, .effective_radius, .time_since_last
    return law.coefficient if contact.approach_speed > law.threshold else 1.0


path = sys.argv[1] if len(sys.argv) > 1 else "own_law.png"
figure, axes = diagram(("time", "temperature"))
for threshold in (0.1, 0.4, 1.0):
    particles, box = carom.packings.lattice(1000, 0.3, dimension=2, temperature=1.0, seed=1)
    system = carom.System(particles, box, law=HardWhenSlow(0.8, threshold))
    record = carom.Record(1.0, "temperature")
    simulation = carom.Simulation(system, seed=1, observers=[record])
    simulation.run(until=200.0)
    label = f"elastic below {threshold}"
    axes.loglog(record["time"][1:], record["temperature"][1:], label=label)
    print(f"{label}: temperature {simulation.temperature:.4f} at time 200")

axes.legend(frameon=False, fontsize=8)
figure.savefig(path)
print(f"see {path}")
