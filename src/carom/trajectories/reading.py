"""A frame of a file as the start of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from carom.checks import check_one_of, is_whole
from carom.domains import Box, Domain, LeesEdwards, Open, Periodic
from carom.particles import Array, Particles
from carom.trajectories.formats import frames
from carom.trajectories.frame import Cell, Frame

# Of the length of a box: by so much a frame in single precision may lean and be upright.
UPRIGHT = 1e-6


def read(
    path: str | Path,
    frame: int = -1,
    *,
    radius: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    domain: Domain | None = None,
    dimension: int | None = None,
    species_names: Sequence[str] | None = None,
) -> tuple[Particles, Domain]:
    """A frame of a trajectory, of a LAMMPS data file or of an XYZ file, as the start of a run.

    Returns particles and their domain, as ``carom.packings`` do:
    ``carom.System(*carom.read("run.xyz"), law=...)``. Frames are counted from 0, and from the end
    with -1.

    - ``radius``, ``mass``: instead of those in the file, one number or one for each. Files that
      say nothing of radii, such as plain XYZ, need it; masses that nobody names are one.
    - ``domain``: instead of that of the file. The lower corner of the file's box is moved to the
      origin, where boxes of carom begin.
    - ``dimension``: 2 leaves z away, if the file does not say by itself that it is planar.
    - ``species_names``: for the types of the file, in their order.

    Walls have the law of the system; what a domain knew of their restitution is in no trajectory.
    GSD files hold single precision: of particles that touch, some overlap by its rounding, and
    hard ones are refused then. All other formats keep all digits.
    """
    if not is_whole(frame):
        raise ValueError(f"read: frame must be a whole number, such as -1, not {frame!r}.")
    read_frame: Frame = frames(path)[frame]
    if dimension is not None:
        check_one_of("read: dimension", str(dimension), ("2", "3"))
        read_frame = in_dimension(read_frame, int(dimension))
    return start_of_frame(read_frame, str(path), radius, mass, domain, species_names)


def start_of_frame(
    frame: Frame,
    place: str,
    radius: ArrayLike | None = None,
    mass: ArrayLike | None = None,
    domain: Domain | None = None,
    species_names: Sequence[str] | None = None,
) -> tuple[Particles, Domain]:
    """Particles and a domain from a frame; ``place`` is said where it cannot be a start."""
    radius = frame.radius if radius is None else radius
    if radius is None:
        raise ValueError(f"{place} says nothing of radii; give them: radius=0.5, or one for each.")
    _refuse_leaning(frame.cell, place)
    found = domain_of(frame.cell)
    lower = np.zeros(frame.dimension) if frame.cell.is_open else frame.cell.lower
    position, unwrapped = frame.position - lower, frame.unwrapped - lower
    given = found if domain is None else domain
    position = inside(position, given.sides(frame.dimension), given.periodic_axes(frame.dimension))
    particles = Particles(
        position,
        frame.velocity,
        radius,
        frame.mass if mass is None else mass,
        unwrapped if domain is None else None,
        species=frame.species,
        species_names=frame.species_names if species_names is None else species_names,
    )
    return particles, given


def domain_of(cell: Cell) -> Domain:
    """The domain that a box of a file is, as far as it says."""
    if cell.is_open:
        return Open()
    lengths = tuple(float(side) for side in cell.sides)
    if cell.shear_rate != 0.0:
        return LeesEdwards(lengths, cell.shear_rate)
    if all(cell.periodic):
        return Periodic(lengths)
    axes = zip("xyz", cell.periodic, strict=False)
    return Box(lengths, periodic="".join(axis for axis, repeats in axes if repeats))


def inside(position: Array, sides: Sequence[float] | None, periodic: Sequence[bool]) -> Array:
    """Positions moved by whole boxes into the one from the origin on, where boxes repeat."""
    if sides is None:
        return position
    lengths = np.asarray(sides, dtype=np.float64)
    moved = position - np.floor(position / lengths) * lengths
    moved[moved >= lengths] = 0.0  # what was just below zero is rounded up
    return np.asarray(np.where(periodic, moved, position))


def in_dimension(frame: Frame, dimension: int) -> Frame:
    """A frame without its third axis, if only two are wanted."""
    if dimension > frame.dimension:
        raise ValueError(f"read: dimension={dimension}, but the file has {frame.dimension} only.")
    cell = frame.cell
    return frame._replace(
        cell=cell._replace(
            lower=cell.lower[:dimension],
            sides=cell.sides[:dimension],
            boundaries=cell.boundaries[:dimension],
        ),
        position=frame.position[:, :dimension],
        image=frame.image[:, :dimension],
        velocity=frame.velocity[:, :dimension],
    )


def _refuse_leaning(cell: Cell, place: str) -> None:
    if abs(cell.offset) > UPRIGHT * abs(cell.sides[0]):
        # Files of LAMMPS do not say whether a box that leans is being sheared.
        still = (
            " A box that leans in all frames, or in the one of a data file, is made upright in "
            "LAMMPS: 'change_box all xy final 0 remap', then 'write_data'."
        )
        raise ValueError(
            f"{place}: the box of this frame leans by {cell.offset:g} along x, and a run begins "
            "with an upright one. Take a frame in which it is upright, such as frame=0, or go on "
            "from a checkpoint with carom.load." + ("" if cell.shear_rate else still)
        )
