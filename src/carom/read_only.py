"""What is handed out to be looked at: arrays and particles that refuse a change in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from carom.particles import Array, Particles

INSTEAD = (
    "what a System or a Simulation hands out is read-only, since a change would not reach it. Give "
    "a simulation new velocities with sim.set_velocities(...), or change a copy, particles = "
    "sim.particles.copy(), and make a new System and a new Simulation of it."
)


class SeenArray(np.ndarray):
    """An array that says what to do instead, if it is not to be changed.

    What is computed from it is an ordinary array, and a copy of it behaves like one.
    """

    def __setitem__(self, key: Any, value: Any) -> None:
        _refuse(self)
        super().__setitem__(key, value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        for array in options.get("out", ()):
            _refuse(array)
        if "out" in options:
            options["out"] = tuple(map(_plain, options["out"]))
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

    def __repr__(self) -> str:
        return repr(_plain(self))


def _refuse(array: Any) -> None:
    if isinstance(array, SeenArray) and not array.flags.writeable:
        raise ValueError(INSTEAD)


def _plain(array: Any) -> Any:
    return array.view(np.ndarray) if isinstance(array, SeenArray) else array


class SeenParticles(Particles):
    """Particles that are not to be changed; ``copy()`` gives some that can be."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(INSTEAD)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(INSTEAD)

    def __reduce__(self) -> Any:
        if len(self) == 0:
            return Particles.none, (self.dimension, self.species_names)
        columns = (getattr(self, name) for name in Particles.COLUMNS)
        plain = tuple(None if one is None else _plain(one) for one in columns)
        return Particles, (*plain, self.species_names, _plain(self.identity))


def seen_array(array: Array) -> Array:
    """The same array, without a copy, not to be changed by anybody."""
    array.flags.writeable = False
    return array.view(SeenArray)


def seen_particles(particles: Particles) -> Particles:
    """The same particles, without a copy, not to be changed by anybody."""
    seen = object.__new__(SeenParticles)
    for name in (*Particles.COLUMNS, "identity"):
        column = getattr(particles, name)
        object.__setattr__(seen, name, None if column is None else seen_array(column))
    object.__setattr__(seen, "species_names", particles.species_names)
    return seen
