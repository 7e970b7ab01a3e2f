"""Particles and nodes: interpolation, spreading, and the nine-point stencil they make."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dense_flow import hats, laplacian
from hypothesis import given, settings
from hypothesis import strategies as st

from carom.fluids.solved import momentum_sources as sources
from carom.fluids.solved import nine_point

EPSILON = float(np.finfo(np.float64).eps)
LENGTHS = (1.5, 0.8)
PER_LENGTH = (1.0 / 1.5, 1.0 / 0.8)
SHAPES = [(3, 3), (3, 8), (6, 5)]


def particles(seed: int, number: int = 20) -> Any:
    """Positions, some beyond the box, on nodes and on its edge, and velocities and weights."""
    rng = np.random.default_rng(seed)
    position = rng.uniform(-0.3, 1.3, size=(number, 2)) * LENGTHS
    position[:3] = [(0.0, 0.0), (0.5, 0.0), (np.nextafter(1.5, 0.0), -1e-300)]
    return position, rng.normal(size=(number, 2)), rng.uniform(0.0, 3.0, size=number)


def field(seed: int, shape: tuple[int, int]) -> Any:
    return np.random.default_rng(seed).normal(size=(*shape, 2))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_interpolation_is_that_of_hat_functions(seed: int, shape: tuple[int, int]) -> None:
    """Coordinates in units of the node distance carry some EPSILON times the number of nodes."""
    position, _, _ = particles(seed)
    u, found = field(seed + 1, shape), np.empty((len(position), 2))
    sources.interpolate(position, PER_LENGTH, u, found)
    expected = hats(position, shape, LENGTHS) @ u.reshape(-1, 2)
    assert found == pytest.approx(expected, abs=30 * EPSILON * max(shape) * np.abs(u).max())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_spreading_is_the_adjoint_of_interpolation(seed: int, shape: tuple[int, int]) -> None:
    """⟨S u, s⟩ = ⟨u, Sᵀ s⟩ for the very same shares: only the order of sums differs."""
    position, strength, _ = particles(seed)
    u, felt, spread = field(seed + 1, shape), np.empty((len(position), 2)), np.zeros((*shape, 2))
    sources.interpolate(position, PER_LENGTH, u, felt)
    sources.spread(position, PER_LENGTH, strength, spread)
    size = np.abs(strength).sum() * np.abs(u).max()
    assert (felt * strength).sum() == pytest.approx((u * spread).sum(), abs=20 * EPSILON * size)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_spreading_keeps_the_total_force(seed: int, shape: tuple[int, int]) -> None:
    """The four shares of a particle add up to 1 within two roundings."""
    position, strength, _ = particles(seed)
    spread = np.zeros((*shape, 2))
    sources.spread(position, PER_LENGTH, strength, spread)
    size = np.abs(strength).sum()
    assert spread.sum(axis=(0, 1)) == pytest.approx(strength.sum(axis=0), abs=20 * EPSILON * size)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES))
def test_the_stencil_is_what_particles_do_one_by_one(seed: int, shape: tuple[int, int]) -> None:
    position, velocity, weight = particles(seed)
    u, spreading = field(seed + 1, shape), (0.7, 0.2)
    stencil, right = np.empty((*shape, 5)), np.zeros((*shape, 2))
    nine_point.fill(stencil, spreading)
    nine_point.add_particles(position, PER_LENGTH, velocity, weight, stencil, right)
    found = np.empty_like(u)
    inner = nine_point.apply(stencil, u, found)
    steps = [length / nodes for length, nodes in zip(LENGTHS, shape, strict=True)]
    # The Laplacian with the factors of its two directions, that differ from its own.
    of_x = laplacian((shape[0], 1), (LENGTHS[0], 1.0)) * steps[0] ** 2
    of_y = laplacian((1, shape[1]), (1.0, LENGTHS[1])) * steps[1] ** 2
    expected = u + spreading[0] * np.einsum("ij,jka->ika", of_x, u)
    expected += spreading[1] * np.einsum("ij,kja->kia", of_y, u)
    felt = np.empty_like(position)
    sources.interpolate(position, PER_LENGTH, u, felt)
    sources.spread(position, PER_LENGTH, weight[:, None] * felt, expected)
    size = (5.0 + weight.sum()) * np.abs(u).max()
    assert found == pytest.approx(expected, abs=20 * EPSILON * size)
    assert inner == pytest.approx((u * found).sum(), abs=20 * EPSILON * size * np.abs(u).sum())
    given = np.zeros_like(right)
    sources.spread(position, PER_LENGTH, weight[:, None] * velocity, given)
    assert (right == given).all()


def test_a_particle_at_a_node_touches_no_other() -> None:
    spread = np.zeros((6, 5, 2))
    sources.spread(np.array([[0.5, 0.16 * 2]]), PER_LENGTH, np.array([[2.0, -1.0]]), spread)
    assert spread[2, 2] == pytest.approx([2.0, -1.0], abs=20 * EPSILON)
    spread[2, 2] = 0.0
    assert np.abs(spread).max() <= 20 * EPSILON
