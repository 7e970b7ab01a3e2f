"""The pressure of hard spheres against the equation of Carnahan & Starling (1969).

python equation_of_state.py [picture.png]
"""

import sys

import numpy as np
from matplotlib.figure import Figure

import carom

path = sys.argv[1] if len(sys.argv) > 1 else "equation_of_state.png"


def carnahan_starling(fraction):
    return (1 + fraction + fraction**2 - fraction**3) / (1 - fraction) ** 3


fractions = np.array([0.1, 0.2, 0.3, 0.4, 0.45])
measured = []
for fraction in fractions:
    particles, box = carom.packings.lattice(500, fraction, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    simulation.run(collisions=50_000)  # the lattice melts
    simulation.reset_averages()
    simulation.run(collisions=200_000)
    measured.append(simulation.compressibility)
    expected = carnahan_starling(fraction)
    print(f"φ = {fraction:.2f}   Z = {measured[-1]:7.4f}   Carnahan–Starling {expected:7.4f}")

figure = Figure(figsize=(5, 4), layout="constrained")
axes = figure.add_subplot(xlabel="packing fraction", ylabel="compressibility  pV / NT")
curve = np.linspace(0.0, 0.48, 100)
axes.plot(curve, carnahan_starling(curve), color="#b8b8b8", lw=3, label="Carnahan–Starling")
axes.plot(fractions, measured, "o", color="#0072B2", label="500 spheres, carom")
axes.legend(frameon=False)
axes.spines[["top", "right"]].set_visible(False)
figure.savefig(path, dpi=150)
print(f"see {path}")
