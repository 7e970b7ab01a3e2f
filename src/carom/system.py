"""System: particles, the domain they live in, their collision law and the forces on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import numbers_in, several
from carom.collisions import ByPair, Elastic
from carom.collisions.by_pair import tables_in
from carom.collisions.laws_by_pair import compiled_law
from carom.collisions.restitution import check_law
from carom.collisions.rough import makes_spin
from carom.compiled.components import in_floats
from carom.domains import Domain, LeesEdwards, Open, Plane
from carom.forces.force import check_force
from carom.html import system_card
from carom.particles import BEYOND, LARGEST, Array, Particles
from carom.read_only import seen_array, seen_particles
from carom.species import WALL
from carom.walls import Shape

# In a sheared box a particle passes its own image; beyond this share of its diameter rounding
# cannot let them touch.
SHEARED_GAP = 1e-8
# How many boxes a particle may be away at the start: they are counted in 32 bits, and what is left
# of its place within a box is rounded.
FURTHEST_BOX = 1e9


class System:
    """What is simulated; any method can run it.

    - ``particles``: a :class:`Particles`.
    - ``domain``: ``Periodic(lengths)``, ``Box(lengths, periodic="xy")``,
      ``LeesEdwards(lengths, shear_rate)`` or ``Open()``.
    - ``law``: the collision law, ``Elastic()`` when left out. Walls have it, too, unless they have
      a restitution of their own.
    - ``gravity``: an acceleration shared by all, a vector; or ``acceleration``: one per particle,
      shape (n, d).
    - ``walls``: further walls, :class:`Plane` or a shape of ``carom.walls``.
    - ``force``: a force that depends on position, velocity and time, ``carom.forces.LinearDrag``
      or one of your own; for the methods with fixed steps.

    - ``under_way``: whether the particles are those of a run that goes on, which may overlap as far
      as its method lets them; else they are those of a start.

    What cannot work is refused with a ``ValueError`` that names the particle and the remedy. A
    system keeps a copy of the particles and does not change; all that it hands out is read-only.
    """

    def __init__(
        self,
        particles: Particles,
        domain: Domain | None = None,
        *,
        law: Any = None,
        gravity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
        walls: Sequence[Plane | Shape] = (),
        force: Any = None,
        under_way: bool = False,
    ) -> None:
        if not isinstance(particles, Particles):
            raise TypeError(f"particles must be carom.Particles, not {type(particles).__name__}.")
        domain = Open() if domain is None else domain
        if not isinstance(domain, Domain):
            raise TypeError(
                "domain must be carom.Periodic, carom.Box, carom.LeesEdwards or carom.Open, not "
                f"{domain!r}."
            )
        law = Elastic() if law is None else law
        self._check_law(law, particles)
        if particles.angular_velocity is not None and not makes_spin(law):
            raise ValueError(
                f"the particles have angular velocities, but nothing changes them under {law!r}; "
                "use law=carom.RoughRestitution(...), or leave them out."
            )
        self.particles = seen_particles(particles.copy())
        self.domain = domain
        self.under_way = bool(under_way)
        # A table has made its laws so already.
        self.law = law if isinstance(law, ByPair) else in_floats(law)
        self.sides = domain.sides(self.dimension)
        self.periodic = domain.periodic_axes(self.dimension)
        self.gravity = _vector("gravity", gravity, self.dimension)
        self.acceleration = self._checked_acceleration(acceleration)
        walls = several("walls", walls)
        self.walls = tuple(self._checked_wall(k, wall) for k, wall in enumerate(walls))
        box_walls = domain.walls(self.dimension)
        self.box_walls = len(box_walls)
        self.further_planes = [wall for wall in self.walls if isinstance(wall, Plane)]
        self.planes = box_walls + self.further_planes
        self.shapes = tuple(wall for wall in self.walls if isinstance(wall, Shape))
        self._refuse_pairs_without_law()
        if force is not None:
            check_force(force, self.dimension)
            force = in_floats(force)
        self.force = force
        self._refuse_beyond_numbers()
        self._refuse_own_image()
        self._refuse_in_shear()
        self._is_complete = True

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, "_is_complete"):
            raise AttributeError(
                f"{name} stays as it is: simulations may be running this system. Make a new one "
                "with carom.System(...)."
            )
        super().__setattr__(name, value)

    def __copy__(self) -> System:
        return self  # it does not change

    def __deepcopy__(self, memo: dict[int, Any]) -> System:
        return self

    def __reduce__(self) -> Any:
        """For ``pickle``: made anew, so that it is read-only again."""
        return partial(System, **self._rest()), (self.particles, self.domain)

    def _rest(self) -> dict[str, Any]:
        """All but particles and domain."""
        names = ("law", "gravity", "acceleration", "walls", "force", "under_way")
        return {name: getattr(self, name) for name in names}

    def among(self, particles: Particles) -> System:
        """The same system with other particles, while a run is under way.

        Where no law makes particles spin, a method may: what it knows of that it hands on itself.
        """
        if particles.angular_velocity is not None and not makes_spin(self.law):
            particles = particles.only(slice(None))
            particles.angular_velocity = None
        return System(particles, self.domain, **self._rest() | {"under_way": True})

    def __repr__(self) -> str:
        parts = [f"{self.particles.described} in {self.domain!r}", repr(self.law)]
        if self.gravity is not None:
            parts.append(f"gravity {self.gravity.tolist()}")
        if self.acceleration is not None:
            parts.append("an acceleration for each")
        if self.has_walls:
            kinds = Counter(_wall_law(wall.restitution) for wall in self.numbered_walls)
            walls = (f"{n} wall{'s' if n > 1 else ''} {kind}" for kind, n in kinds.items())
            parts.append(" and ".join(walls))
        if self.force is not None:
            parts.append(f"force {self.force!r}")
        return f"<System: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        return system_card(self)

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return self.particles.dimension

    @property
    def volume(self) -> float:
        """Volume (in the plane: area) of the box; infinite for open space."""
        return float("inf") if self.sides is None else float(np.prod(self.sides))

    @property
    def packing_fraction(self) -> float:
        """The share of the box that the particles fill."""
        return self.particles.volume / self.volume

    @property
    def numbered_walls(self) -> list[Plane | Shape]:
        """All walls in the order of their numbers: those of the box, other planes, shapes."""
        return [*self.planes, *self.shapes]

    @property
    def has_walls(self) -> bool:
        """Whether there are any, of a box or others."""
        return bool(self.planes or self.shapes)

    @property
    def shear_rate(self) -> float:
        """That of a sheared box, else 0."""
        return self.domain.shear_rate if isinstance(self.domain, LeesEdwards) else 0.0

    def offset(self, time: float) -> float:
        """How far the images above are displaced along x in a sheared box, else 0."""
        if not isinstance(self.domain, LeesEdwards):
            return 0.0
        return self.domain.offset(self.dimension, time)

    @property
    def conserves_momentum(self) -> bool:
        """Whether nothing but the particles themselves changes the total momentum.

        In a sheared box this is the momentum relative to the mean flow.
        """
        fields = (self.gravity, self.acceleration, self.force)
        forced = any(field is not None for field in fields)
        return not self.has_walls and not forced

    @property
    def degrees_of_freedom(self) -> int:
        """d n, less d for the total momentum where it is conserved."""
        n = len(self.particles) - (1 if self.conserves_momentum else 0)
        return self.dimension * max(n, 1)

    def _check_law(self, law: Any, particles: Particles) -> None:
        for table in tables_in(law):
            table.refuse_other_names(particles.species_names)
        check_law(compiled_law(law, particles.species_names))

    def _refuse_pairs_without_law(self) -> None:
        """Refuse species that can meet, or reach a wall, where a table has no law for them."""
        names, present = self.particles.species_names, Counter(self.particles.species.tolist())
        for table in tables_in(self.law):
            for (a, one), (b, other) in combinations_with_replacement(enumerate(names), 2):
                # One alone meets no other of its kind.
                meet = min(present[a], present[b]) > (1 if a == b else 0)
                if meet and table.between(one, other) is None:
                    raise ValueError(_no_law(table, one, other))
            for a, one in enumerate(names):
                if self.has_walls and present[a] and table.at_wall(one) is None:
                    raise ValueError(_no_law(table, one, WALL))

    def _checked_acceleration(self, acceleration: ArrayLike | None) -> Array | None:
        if acceleration is None:
            return None
        if self.gravity is not None:
            raise ValueError(
                "Give either gravity (one vector for all) or acceleration (one per particle), not "
                "both; add gravity to each row of acceleration instead."
            )
        array = numbers_in("acceleration", acceleration)
        shape = self.particles.position.shape
        if array.shape != shape:
            raise ValueError(f"acceleration must have shape {shape}, not {array.shape}.")
        bad = ~np.isfinite(array).all(axis=1)
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            raise ValueError(f"acceleration of particle {i} is not finite: {array[i]}.")
        bad = np.abs(array).max(axis=1) > LARGEST
        if bad.any():
            i = int(np.flatnonzero(bad)[0])
            raise ValueError(f"acceleration of particle {i} {BEYOND}: {array[i]}.")
        return seen_array(array)

    def _checked_wall(self, k: int, wall: Plane | Shape) -> Plane | Shape:
        if isinstance(wall, Shape):
            return self._checked_shape(k, wall)
        if not isinstance(wall, Plane):
            raise TypeError(
                f"walls[{k}] must be a carom.Plane or a shape of carom.walls, not {wall!r}."
            )
        if len(wall.point) != self.dimension:
            raise ValueError(
                f"walls[{k}] is a plane in {len(wall.point)} dimensions, but the particles move in "
                f"{self.dimension}."
            )
        repeating = [
            axis
            for axis, repeats, component in zip("xyz", self.periodic, wall.normal, strict=False)
            if repeats and component != 0.0
        ]
        if repeating:
            raise ValueError(
                f"walls[{k}] has a normal {wall.normal} with a component along {repeating[0]}, "
                "which is periodic: the wall would have to repeat. Make that axis walled, or the "
                "normal perpendicular to it."
            )
        return wall

    def _checked_shape(self, k: int, wall: Shape) -> Shape:
        if self.dimension not in wall.dimensions:
            raise ValueError(
                f"walls[{k}] is {wall.described} for {wall.dimensions[0]} dimensions, but the "
                f"particles move in {self.dimension}."
            )
        for axis in range(self.dimension):
            if self.periodic[axis] and not wall.repeats_along(axis):
                raise ValueError(
                    f"walls[{k}], {wall.described} would have to repeat along {'xyz'[axis]}, which "
                    "is periodic. Make that axis walled; planes along it, and an endless "
                    "carom.walls.Cylinder, can stay."
                )
        wrong = wall.on_wrong_side(self.particles.position)
        if wrong.any():
            i, count = int(np.flatnonzero(wrong)[0]), int(wrong.sum())
            side = getattr(wall, "side", None)
            others = f", and so are {count - 1} others" if count > 1 else ""
            raise ValueError(
                f"particle {i} at {self.particles.position[i]} is not {side} walls[{k}], "
                f"{wall.described}{others}. Move it there, or leave out side={side!r}."
            )
        return wall

    def _refuse_beyond_numbers(self) -> None:
        """Refuse boxes, fields and places that floating-point numbers cannot tell apart."""
        if self.gravity is not None and np.abs(self.gravity).max() > LARGEST:
            raise ValueError(f"gravity={self.gravity} {BEYOND}.")
        if self.sides is None:
            return
        if abs(self.shear_rate) * max(self.sides) > LARGEST:
            raise ValueError(f"shear_rate={self.shear_rate:g} times the box {BEYOND}.")
        if len(self.particles) == 0:
            return
        for k, side in enumerate(self.sides):
            boxes = np.abs(self.particles.position[:, k]) / side
            i = int(np.argmax(boxes))
            if self.periodic[k] and boxes[i] > FURTHEST_BOX:
                raise ValueError(
                    f"particle {i} at {self.particles.position[i]} is {boxes[i]:.3g} boxes away "
                    f"along {'xyz'[k]}, further than {FURTHEST_BOX:g}: its place within a box "
                    "is lost by rounding. Move it into the box."
                )

    def _refuse_own_image(self) -> None:
        if self.sides is None or len(self.particles) == 0:
            return
        largest = int(np.argmax(self.particles.radius))
        radius = float(self.particles.radius[largest])
        for axis, side, repeats in zip("xyz", self.sides, self.periodic, strict=False):
            if 2.0 * radius > side:
                what = (
                    "would overlap its own image" if repeats else "does not fit between the walls"
                )
                raise ValueError(
                    f"particle {largest} has diameter {2 * radius:g} and {what}: the box is "
                    f"{side:g} long along {axis}. Use a larger box or smaller particles."
                )

    def _refuse_in_shear(self) -> None:
        if self.shear_rate == 0.0 or len(self.particles) == 0:
            return
        if self.gravity is not None or self.acceleration is not None:
            raise ValueError(
                "gravity and acceleration are not possible in a LeesEdwards box: the mean flow "
                "would gain speed without end instead of being steady. Leave them out, or use "
                "carom.Periodic."
            )
        assert self.sides is not None
        widest = 2.0 * float(self.particles.radius.max())
        if widest * (1.0 + SHEARED_GAP) > self.sides[1]:
            raise ValueError(
                f"a LeesEdwards box that is {self.sides[1]:g} long along y has no gap between a "
                f"particle of diameter {widest:g} and its own image, which slides past it. Use a "
                "longer box."
            )


def _no_law(table: ByPair, one: str, other: str) -> str:
    """What is said of two species that a table forgets."""
    return (
        f"law: {table!r} has no law for ({one!r}, {other!r}), which can meet. Add it, or give "
        "otherwise=..., a law for all other pairs."
    )


def _wall_law(restitution: float | None) -> str:
    """What a wall does, in words."""
    if restitution is None:
        return "with the law of the particles"
    return "elastic" if restitution == 1.0 else f"of restitution {restitution:g}"


def _vector(name: str, values: ArrayLike | None, dimension: int) -> Array | None:
    if values is None:
        return None
    vector = numbers_in(name, values)
    if vector.shape != (dimension,) or not np.isfinite(vector).all():
        raise ValueError(
            f"{name} must be a vector of {dimension} finite numbers, not {values!r}; for a "
            f"different one per particle use acceleration=."
        )
    return seen_array(vector)
