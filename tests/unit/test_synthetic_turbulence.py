"""Synthetic turbulence, what holds exactly; its statistics are in tests/physics."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from refusals import assert_refused
from scipy import fft

import carom
from carom.fluids import Scales, SyntheticTurbulence
from carom.fluids.random.random_state import new_generator, set_words, words

EPSILON = float(np.finfo(np.float64).eps)
SIDES = (1.0, 1.5, 0.8)
GRIDS = [(16, 12), (9, 16), (8, 7, 6)]
TURBULENCE = SyntheticTurbulence(grid=16, seed=3)


def turbulent(grid: Any, **options: Any) -> Any:
    return SyntheticTurbulence(grid=grid, **options).stream(SIDES[: len(grid)], len(grid))


def modes(field: Any) -> Any:
    """û_k (waves, d) of a field on a grid, and the wave numbers j = k L / 2π (d, waves)."""
    u = field.velocity
    axes = tuple(range(u.ndim - 1))
    numbers = np.meshgrid(*(fft.fftfreq(n, 1.0 / n) for n in u.shape[:-1]), indexing="ij")
    return fft.fftn(u, axes=axes, norm="forward"), np.array(numbers)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_the_flow_has_no_divergence(grid: tuple[int, ...]) -> None:
    """k · û_k = 0, up to the rounding of two transforms: some ten EPSILON of the speed."""
    stream = turbulent(grid)
    stream.go_to(0.1)
    transformed, numbers = modes(stream.field)
    k = [2.0 * math.pi / side * j for side, j in zip(SIDES, numbers, strict=False)]
    divergence = sum(k[a] * transformed[..., a] for a in range(len(grid)))
    longest = max(np.abs(component).max() for component in k)
    assert np.abs(transformed).max() > 0.05
    assert np.abs(divergence).max() <= 10.0 * EPSILON * longest * len(grid)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_the_mean_and_the_shortest_waves_are_left_out(grid: tuple[int, ...]) -> None:
    """Waves from −n/2 + 1 to n/2 − 1, without 0, as in A.2.1; others up to rounding."""
    transformed, numbers = modes(turbulent(grid).field)
    left_out = (numbers == 0).all(axis=0)
    for n, j in zip(grid, numbers, strict=True):
        left_out |= 2 * np.abs(j) == n
    strength = np.abs(transformed).max(axis=-1)
    assert strength[left_out].max() <= 10.0 * EPSILON
    assert strength[~left_out].min() > 1e-6


def test_the_same_seed_gives_the_same_flow() -> None:
    fields = []
    for seed in (3, 3, 4):
        stream = SyntheticTurbulence(grid=16, seed=seed).stream(SIDES[:2], 2)
        first = stream.field.velocity.copy()
        stream.go_to(0.3)
        fields.append((first, stream.field.velocity))
    assert all((a == b).all() for a, b in zip(fields[0], fields[1], strict=True))
    assert not any((a == b).any() for a, b in zip(fields[0], fields[2], strict=True))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_a_restored_stream_continues_bit_for_bit(grid: tuple[int, ...]) -> None:
    uninterrupted = turbulent(grid)
    for time in (0.1, 0.15, 0.4):
        uninterrupted.go_to(time)
    file = io.BytesIO()
    np.savez(file, **uninterrupted.arrays())
    at_break = uninterrupted.field.velocity.copy()
    file.seek(0)
    restored = turbulent(grid, seed=99)
    with np.load(file, allow_pickle=False) as arrays:
        restored.restore(arrays)
    assert (restored.field.velocity == at_break).all()
    for time in (0.5, 0.7):
        uninterrupted.go_to(time)
        restored.go_to(time)
    assert (restored.field.velocity == uninterrupted.field.velocity).all()
    assert not (restored.field.velocity == at_break).any()


def test_the_state_of_the_generator_is_all_of_it() -> None:
    """Half a word is kept when a number of 32 bits is drawn."""
    generator = new_generator(7)
    generator.integers(10, dtype=np.uint32)
    other = new_generator(8)
    set_words(other, words(generator))
    assert generator.bit_generator.state == other.bit_generator.state
    assert generator.bit_generator.state["has_uint32"] == 1
    assert (generator.random(5) == other.random(5)).all()


def test_time_goes_on_only() -> None:
    stream = TURBULENCE.stream(SIDES[:2], 2)
    array = stream.field.velocity
    stream.go_to(1.0)
    assert stream.field.velocity is array
    before = array.copy()
    stream.go_to(1.0)
    assert (array == before).all()
    assert_refused(lambda: stream.go_to(0.5), "1.0", "0.5", "new stream")
    assert_refused(lambda: stream.go_to(math.nan), "nan")
    # Which of all flows it is depends on where it was looked at; see tests/physics for the rest.
    other = TURBULENCE.stream(SIDES[:2], 2)
    other.go_to(0.5)
    other.go_to(1.0)
    assert not (other.field.velocity == before).any()


def test_viscosity_and_correlation_time_say_the_same() -> None:
    """The longest wave in a box 1 × 1.5 has k = 2π / 1.5; exp rounds either in its own way."""
    viscosity = 0.03
    longest = 1.0 / (viscosity * (2.0 * math.pi / 1.5) ** 2)
    fields = []
    for option in ({"viscosity": viscosity}, {"correlation_time": longest}):
        stream = turbulent((16, 12), **option)
        stream.go_to(0.2)
        fields.append(stream.field.velocity)
    assert fields[0] == pytest.approx(fields[1], abs=1e-12)


def test_the_speed_scales_the_flow() -> None:
    slow, fast = (turbulent((16, 12), speed=speed).field.velocity for speed in (0.5, 2.0))
    assert fast == pytest.approx(4.0 * slow, abs=1e-13)


def test_a_spectrum_of_ones_own() -> None:
    """All energy in waves of half the box: the others have none."""
    ring = SyntheticTurbulence(lambda k: (np.abs(k - 4.0 * math.pi) < 1e-9) * 1.0, grid=8)
    transformed, numbers = modes(ring.stream((1.0, 1.0), 2).field)
    strength = np.abs(transformed).max(axis=-1)
    inside = (numbers**2).sum(axis=0) == 4
    assert inside.sum() == 4
    assert strength[inside].min() > 0.01 and strength[~inside].max() < 10.0 * EPSILON


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"spectrum": "kolmogorov"}, ["'kolmogorov'", "'karman_obukhov'", "'kraichnan'"]),
        ({"speed": 0.0}, ["speed.*positive"]),
        ({"speed": None}, ["speed.*None"]),
        ({"length_scale": -1.0}, ["length_scale.*-1"]),
        ({"viscosity": math.nan}, ["viscosity.*nan"]),
        ({"viscosity": 1.0, "correlation_time": 1.0}, ["either"]),
        ({"seed": -1}, ["seed.*-1"]),
        ({"seed": 0.5}, ["seed.*0.5"]),
        ({"lengths": 0.0}, ["length along x.*0"]),
    ],
)
def test_parameters_that_cannot_be_are_refused(options: Any, parts: list[str]) -> None:
    assert_refused(lambda: SyntheticTurbulence(**options), *parts)


@pytest.mark.parametrize(
    ("options", "sides", "parts"),
    [
        ({"grid": 2}, (1.0, 1.0), ["grid=2", "at least 3"]),
        ({"grid": (8, 8, 8)}, (1.0, 1.0), ["grid=", "2 of them"]),
        ({"grid": 8.5}, (1.0, 1.0), ["grid=8.5"]),
        ({"lengths": 1.0}, (1.0, 1.5), ["along y", "lengths=0.75"]),
        ({"length_scale": 1e-3}, (1.0, 1.0), ["finer than the grid", "grid="]),
        (
            {"spectrum": "kraichnan", "length_scale": 10.0},
            (1.0, 1.0),
            ["no energy", "length_scale"],
        ),
        ({"spectrum": lambda k: -k}, (1.0, 1.0), ["not negative"]),
        ({"spectrum": lambda k: k[:-1]}, (1.0, 1.0), ["one energy"]),
        ({"spectrum": lambda k: k * math.nan}, (1.0, 1.0), ["finite"]),
    ],
)
def test_what_does_not_fit_is_refused(options: Any, sides: Any, parts: list[str]) -> None:
    turbulence = SyntheticTurbulence(**({"grid": 16} | options))
    assert_refused(lambda: carom.fluids.stream(turbulence, sides, len(sides)), *parts)


def test_open_space_needs_a_period() -> None:
    assert_refused(lambda: TURBULENCE.stream(None, 2), "open space", "lengths=")
    stream = SyntheticTurbulence(grid=16, lengths=2.0).stream(None, 2)
    assert stream.field.per_length == (0.5, 0.5)
    tiled = SyntheticTurbulence(grid=16, lengths=0.5).stream((1.0, 1.5), 2)
    assert tiled.field.per_length == (2.0, 2.0)


def test_scales_of_turbulence() -> None:
    scales = carom.fluids.scales(SyntheticTurbulence(speed=2.0, length_scale=0.1), SIDES[:2], 2)
    assert scales == Scales(2.0, 0.1, 0.05)
    automatic = carom.fluids.scales(SyntheticTurbulence(speed=2.0), SIDES[:2], 2)
    assert automatic is not None and automatic.length == pytest.approx(1.0 / (4.0 * math.pi))
