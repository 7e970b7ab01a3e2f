"""Particles as pixels: how much of each a disk covers, and what hides what in space."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from carom.raster import (
    Disks,
    Lines,
    Spheres,
    Triangles,
    painted_disks,
    painted_solids,
)

RED, BLUE, WHITE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)


def disks(places: Any, radii: Any, colours: Any, size: tuple[int, int], **options: Any) -> Any:
    """The image of some disks without rims."""
    window = np.array(options.pop("window", (0.0, 0.0, *size)))
    colour = np.array(colours, dtype=float)
    several = Disks(np.array(places, dtype=float), np.array(radii, dtype=float), colour, colour, 0)
    return painted_disks(several, size, window, options.pop("least", 0.0)).astype(float) / 255.0


@pytest.mark.parametrize("radius", [0.2, 0.5, 1.0, 3.3, 20.0])
def test_a_disk_covers_its_area(radius: float) -> None:
    random = np.random.default_rng(1)
    for _ in range(5):
        place = 30.0 + random.random(2)
        covered = disks([place], [radius], [RED], (60, 60))[..., 3].sum()
        # A pixel counts by the distance of its middle from the rim, which is right on average over
        # places; the sum over the few pixels of a small disk depends on where it is.
        tolerance = 0.01 if radius > 3.0 else 0.12
        assert covered == pytest.approx(math.pi * radius**2, rel=tolerance, abs=0.02)


def test_disks_that_touch_leave_no_seam_and_do_not_overlap() -> None:
    """Squares of disks that touch: at each contact the pixels are full, but never mixed twice."""
    image = disks([[10.3, 15.2], [24.3, 15.2]], [7.0, 7.0], [RED, BLUE], (36, 30))
    row = image[15]
    assert row[5:30, 3].min() > 0.97  # no paper between them
    assert np.argmax(row[:, 2] > 0.5) in (17, 18)  # 10.3 + 7 = 17.3: blue begins there
    assert (row[5:16, :3] == RED).all()
    assert (row[19:30, :3] == BLUE).all()
    apart = disks([[10.3, 15.2], [26.3, 15.2]], [7.0, 7.0], [RED, BLUE], (36, 30))
    assert apart[15, 18, 3] < 0.35  # a gap of two pixels is seen


def test_a_later_disk_is_on_top() -> None:
    image = disks([[15.0, 15.0], [18.0, 15.0]], [8.0, 8.0], [RED, BLUE], (36, 30))
    assert tuple(image[15, 17]) == (0.0, 0.0, 1.0, 1.0)
    assert tuple(image[15, 8]) == (1.0, 0.0, 0.0, 1.0)


def test_nothing_is_painted_outside_of_the_window() -> None:
    image = disks([[15.0, 15.0]], [10.0], [RED], (30, 30), window=(12.0, 0.0, 30.0, 17.5))
    assert image[:, :12].max() == 0.0
    assert image[18:].max() == 0.0
    assert image[17, 15, 3] == pytest.approx(0.5, abs=1 / 255)
    assert image[10, 15, 3] == 1.0


def test_small_disks_are_enlarged_unless_they_are_too_many() -> None:
    few = disks([[20.5, 20.5]], [1e-9], [RED], (40, 40), least=1.5)
    assert few[..., 3].sum() == pytest.approx(math.pi * 1.5**2, rel=0.1)
    random = np.random.default_rng(2)
    many = disks(random.random((2000, 2)) * 40, [1e-3] * 2000, [RED] * 2000, (40, 40), least=1.5)
    # They share a fifth of the image, some of it twice.
    assert 0.1 < many[..., 3].mean() < 0.21


def test_disks_beyond_any_image_and_none_at_all_do_no_harm() -> None:
    far = disks([[1e300, 0.0], [-1e18, 5.0], [5.0, 5.0]], [1.0, 2.0, 1e12], [RED] * 3, (9, 9))
    assert (far[..., 3] == 1.0).all()
    nobody = Disks(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)), 1.0)
    assert painted_disks(nobody, (3, 2), np.array([0.0, 0.0, 3.0, 2.0]), 1.0).max() == 0


def solids(places: Any, radii: Any, colours: Any, **options: Any) -> Any:
    """The image of spheres of 40 by 40 pixels."""
    several = Spheres(
        np.array(places, dtype=float).reshape(-1, 3),
        np.array(radii, dtype=float),
        np.array(colours, dtype=float).reshape(-1, 3),
    )
    image = painted_solids(several, (40, 40), WHITE, (100.0, -100.0), **options)
    return image.astype(float) / 255.0


def test_the_nearer_sphere_hides_the_other_in_any_order() -> None:
    places, radii, colours = [[20, 20, 5], [24, 20, -5]], [8.0, 8.0], [RED, BLUE]
    image = solids(places, radii, colours)
    turned = solids(places[::-1], radii, colours[::-1])
    np.testing.assert_array_equal(image, turned)
    assert image[20, 23, 0] > 2.0 * image[20, 23, 2]  # red, in front
    assert image[20, 30, 2] > 2.0 * image[20, 30, 0]


def test_spheres_that_overlap_meet_in_a_plane_halfway() -> None:
    """Their middles are at one depth: each is in front on its own side."""
    image = solids([[14, 20, 0], [26, 20, 0]], [8.0, 8.0], [RED, BLUE])
    assert image[20, 18, 0] > 2.0 * image[20, 18, 2]
    assert image[20, 21, 2] > 2.0 * image[20, 21, 0]


def test_a_sphere_is_lit_from_the_upper_left() -> None:
    image = solids([[20, 20, 0]], [15.0], [(0.5, 0.5, 0.5)])
    bright = image[..., :3].sum(axis=-1) * image[..., 3]
    assert bright[13, 15] > bright[27, 25] + 0.3
    assert image[..., 3].sum() == pytest.approx(math.pi * 15.0**2, rel=0.01)


def test_a_transparent_triangle_is_laid_over_what_is_behind_it_only() -> None:
    corners = np.array([[[0, 0, 0], [40, 0, 0], [0, 40, 0]], [[40, 40, 0], [40, 0, 0], [0, 40, 0]]])
    wall = Triangles(corners, np.array([(0.0, 0.0, 0.0, 0.5)] * 2))
    behind = solids([[20, 20, -10]], [8.0], [RED], triangles=wall)
    before = solids([[20, 20, 10]], [8.0], [RED], triangles=wall)
    alone = solids([[20, 20, -10]], [8.0], [RED])
    assert behind[20, 20, 0] == pytest.approx(0.5 * alone[20, 20, 0], abs=0.01)
    assert before[20, 20, 0] > 0.9 * alone[20, 20, 0]
    # The two triangles of a square cover each sample once, along their common edge too.
    empty = solids([], [], [], triangles=wall)
    np.testing.assert_allclose(empty[..., 3], 0.5, atol=1 / 255)


@pytest.mark.parametrize("slope", [0.0, 0.3, 1.0, 7.0, math.inf])
def test_a_line_is_as_wide_as_it_should_be_and_hidden_by_spheres(slope: float) -> None:
    angle = math.atan(slope)
    along = 15.0 * np.array([math.cos(angle), math.sin(angle), 0.0])
    middle = np.array([20.13, 20.31, 0.0])  # no edge runs through samples
    ends = np.array([[middle - along, middle + along]])
    line = Lines(ends, np.array([(0.0, 0.0, 0.0, 1.0)]), 3.0)
    alone = solids([], [], [], lines=line)
    # With a half disk at each end. Along 45° samples are in rows, half a pixel apart.
    assert alone[..., 3].sum() == pytest.approx(30.0 * 3.0 + math.pi * 1.5**2, rel=0.055)
    hidden = solids([[20, 20, 10]], [5.0], [RED], lines=line)
    assert hidden[20, 20, 0] > 0.4
    shown = solids([[20, 20, -10]], [5.0], [RED], lines=line)
    assert shown[20, 20, 0] < 0.1


def test_a_line_towards_the_eye_is_a_dot() -> None:
    line = Lines(np.array([[[20, 20, -5], [20, 20, 5]]]), np.array([(0, 0, 0, 1.0)]), 4.0)
    covered = solids([], [], [], lines=line)[..., 3].sum()
    assert covered == pytest.approx(math.pi * 4.0, rel=0.1)


def test_spheres_out_of_sight_do_no_harm() -> None:
    image = solids([[1e300, 0, 0], [-1e9, 20, 0], [20, 20, 0]], [1.0, 2.0, 1e-9], [RED] * 3)
    assert 1.0 < image[..., 3].sum() < 3.0
