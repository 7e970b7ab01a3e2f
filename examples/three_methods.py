"""One system, three methods: a granular gas cools event by event, in steps, and with soft contacts.

Event by event is exact; hard particles in steps overlap a little before they collide, soft ones
while they do. All three tend to the same gas, for short steps and for stiff contacts.

python three_methods.py [picture.png]
"""

import sys
from time import perf_counter

import carom
from carom.plotting import diagram

path = sys.argv[1] if len(sys.argv) > 1 else "three_methods.png"

particles, box = carom.packings.lattice(4000, 0.2, dimension=2, temperature=1.0, seed=1)
system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
methods = (
    (carom.EventDriven(), "-"),
    (carom.TimeStepped(), "--"),
    (carom.SoftContacts(stiffness=1e5), ":"),
)

figure, (left, right) = diagram(
    ("time", "temperature"), ("time", "difference from the exact one, per cent")
)
print(f"{'':14}{'collisions':>11}{'temperature':>13}{'pressure':>10}{'overlap':>9}{'seconds':>9}")
for method, style in methods:
    record = carom.Record(0.5, "temperature")
    simulation = carom.Simulation(system, method=method, observers=[record])
    simulation.run(until=0.5)  # the first piece may have to wait for the compiler
    begun = perf_counter()
    simulation.run(until=20.0)
    seconds = perf_counter() - begun
    name = type(method).__name__
    overlap = max(simulation.mean_overlap, simulation.mean_impact_overlap)  # soft, or hard in steps
    print(
        f"{name:14}{simulation.counts.collisions:11,}{simulation.temperature:13.4f}"
        f"{simulation.pressure:10.4f}{overlap:9.3%}{seconds:9.2f}"
    )
    time, temperature = record["time"][1:], record["temperature"][1:]
    if isinstance(method, carom.EventDriven):
        exact = temperature
    left.loglog(time, temperature, ls=style, lw=2, label=name)
    right.plot(time, 100.0 * (temperature / exact - 1.0), ls=style, lw=2)
left.legend(frameon=False, fontsize=8)
# The start is the same, but after some collisions only averages are: of 4000 particles.
figure.savefig(path)
print(f"see {path}")
