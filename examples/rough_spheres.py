"""Rough spheres: collisions set them spinning, until both kinds of motion share the energy.

Perfectly rough and elastic spheres end with the same temperature in both. When they also lose
energy, both temperatures fall, and their ratio tends to a value of its own.

python rough_spheres.py [picture.png]
"""

import sys

from matplotlib.figure import Figure

import carom

path = sys.argv[1] if len(sys.argv) > 1 else "rough_spheres.png"

laws = {
    "ε = 1, β = 1": (carom.RoughRestitution(1.0, 1.0), "#0072B2"),
    "ε = 0.9, β = 0.5": (carom.RoughRestitution(0.9, 0.5), "#009E73"),
    "ε = 0.9, β = −0.5": (carom.RoughRestitution(0.9, -0.5), "#D55E00"),
}
figure = Figure(figsize=(8, 3.5), layout="constrained")
left, right = figure.subplots(1, 2)
for name, (law, colour) in laws.items():
    particles, box = carom.packings.random(2000, 0.05, temperature=1.0, seed=1)
    record = carom.Record(0.25, "temperature", "rotational_temperature")
    simulation = carom.Simulation(carom.System(particles, box, law=law), observers=[record])
    simulation.run(until=30.0)
    time, linear = record["time"], record["temperature"]
    turning = record["rotational_temperature"]
    left.semilogy(time, linear, color=colour, lw=1.5, label=name)
    left.semilogy(time[1:], turning[1:], color=colour, lw=1.5, ls=":")
    right.plot(time, turning / linear, color=colour, lw=1.5)
    print(f"{name}: rotational over translational temperature {turning[-1] / linear[-1]:.2f}")
left.set(xlabel="time", ylabel="temperature (dotted: of the spins)")
left.legend(frameon=False)
right.set(xlabel="time", ylabel="rotational / translational", ylim=(0.0, 1.2))
for axes in (left, right):
    axes.spines[["top", "right"]].set_visible(False)
figure.savefig(path, dpi=150)
print(f"see {path}")
