"""The fluid of hard spheres in one picture, beside theory: g(r), S(k), displacements and diffusion,
viscosity, and the equation of state up to a packing fraction of 0.5.

Points have standard errors; g(r) is known better than its line is thick. Enskog lets each
collision be the first, but dense spheres are caged, and Percus and Yevick are too high at the peak
of S(k). Lengths are in diameters; mass and temperature are 1.

python fluid.py [picture.png]
"""

import sys

import numpy as np

import carom
from carom.theory import Gas, contact_value, enskog, percus_yevick
from carom.theory.equations_of_state import carnahan_starling

path = sys.argv[1] if len(sys.argv) > 1 else "fluid.png"
panels = [("r / σ", "g(r)"), ("k σ", "S(k)"), ("time", "mean square displacement")]
panels += [("packing fraction φ", what) for what in ("diffusion D", "viscosity η", "Z = P V / N T")]
figure, (g, s, squares, *of_phi) = carom.plotting.diagram(*panels, columns=3)
for phi in (0.1, 0.2, 0.3, 0.4, 0.45, 0.5):
    # A lattice would melt below .494, where spheres freeze, but not at .5.
    sim = carom.Simulation(carom.System(*carom.packings.grow(500, phi, radius=0.5, seed=1)))
    sim.run(collisions=25_000)
    pairs = carom.PairStatistics(0.5, edges=np.linspace(1.0, 3.5, 126))
    waves = carom.StructureFactor(0.5, longest=16.0)
    moved, stress = carom.MeanSquareDisplacement(0.2, lags=40), carom.Viscosity(0.1, lags=60)
    for observer in (moved, stress, *((pairs, waves) if phi in (0.2, 0.5) else ())):
        sim.add_observer(observer)
    parts = []
    for _ in range(20):
        sim.reset_averages()
        sim.run(duration=10.0)
        parts.append(sim.compressibility)
    # Slopes begin when a sphere has forgotten where it flew, after five collisions or more.
    begin = max(1.0, 5.0 * sim.mean_free_time)
    found = {"D": moved.diffusion(2.0 * begin, 8.0), "η": stress.viscosity(begin, 2.0 * begin)}
    found["Z"] = np.mean(parts), np.std(parts, ddof=1) / np.sqrt(len(parts))
    print(f"φ = {phi:.2f}", *(f"  {what} = {x:.4f} ± {dx:.4f}" for what, (x, dx) in found.items()))
    for axes, (value, error) in zip(of_phi, found.values(), strict=True):
        axes.errorbar(phi, value, error, fmt="o", color="C0", ms=4)
    if phi in (0.2, 0.5):
        (line,) = g.plot(pairs.shells.distance, pairs.shells.distribution, label=f"φ = {phi}")
        k, time, look = np.linspace(0.1, 16.0, 300), moved.time[1:], {"color": line.get_color()}
        g.plot(1.0, contact_value(3, phi), "v", label="Carnahan & Starling", **look)
        s.errorbar(waves.wave_number, waves.structure, waves.error, fmt="o", ms=3, **look)
        s.plot(k, percus_yevick.structure_factor(Gas(3, phi), k), label="Percus & Yevick", **look)
        squares.errorbar(time, moved.mean_square[1:], moved.error[1:], fmt="o", ms=3, **look)
        squares.semilogy(time, 6.0 * found["D"].value * time, label=f"6 D t, φ = {phi}", **look)
phi = np.linspace(0.05, 0.52, 100)
for axes, theory in zip(of_phi, (enskog.self_diffusion, enskog.shear_viscosity), strict=False):
    axes.semilogy(phi, [theory(Gas(3, one)) for one in phi], "C1", label="Enskog")
of_phi[2].plot(phi, [carnahan_starling(one) for one in phi], "C1", label="Carnahan & Starling")
for axes in (g, s, squares, *of_phi):
    axes.legend(frameon=False, fontsize=8)
figure.savefig(path)
print(f"see {path}")
