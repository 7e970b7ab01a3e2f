"""The pressure of binary mixtures of hard spheres."""

from __future__ import annotations

import numpy as np
import pytest
from equilibrium import block_averages, settled

import carom
from carom.theory.equations_of_state import boublik_mansoori, carnahan_starling

N = 4000
PHI = 0.3
MIXTURES = [  # ratio of diameters, share of small spheres in the number
    (0.6, 0.5),
    (0.3, 0.9),
]


def test_reference_contains_the_pure_fluid():
    for share in (0.0, 0.4):
        mixture = boublik_mansoori(PHI, (1.0, 1.0), (share, 1.0 - share))
        assert mixture == pytest.approx(carnahan_starling(PHI), rel=1e-14)


def test_reference_has_the_exact_second_virial_coefficient():
    diameters, shares = np.array([1.0, 0.3]), np.array([0.2, 0.8])
    mean = shares @ np.add.outer(diameters, diameters) ** 3 @ shares
    cube = shares @ diameters**3
    phi = 1e-6
    second = (boublik_mansoori(phi, diameters, shares) - 1.0) / phi
    assert second == pytest.approx(0.5 * mean / cube, rel=1e-4)


@pytest.mark.parametrize(("ratio", "share"), MIXTURES)
def test_pressure_of_binary_mixture(ratio, share):
    small = round(share * N)
    diameter = np.repeat([ratio, 1.0], [small, N - small])
    # Equally dense spheres; the pressure does not depend on the masses.
    particles, box = carom.packings.random(N, PHI, radius=0.5 * diameter, mass=diameter**3, seed=12)
    simulation = settled(particles, box)
    # About 6 million collisions: as many per time as during the last part of the settling.
    per_time = simulation.counts.collisions / simulation.time
    ((mean, error),) = block_averages(simulation, 6_000_000 / per_time, "compressibility")
    z = mean + 1.0 / N
    reference = boublik_mansoori(PHI, (ratio, 1.0), (share, 1.0 - share))
    print(
        f"ratio {ratio}, share {share}: Z = {z:.4f} ± {error:.4f} ({error / z:.3%}), "
        f"reference {reference:.4f} ({z / reference - 1.0:+.3%})"
    )
    assert error < 0.001 * z
    assert z == pytest.approx(reference, rel=0.005)
