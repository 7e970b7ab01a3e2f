"""Frames of trajectories: where the box and the particles are."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

import carom
from carom.observers.trajectory import frame_of


def test_a_sheared_box_is_written_as_a_tilted_one() -> None:
    """After a time of 3 the images above have slid by 12, a box and 2: a tilt of 2/8."""
    particles = carom.Particles([[9.5, 7.5], [9.5, 0.5], [0.5, 7.5]])
    system = carom.System(particles, carom.LeesEdwards([10.0, 8.0], 0.5))
    frame = frame_of(SimpleNamespace(time=3.0, system=system, particles=particles), 0)
    np.testing.assert_array_equal(frame.configuration.box, [10.0, 8.0, 1.0, 0.25, 0.0, 0.0])
    # At the height y of a frame the tilted box reaches from y/4 − 5 to y/4 + 5.
    expected = [[4.5, 3.5, 0.0], [-5.5, -3.5, 0.0], [5.5, 3.5, 0.0]]
    np.testing.assert_array_equal(frame.particles.position, expected)


def test_an_upright_box_is_written_as_it_is() -> None:
    particles = carom.Particles([[9.5, 7.5], [9.5, 0.5]])
    system = carom.System(particles, carom.Periodic([10.0, 8.0]))
    frame = frame_of(SimpleNamespace(time=3.0, system=system, particles=particles), 7)
    assert frame.configuration.step == 7
    np.testing.assert_array_equal(frame.configuration.box, [10.0, 8.0, 1.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(frame.particles.position, [[4.5, 3.5, 0.0], [4.5, -3.5, 0.0]])
