"""The fluid of hard spheres in one picture: g(r), S(k), diffusion, viscosity and pressure.

python fluid.py [picture.png]
"""

import sys

import numpy as np

import carom
from carom.theory import Gas, percus_yevick
from carom.theory.equations_of_state import carnahan_starling

path = sys.argv[1] if len(sys.argv) > 1 else "fluid.png"
fractions = np.array([0.1, 0.2, 0.3, 0.4, 0.45, 0.5])
diffusion, viscosity, pressure = [], [], []
for fraction in fractions:
    # A lattice would melt below .494, where spheres freeze, but not at .5.
    particles, box = carom.packings.grow(500, fraction, radius=0.5, temperature=1.0, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    simulation.run(collisions=25_000)
    simulation.reset_averages()
    pairs = carom.PairStatistics(0.5, edges=np.linspace(0.9, 3.5, 131))
    waves = carom.StructureFactor(0.5, longest=16.0)
    displacement = carom.MeanSquareDisplacement(0.2, lags=20)
    stress = carom.Viscosity(0.1, lags=20)
    for observer in (pairs, waves, displacement, stress):
        simulation.add_observer(observer)
    simulation.run(duration=100.0)
    diffusion.append(displacement.diffusion(2.0, 4.0))
    viscosity.append(stress.viscosity(0.5, 2.0))
    pressure.append(simulation.compressibility)
    print(
        f"φ = {fraction:.2f}   D = {diffusion[-1].value:.4f} ± {diffusion[-1].error:.4f}   "
        f"η = {viscosity[-1].value:.3f} ± {viscosity[-1].error:.3f}   Z = {pressure[-1]:.3f}"
    )

of_phi = "packing fraction"
figure, axes = carom.plotting.diagram(
    ("r / σ", "g(r), φ = 0.5"),
    ("k σ", "S(k), φ = 0.5"),
    (of_phi, "diffusion"),
    (of_phi, "viscosity"),
    (of_phi, "compressibility  P V / N T"),
)
axes[0].plot(pairs.shells.distance, pairs.shells.distribution)
axes[1].errorbar(waves.wave_number, waves.structure, waves.error, fmt="o", ms=3)
k = np.linspace(0.1, 16.0, 300)
axes[1].plot(k, percus_yevick.structure_factor(Gas(3, 0.5), k), label="Percus & Yevick")
axes[2].errorbar(fractions, *np.array(diffusion).T, fmt="o-", ms=3)
axes[3].errorbar(fractions, *np.array(viscosity).T, fmt="o-", ms=3)
curve = np.linspace(0.0, 0.52, 100)
axes[4].plot(fractions, pressure, "o", ms=4)
axes[4].plot(curve, [carnahan_starling(phi) for phi in curve], label="Carnahan–Starling")
for one in (axes[1], axes[4]):
    one.legend(frameon=False, fontsize=8)
figure.savefig(path)
print(f"see {path}")
