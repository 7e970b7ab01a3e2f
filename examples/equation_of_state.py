"""The pressure of hard spheres against the equation of Carnahan & Starling (1969).

python equation_of_state.py [picture.png]
"""

import sys

import numpy as np

import carom
from carom.plotting import diagram

path = sys.argv[1] if len(sys.argv) > 1 else "equation_of_state.png"
carnahan_starling = carom.theory.equations_of_state.carnahan_starling
fractions = np.array([0.1, 0.2, 0.3, 0.4, 0.45, 0.5])
measured = []
for fraction in fractions:
    # A lattice would melt below .494, where spheres freeze, but not at .5.
    particles, box = carom.packings.grow(500, fraction, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    simulation.run(collisions=50_000)
    simulation.reset_averages()
    simulation.run(collisions=200_000)
    measured.append(simulation.compressibility)
    expected = carnahan_starling(fraction)
    print(f"φ = {fraction:.2f}   Z = {measured[-1]:7.4f}   Carnahan–Starling {expected:7.4f}")

figure, axes = diagram(("packing fraction", "compressibility  P V / N T"))
curve = np.linspace(0.0, 0.52, 100)
axes.plot(
    curve,
    [carnahan_starling(phi) for phi in curve],
    color="#b8b8b8",
    lw=3,
    label="Carnahan–Starling",
)
axes.plot(fractions, measured, "o", label="500 spheres, carom")
axes.legend(frameon=False, fontsize=8)
figure.savefig(path)
print(f"see {path}")
