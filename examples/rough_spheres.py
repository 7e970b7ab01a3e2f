"""Rough spheres: collisions set them spinning, until both kinds of motion share the energy.

Perfectly rough and elastic spheres end with the same temperature in both. When they also lose
energy, both temperatures fall, and their ratio tends to a value of its own.

python rough_spheres.py [picture.png]
"""

import sys

import carom
from carom.plotting import diagram

path = sys.argv[1] if len(sys.argv) > 1 else "rough_spheres.png"

laws = {
    "ε = 1, β = 1": carom.RoughRestitution(1.0, 1.0),
    "ε = 0.9, β = 0.5": carom.RoughRestitution(0.9, 0.5),
    "ε = 0.9, β = −0.5": carom.RoughRestitution(0.9, -0.5),
}
figure, (left, right) = diagram(
    ("time", "temperature (dotted: of the spins)"), ("time", "rotational / translational")
)
for name, law in laws.items():
    particles, box = carom.packings.random(2000, 0.05, temperature=1.0, seed=1)
    record = carom.Record(0.25, "temperature", "rotational_temperature")
    simulation = carom.Simulation(carom.System(particles, box, law=law), observers=[record])
    simulation.run(until=30.0)
    time, linear = record["time"], record["temperature"]
    turning = record["rotational_temperature"]
    (line,) = left.semilogy(time, linear, lw=1.5, label=name)
    left.semilogy(time[1:], turning[1:], color=line.get_color(), lw=1.5, ls=":")
    right.plot(time, turning / linear, lw=1.5)
    print(f"{name}: rotational over translational temperature {turning[-1] / linear[-1]:.2f}")
left.legend(frameon=False, fontsize=8)
right.set_ylim(0.0, 1.2)
figure.savefig(path)
print(f"see {path}")
