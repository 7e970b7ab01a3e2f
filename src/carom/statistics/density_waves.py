"""Waves of density: the structure factor of points in a box that repeats."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import check_positive, check_whole, numbers_in
from carom.particles import Array
from carom.statistics.boxes import RepeatingBox

# Products of points and waves that are in memory at once.
PORTION = 1 << 20
# Waves among which some are chosen: a few hundred megabytes.
MOST_WAVES = 1 << 23


class WaveVectors(NamedTuple):
    """Waves that fit into a box, in shells of nearly one length; of k and −k there is one."""

    vectors: Array  # (m, d)
    shell: Any  # (m,) the shell in which each is
    length: Array  # (shells,) the mean length in each

    def mean(self, values: Array) -> Array:
        """The mean (shells,) over the waves of each shell of values (m,)."""
        number = np.bincount(self.shell, minlength=len(self.length))
        return np.asarray(np.bincount(self.shell, values, minlength=len(self.length)) / number)


def wave_vectors(box: RepeatingBox, longest: float, per_shell: int = 24) -> WaveVectors:
    """The waves of a box up to a length of k = 2π n / L, at most so many of each shell.

    Shells are as wide as the shortest wave vector. Where one has more waves, those that are taken
    lie evenly among all of them in the order of their length.
    """
    check_positive("wave_vectors: longest", longest)
    check_whole("wave_vectors: per_shell", per_shell, 1)
    _refuse_shear(box)
    steps = 2.0 * math.pi / np.array(box.sides)
    if math.prod(float(longest) * side / math.pi + 1.0 for side in box.sides) > MOST_WAVES:
        raise ValueError(
            f"more than {MOST_WAVES} waves up to {longest:g} fit into {box!r}; ask for longer ones."
        )
    reach = [int(longest / step) for step in steps]
    axes = [np.arange(-n, n + 1) for n in reach]
    whole = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, box.dimension)
    # The first half in this order has the opposite of each of the second, and zero in between.
    whole = whole[len(whole) // 2 + 1 :]
    vectors = whole * steps
    length = np.sqrt((vectors * vectors).sum(axis=1))
    order = np.argsort(length, kind="stable")
    order = order[length[order] <= longest]
    if len(order) == 0:
        raise ValueError(f"no wave that is shorter than {longest:g} fits into {box!r}.")
    number = np.rint(length[order] / steps.min()).astype(np.int64)
    members = [order[number == shell] for shell in np.unique(number)]
    members = [some[_evenly(len(some), per_shell)] for some in members]
    shells = np.repeat(np.arange(len(members)), [len(some) for some in members])
    mean = np.array([length[some].mean() for some in members])
    return WaveVectors(vectors[np.concatenate(members)], shells, mean)


def waves_near(box: RepeatingBox, lengths: ArrayLike, per_length: int = 24) -> WaveVectors:
    """The waves of a box whose lengths are nearest to some, within half the shortest one."""
    wanted = np.atleast_1d(numbers_in("wave_numbers", lengths))
    if wanted.ndim != 1 or not (np.isfinite(wanted).all() and (wanted > 0.0).all()):
        raise ValueError(f"wave_numbers must be positive numbers, not {lengths!r}.")
    shortest = 2.0 * math.pi / max(box.sides)
    every = wave_vectors(box, float(wanted.max()) + shortest, per_shell=2**62)
    size = np.sqrt((every.vectors**2).sum(axis=1))
    members = []
    for one in wanted:
        near = np.flatnonzero(np.abs(size - one) <= 0.5 * shortest)
        if len(near) == 0:
            raise ValueError(f"no wave of {box!r} is within {0.5 * shortest:g} of {one:g}.")
        nearest = near[np.argsort(np.abs(size[near] - one), kind="stable")]
        members.append(nearest[:per_length])
    shells = np.repeat(np.arange(len(members)), [len(some) for some in members])
    mean = np.array([size[some].mean() for some in members])
    return WaveVectors(every.vectors[np.concatenate(members)], shells, mean)


def density_waves(position: ArrayLike, vectors: ArrayLike) -> Any:
    """The sums (m,) of exp(−i k·r) over points (n, d), for waves k (m, d)."""
    places, waves = np.asarray(position, np.float64), np.asarray(vectors, np.float64)
    sums = np.empty(len(waves), dtype=np.complex128)
    portion = max(1, PORTION // max(1, len(places)))
    for start in range(0, len(waves), portion):
        phase = places @ waves[start : start + portion].T
        sums[start : start + portion] = np.cos(phase).sum(axis=0) - 1j * np.sin(phase).sum(axis=0)
    return sums


def structure_factor(position: ArrayLike, waves: WaveVectors) -> Array:
    """S (shells,): the mean of |Σ exp(−i k·r)|² / n over the waves of each shell.

    It is 1 for random points, and n on the peaks of a lattice.
    """
    sums = density_waves(position, waves.vectors)
    return waves.mean((sums.real**2 + sums.imag**2) / len(np.asarray(position)))


def _evenly(number: int, most: int) -> Any:
    return np.unique(np.linspace(0, number - 1, min(number, most)).astype(np.int64))


def _refuse_shear(box: RepeatingBox) -> None:
    if box.offset != 0.0 or box.jump != 0.0:
        raise ValueError(f"the waves that fit into {box!r} change all the time; use a box at rest.")
