"""A billion collisions: does the energy drift, and do spheres sink into each other?

python -m carom_studies.benchmarks.long_run  some twelve minutes
python -m carom_studies.benchmarks.long_run --collisions 1e8
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from scipy.spatial import cKDTree

import carom

N, PHI = 4000, 0.30
PIECE = 10_000_000


def energy(particles: carom.Particles) -> float:
    """The kinetic energy, summed without rounding."""
    return math.fsum((0.5 * particles.mass[:, None] * particles.velocity**2).ravel())


def momentum(particles: carom.Particles) -> np.ndarray:
    """The total momentum."""
    return (particles.mass[:, None] * particles.velocity).sum(axis=0)


def deepest_overlap(particles: carom.Particles, sides: np.ndarray) -> float:
    """How deep two spheres overlap, in diameters; 0 if none do."""
    diameter = 2.0 * float(particles.radius[0])
    tree = cKDTree(particles.position % sides, boxsize=sides)
    i, j = tree.query_pairs(1.000001 * diameter, output_type="ndarray").T
    apart = particles.position[i] - particles.position[j]
    apart -= sides * np.rint(apart / sides)
    distance = np.sqrt((apart**2).sum(axis=1))
    return float((1.0 - distance / diameter).max(initial=0.0))


def main() -> None:
    """Run in pieces and print the worst so far."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--collisions", type=float, default=1e9)
    pieces = round(parser.parse_args().collisions / PIECE)
    particles, box = carom.packings.lattice(N, PHI, temperature=1.0, seed=1)
    simulation = carom.Simulation(carom.System(particles, box), seed=1)
    sides, first = np.array(simulation.system.sides), simulation.particles
    drift = overlap = push = 0.0
    for _ in range(pieces):
        simulation.run(collisions=PIECE, progress=False)
        now = simulation.particles
        drift = max(drift, abs(energy(now) / energy(first) - 1.0))
        overlap = max(overlap, deepest_overlap(now, sides))
        push = max(push, float(np.abs(momentum(now) - momentum(first)).max()))
        print(
            f"{simulation.counts.collisions:>13,} collisions, t = {simulation.time:.0f}: energy "
            f"within {drift:.1e}, momentum within {push:.1e}, overlap at most {overlap:.1e} "
            f"diameters, {simulation.counts.stabilising} stabilising collisions",
            flush=True,
        )


if __name__ == "__main__":
    main()
