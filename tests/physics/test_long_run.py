"""Long elastic runs: energy does not drift, and spheres do not sink into each other."""

from __future__ import annotations

import numpy as np
import pytest
from block_average import mean_and_error
from scipy.spatial import cKDTree

import carom
from carom.theory.equations_of_state import carnahan_starling, sphere_equation_of_state

PHI = 0.3
N = 4000


def deepest_overlap(simulation):
    """How deep two spheres overlap now, in diameters; zero when none do."""
    particles, lengths = simulation.particles, np.array(simulation.system.sides)
    diameter = 2.0 * particles.radius[0]
    position = particles.position % lengths
    pairs = cKDTree(position, boxsize=lengths).query_pairs(diameter, output_type="ndarray")
    separation = position[pairs[:, 0]] - position[pairs[:, 1]]
    separation -= lengths * np.rint(separation / lengths)
    distance = np.sqrt((separation**2).sum(axis=1))
    return float((1.0 - distance / diameter).max(initial=0.0))


def deepest_contact(log):
    """How deep two spheres overlapped at one of the collisions in the log, in diameters."""
    return float(1.0 - np.sqrt((log["separation"] ** 2).sum(axis=1).min()))


def run_and_check(collisions, piece):
    """Run in pieces, check energy and overlaps after each; the compressibility of each piece.

    Contacts are known to the resolution of the time since the last change of the origin, at most
    some 25 time units here, during which two spheres of relative speed 10 move by 4e-14.
    """
    particles, box = carom.packings.lattice(N, PHI, radius=0.5, seed=5)
    log = carom.CollisionLog()
    simulation = carom.Simulation(carom.System(particles, box), observers=[log])
    start = simulation.energy
    energy_error = overlap = contact = 0.0
    values = []
    for _ in range(collisions // piece):
        simulation.reset_averages()
        simulation.run(collisions=piece)
        values.append(simulation.compressibility)
        energy_error = max(energy_error, abs(simulation.energy / start - 1.0))
        overlap = max(overlap, deepest_overlap(simulation))
        contact = max(contact, deepest_contact(log))
        log.clear()
    print(
        f"{simulation.counts.collisions} collisions to time {simulation.time:.0f}: energy within "
        f"{energy_error:.1e}, deepest overlap {overlap:.1e} in snapshots and {contact:.1e} at "
        f"contacts, {simulation.counts.stabilising} stabilising collisions"
    )
    assert simulation.counts.collisions == collisions
    assert energy_error < 1e-11
    assert overlap < 1e-11
    assert contact < 1e-11
    return values


def test_two_million_collisions():
    run_and_check(2_000_000, 100_000)


@pytest.mark.slow
def test_hundred_million_collisions():
    values = run_and_check(100_000_000, 500_000)
    # The first pieces still remember the lattice.
    mean, error = mean_and_error(values[4:])
    z, reference = mean + 1.0 / N, carnahan_starling(PHI)
    best, uncertainty = sphere_equation_of_state(PHI)
    print(f"Z = {z:.5f} ± {error:.5f}, {z / reference - 1.0:+.3%} from Carnahan and Starling,")
    print(f"  {z / best - 1.0:+.3%} from the best known {best:.5f}")
    assert z == pytest.approx(reference, rel=0.003)
    assert z == pytest.approx(best, abs=4.0 * error + uncertainty)
