"""Parts of space: who is in them, and places in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from carom import regions

SHAPES = {
    "block": (regions.Block([1.0, 2.0, 3.0], [2.0, 4.0, 3.5]), 1.0),
    "rectangle": (regions.Block([1.0, 2.0], [2.0, 4.0]), 2.0),
    "ball": (regions.Ball([1.0, 2.0, 3.0], 0.5), 4.0 / 3.0 * np.pi * 0.125),
    "disk": (regions.Ball([1.0, 2.0], 0.5), np.pi * 0.25),
    "tube": (regions.Tube([0.0, 0.0, 0.0], [1.0, 2.0, 2.0], 0.5), np.pi * 0.25 * 3.0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_places_fill_a_region_evenly(name: str) -> None:
    """Of points in the box around it the share of its volume is in it; places are, all of them."""
    region, volume = SHAPES[name]
    random = np.random.default_rng(2)
    lower, upper = region.corners
    points = random.uniform(lower, upper, (20_000, region.dimension))
    share = volume / np.prod(upper - lower)
    error = np.sqrt(share * (1.0 - share) / len(points))
    assert abs(region.contains(points).mean() - share) <= 4.0 * error + 1e-12
    places = region.places(random, 4000)
    assert region.contains(places).all()
    inside = points[region.contains(points)]
    spread = inside.std(axis=0) * np.sqrt(1.0 / len(inside) + 1.0 / len(places))
    assert (np.abs(places.mean(axis=0) - inside.mean(axis=0)) <= 4.0 * spread).all()


def test_a_block_may_be_flat() -> None:
    line = regions.Block([0.0, 1.0], [5.0, 1.0])
    places = line.places(np.random.default_rng(1), 10)
    assert (places[:, 1] == 1.0).all()
    assert line.contains(places).all()


def test_beyond_a_plane_there_is_no_end() -> None:
    beyond = regions.Beyond([0.0, 1.0], [0.0, -2.0])
    assert beyond.contains(np.array([[9.0, 1.1], [9.0, 1.0], [9.0, -1e9]])).tolist() == [
        False,
        True,
        True,
    ]
    assert not beyond.is_bounded


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: regions.Block([1.0, 0.0], [0.0, 1.0]), "along x upper=0 is below lower=1"),
        (lambda: regions.Block([0.0], [1.0]), "lower must be two or three finite numbers"),
        (lambda: regions.Block([0.0, 0.0], [1.0, 1.0, 1.0]), "upper must be 2 finite numbers"),
        (lambda: regions.Ball([0.0, np.nan], 1.0), "centre must be two or three finite"),
        (lambda: regions.Ball([0.0, 0.0], -1.0), "radius must be a positive number, not -1.0"),
        (lambda: regions.Tube([0.0, 0.0], [1.0, 1.0], 1.0), "start must be 3 finite numbers"),
        (lambda: regions.Tube([0, 0, 0], [0, 0, 0], 1.0), "the axis .* has no direction"),
        (lambda: regions.Beyond([0, 0], [0, 0]), "the normal .* has no direction"),
    ],
)
def test_what_is_no_region_is_refused(make: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make()
