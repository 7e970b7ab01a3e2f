"""What is in layers across a direction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from carom.particles import Array, Particles
from carom.statistics.shells import unit_ball


class LayerSums(NamedTuple):
    """Sums over the particles whose centres are in each layer."""

    number: Array  # (layers,)
    mass: Array  # (layers,)
    momentum: Array  # (layers, d)
    squares: Array  # (layers,) Σ m v²
    volume: Array  # (layers,) of their own, as far as each counts for the layer of its centre


def layer_sums(particles: Particles, axis: int, edges: Array) -> LayerSums:
    """The sums between edges along an axis; what lies outside them counts for the next layer."""
    layers = len(edges) - 1
    place = np.searchsorted(edges, particles.position[:, axis], side="right") - 1
    place = np.clip(place, 0, layers - 1)
    mass, velocity = particles.mass, particles.velocity

    def total(values: Array) -> Array:
        return np.asarray(np.bincount(place, values, minlength=layers), np.float64)

    squares = mass * np.einsum("ij,ij->i", velocity, velocity)
    momentum = np.stack([total(mass * column) for column in velocity.T], axis=1)
    volume = unit_ball(velocity.shape[1]) * particles.radius ** velocity.shape[1]
    return LayerSums(
        total(np.ones(len(mass))), total(mass), momentum, total(squares), total(volume)
    )
