"""How exactly spheres meet: about half of the impacts overlap, by a few units in the last place.

Bannerman, Strobl, Formella & Pöschel 2014, section 3 and figure 3.
"""

from __future__ import annotations

import numpy as np
import pytest

import carom

N, DENSITY = 500, 0.5
SIDE = 10.0  # diameters
COLLISIONS = 200_000
COLLISIONS_PER_ORIGIN = 32 * N  # times are counted from a new origin after so many
EPSILON = float(np.finfo(np.float64).eps)


def impacts(algorithm, coefficient):
    """Distances at impact less the diameter, and a bound for each; melted elastically before."""
    particles, box = carom.packings.lattice(N, DENSITY * np.pi / 6, radius=0.5, seed=3)
    assert box.lengths == pytest.approx((SIDE,) * 3)
    melting = carom.Simulation(carom.System(particles, box))
    melting.run(collisions=20 * N)
    log = carom.CollisionLog()
    law = carom.Elastic() if coefficient == 1.0 else carom.ConstantRestitution(coefficient)
    simulation = carom.Simulation(
        carom.System(melting.particles, box, law=law),
        method=carom.EventDriven(algorithm=algorithm),
        observers=[log],
    )
    # An inelastic gas of this size clusters after some hundred collisions per particle.
    simulation.run(collisions=COLLISIONS if coefficient == 1.0 else 20 * N)
    # The separations are what they are; only their length must not be rounded again.
    separation = log["separation"].astype(np.longdouble)
    gap = np.sqrt((separation**2).sum(axis=1)) - 1.0
    approach_speed = 2.0 * log["impulse"] / (1.0 + coefficient)  # the reduced mass is 1/2
    return gap.astype(np.float64), largest_gap(log["time"], approach_speed)


def largest_gap(time, approach_speed):
    """A bound for the distance of the centres less the diameter, at each impact.

    - Coordinates below 16 are rounded by at most 4 ε. Two particles are rounded once when the
      contact is predicted and once when it happens, the shift to the nearest image twice more: six
      roundings of a vector of three components.
    - Times are counted from an origin at most 32 N collisions before, and rounded by at most ε/2
      of themselves: once for the contact, and once for each particle's flight before it.
    - The discriminant of the quadratic is known to some ε of its terms, which moves the contact
      by as much as ε times the square of the distance from which it was predicted; that is below
      two diagonals of a cell, some five diameters.
    """
    ahead = time[COLLISIONS_PER_ORIGIN:]
    age = (ahead - time[: len(ahead)]).max() if len(ahead) else time[-1]
    places = 6.0 * np.sqrt(3.0) * 4.0 * EPSILON
    return places + 1.5 * EPSILON * age * approach_speed + 25.0 * EPSILON


@pytest.mark.parametrize("coefficient", [1.0, 0.9])
def test_nearly_half_of_the_impacts_overlap(coefficient):
    """Between a quarter and a half, because the earlier of two predictions counts.

    A particle that comes into view later predicts the contact again, with other roundings. If that
    were so in all contacts and independent, both would have to be late for an overlap: a quarter.
    """
    gap, bound = impacts("cells", coefficient)
    share, error = (gap < 0.0).mean(), 0.5 / np.sqrt(len(gap))
    print(f"ε = {coefficient}: {share:.4f} ± {error:.4f} of {len(gap)} impacts overlap")
    print(f"  deepest {-gap.min() / EPSILON:.0f}, widest {gap.max() / EPSILON:.0f} last places")
    print(f"  at most {np.abs(gap / bound).max():.2f} of the bound, {bound.max() / EPSILON:.0f}")
    assert 0.25 - 4.0 * error < share < 0.5 + 4.0 * error
    assert (np.abs(gap) < bound).all()


def test_half_of_the_impacts_overlap_when_each_contact_is_predicted_once():
    gap, _ = impacts("heap", 1.0)
    share, error = (gap < 0.0).mean(), 0.5 / np.sqrt(len(gap))
    print(f"{share:.4f} ± {error:.4f} of {len(gap)} impacts overlap")
    assert share == pytest.approx(0.5, abs=4.0 * error)
