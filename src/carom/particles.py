"""Particles: positions, velocities, radii and masses, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import numbers_in
from carom.functions import power
from carom.html import particles_card
from carom.species import ONLY, Numbers, Species, number_of, numbered
from carom.types import Array as Array

# Sizes, masses and lengths are at least this, and no number is larger: fourth powers, which stand
# in the equations of contact, neither overflow nor vanish.
SMALLEST, LARGEST = 1e-75, 1e75
BEYOND = f"is beyond {LARGEST:g}, where squares of squares overflow; use other units"


class Particles:
    """n disks (positions of shape (n, 2)) or spheres (shape (n, 3)).

    ``radius`` and ``mass`` are one number or n of them; ``velocity`` is zero when left out.
    ``unwrapped`` are the positions without the jumps at periodic boundaries. Where a law makes
    particles spin, ``angular_velocity`` has shape (n,) for disks and (n, 3) for spheres; it is zero
    when left out, and None under other laws.

    ``species`` are names, one for all or n of them: ``species=["steel", "glass", ...]``. They are
    kept as small numbers, and ``species_names`` are the names by number, in the order in which they
    first appear. Numbers can be given as well, with ``species_names``. Left out, all are ``"A"``.

    ``identity`` are whole numbers that stay with the particles when others come and go, ascending;
    0 to n − 1 when left out.
    """

    __slots__ = (
        "angular_velocity",
        "identity",
        "mass",
        "position",
        "radius",
        "species",
        "species_names",
        "unwrapped",
        "velocity",
    )

    # In the order in which they are given.
    COLUMNS: ClassVar[tuple[str, ...]] = (
        "position",
        "velocity",
        "radius",
        "mass",
        "unwrapped",
        "angular_velocity",
        "species",
    )

    position: Array
    velocity: Array
    radius: Array
    mass: Array
    unwrapped: Array
    angular_velocity: Array | None
    species: Numbers
    species_names: tuple[str, ...]
    identity: Any

    def __init__(
        self,
        position: ArrayLike,
        velocity: ArrayLike | None = None,
        radius: ArrayLike = 0.5,
        mass: ArrayLike = 1.0,
        unwrapped: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        species: Species = None,
        species_names: Sequence[str] | None = None,
        identity: ArrayLike | None = None,
    ) -> None:
        self.position = _rows("position", position)
        n, dimension = self.position.shape
        self.velocity = (
            np.zeros((n, dimension)) if velocity is None else _like(self, "velocity", velocity)
        )
        self.radius = _per_particle("radius", radius, n)
        self.mass = _per_particle("mass", mass, n)
        self.unwrapped = (
            self.position.copy() if unwrapped is None else _like(self, "unwrapped", unwrapped)
        )
        self.angular_velocity = None if angular_velocity is None else _spins(self, angular_velocity)
        self.species, self.species_names = numbered(species, species_names, n)
        self.identity = _identities(identity, n)

    @staticmethod
    def none(dimension: int = 3, species_names: Sequence[str] | None = None) -> Particles:
        """No particles at all, for a run into which an ``Inlet`` brings them."""
        if dimension not in (2, 3):
            raise ValueError(f"dimension must be 2 or 3, not {dimension!r}.")
        nobody = object.__new__(Particles)
        for name in ("position", "velocity", "unwrapped"):
            setattr(nobody, name, np.empty((0, dimension)))
        nobody.radius, nobody.mass = np.empty(0), np.empty(0)
        nobody.angular_velocity = None
        names = None if species_names is None else np.empty(0, dtype=np.int16)
        nobody.species, nobody.species_names = numbered(names, species_names, 0)
        nobody.identity = np.empty(0, dtype=np.int64)
        return nobody

    def copy(self) -> Particles:
        """The same particles in arrays of their own, which can be changed."""
        if len(self) == 0:
            return self.only(slice(None))
        columns: dict[str, Any] = {name: getattr(self, name) for name in self.COLUMNS}
        return Particles(**columns, species_names=self.species_names, identity=self.identity)

    def only(self, which: Any) -> Particles:
        """Some of the particles, by an array of True and False or of their places, as copies."""
        chosen = object.__new__(Particles)
        for name in (*self.COLUMNS, "identity"):
            column = getattr(self, name)
            setattr(chosen, name, None if column is None else np.array(column[which]))
        chosen.species_names = self.species_names
        return chosen

    def with_velocity(self, velocity: ArrayLike) -> Particles:
        """The same particles at the same places, with other velocities and without spins."""
        if len(self) == 0:
            return self.copy()
        return Particles(
            self.position,
            velocity,
            self.radius,
            self.mass,
            species=self.species,
            species_names=self.species_names,
            identity=self.identity,
        )

    def of_species(self, name: str) -> Any:
        """Which particles are of a species, an array of True and False."""
        return self.species == number_of(name, self.species_names)

    def __len__(self) -> int:
        return len(self.position)

    def __repr__(self) -> str:
        sizes = f"radius {_span(self.radius)}, mass {_span(self.mass)}"
        return f"<Particles: {self.described}, {sizes}{self._mixture}>"

    def _repr_html_(self) -> str:
        return particles_card(self)

    @property
    def _mixture(self) -> str:
        """How many are of which species, if any was named."""
        if self.species_names == (ONLY,):
            return ""
        numbers = np.bincount(self.species, minlength=len(self.species_names))
        parts = zip(numbers, self.species_names, strict=True)
        return ", " + " and ".join(f"{n} {name}" for n, name in parts)

    @property
    def described(self) -> str:
        """How many they are, and of what kind."""
        kind = "disk" if self.dimension == 2 else "sphere"
        return f"{len(self)} {kind}" if len(self) == 1 else f"{len(self)} {kind}s"

    @property
    def dimension(self) -> int:
        """2 for disks, 3 for spheres."""
        return int(self.position.shape[1])

    @property
    def volume(self) -> float:
        """The volume (in the plane: the area) of all particles."""
        unit = np.pi if self.dimension == 2 else 4.0 / 3.0 * np.pi
        return float(unit * power(self.radius, self.dimension).sum())

    @property
    def momentum(self) -> Array:
        """The total momentum, shape (d,)."""
        # Summed along contiguous rows, which NumPy does in pairs, with less rounding.
        return np.multiply(self.velocity.T, self.mass, order="C").sum(axis=1)

    @property
    def kinetic_energy(self) -> float:
        """Half the sum of m v²."""
        return 0.5 * sum_of_squares(self.mass, self.velocity)

    @property
    def moment_of_inertia(self) -> Array:
        """About an axis through the centre, of homogeneous disks or spheres, shape (n,)."""
        return inertia_factor(self.dimension) * self.mass * self.radius**2

    @property
    def rotational_energy(self) -> float:
        """Half the sum of I ω²; zero for particles that do not spin."""
        if self.angular_velocity is None:
            return 0.0
        return 0.5 * sum_of_squares(
            self.moment_of_inertia, self.angular_velocity.reshape(len(self), -1)
        )

    @property
    def angular_momentum(self) -> Any:
        """The sum of m x × v + I ω about the origin: a number for disks, shape (3,) for spheres.

        Positions are the unwrapped ones.
        """
        momentum = self.mass[:, None] * self.velocity
        x = self.unwrapped
        spin = 0.0
        if self.angular_velocity is not None:
            spin = (self.moment_of_inertia * self.angular_velocity.T).T.sum(axis=0)
        if self.dimension == 2:
            return float((x[:, 0] * momentum[:, 1] - x[:, 1] * momentum[:, 0]).sum() + spin)
        return np.cross(x, momentum).sum(axis=0) + spin


def inertia_factor(dimension: int) -> float:
    """I / (m r²) of a homogeneous disk or sphere."""
    return 0.5 if dimension == 2 else 0.4


def sum_of_squares(mass: Array, velocity: Array) -> float:
    """The sum of m v²."""
    return float((mass * np.einsum("ij,ij->i", velocity, velocity)).sum())


def _numbers(name: str, values: ArrayLike) -> Array:
    return numbers_in(name, values)  # a copy: the caller's arrays stay theirs


def _rows(name: str, values: ArrayLike) -> Array:
    array = _numbers(name, values)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"{name} must have shape (n, 2) or (n, 3), not {array.shape}.")
    if len(array) == 0:
        raise ValueError(
            f"{name} is empty; at least one particle is needed. Where an Inlet brings them, begin "
            "with carom.Particles.none(dimension)."
        )
    if not np.isfinite(array).all():
        _refuse_rows(name, array, ~np.isfinite(array).all(axis=1), "is not finite")
    if np.abs(array).max() > LARGEST:
        _refuse_rows(name, array, np.abs(array).max(axis=1) > LARGEST, BEYOND)
    return np.ascontiguousarray(array)


def _like(particles: Particles, name: str, values: ArrayLike) -> Array:
    array = _rows(name, values)
    if array.shape != particles.position.shape:
        raise ValueError(
            f"{name} has shape {array.shape}, but position has {particles.position.shape}."
        )
    return array


def _spins(particles: Particles, values: ArrayLike) -> Array:
    array = _numbers("angular_velocity", values)
    shape = (len(particles),) if particles.dimension == 2 else (len(particles), 3)
    if array.shape != shape:
        raise ValueError(f"angular_velocity must have shape {shape}, not {array.shape}.")
    bad = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
    _refuse_rows("angular_velocity", array, bad, "is not finite")
    bad = np.abs(array.reshape(len(array), -1)).max(axis=1) > LARGEST
    _refuse_rows("angular_velocity", array, bad, BEYOND)
    return np.ascontiguousarray(array)


def _identities(values: Any, n: int) -> Any:
    if values is None:
        return np.arange(n)
    given = np.array(values)
    if given.shape != (n,) or given.dtype.kind not in "iu" or (np.diff(given) <= 0).any():
        raise ValueError(
            f"identity must be {n} whole numbers, each larger than the one before, not "
            f"{given.tolist() if given.size < 5 else given.shape!r}."
        )
    return given.astype(np.int64)


def _per_particle(name: str, values: ArrayLike, n: int) -> Array:
    array = _numbers(name, values)
    if array.ndim == 0:
        array = np.full(n, float(array))
    if array.shape != (n,):
        raise ValueError(f"{name} must be one number or {n} of them, not shape {array.shape}.")
    _refuse_rows(name, array, ~(np.isfinite(array) & (array > 0)), "must be positive and finite")
    bad = (array < SMALLEST) | (array > LARGEST)
    complaint = f"is not between {SMALLEST:g} and {LARGEST:g}; use other units"
    _refuse_rows(name, array, bad, complaint)
    return np.ascontiguousarray(array)


def _refuse_rows(name: str, array: Array, bad: Any, complaint: str) -> None:
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        more = int(bad.sum()) - 1
        others = f" ({more} more like it)" if more else ""
        raise ValueError(f"{name} of particle {i} {complaint}: {array[i]}{others}.")


def _span(values: Array) -> str:
    """The number that all are, or the least and the largest."""
    if len(values) == 0:
        return "of none"
    least, largest = f"{values.min():g}", f"{values.max():g}"
    return least if least == largest else f"{least} to {largest}"
