"""A granular gas cools: first as Haff's law says, then slower, when it gathers in clusters.

python cooling_gas.py [picture.png]
"""

import sys

import carom
from carom.plotting import haff_cooling_time, picture_of_run

path = sys.argv[1] if len(sys.argv) > 1 else "cooling_gas.png"

particles, box = carom.packings.lattice(4000, 0.3, dimension=2, temperature=1.0, seed=1)
# Elastic contacts in quick succession keep clusters from collapsing.
law = carom.ContactDuration(carom.ConstantRestitution(0.9), duration=1e-4)
system = carom.System(particles, box, law=law)
record = carom.Record(2.0, "temperature")
simulation = carom.Simulation(system, seed=1, observers=[record])
simulation.run(until=1000.0)

tau = haff_cooling_time(system, 1.0)
print("   time   temperature   Haff's law")
for time in (2.0, 10.0, 50.0, 200.0, 1000.0):
    measured = record["temperature"][round(time / record.every)]
    print(f"{time:7g} {measured:13.5f} {1.0 / (1.0 + time / tau) ** 2:12.5f}")

log = {"time": record["time"], "temperature": record["temperature"]}
picture_of_run(simulation, log, path, colour="density", title="cooling gas")
print(f"{simulation.counts.collisions:,} collisions; see {path}")
