"""The three series of systems of Muth, Müller, Eberhard & Luding 2007, sections 3.1 to 3.3.

The paper gives sizes, stiffnesses, densities, time steps and cell sizes. It does not give speeds:
here all particles of a system have the same thermal speed, such that a contact between particles of
the mean size at that relative speed reaches an overlap of 1 % of the radius. A particle then
moves by some 10^-5 of its radius in a step. The containers have walls.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

import carom
from carom.functions import power, standard_normal

OVERLAP = 0.01  # of the mean radius, at the thermal speed
PLACES = 0.30  # area fraction at which disks find their first places
RELAXING = 4_000  # steps in which dense disks make room for each other
RELAXING_RESTITUTION = 0.1
CANDIDATES = 4  # places tried at once, per particle that still needs one


class Series(NamedTuple):
    """What the systems of a series share."""

    name: str
    section: str
    dimension: int
    radius: float  # m, the mean or largest one
    stiffness: float  # N/m
    density: float  # kg/m^d
    dt: float  # s
    cell_size: float  # m


class Case(NamedTuple):
    """One system of a series."""

    n: int
    cells: tuple[int, ...]  # of the container, along each axis
    size_ratio: int = 1  # R/r, where some particles are fractured


PLANAR = Series("planar", "3.1", 2, 1e-3, 1e7, 7000.0, 1e-7, 7e-3)
SPATIAL = Series("spatial", "3.2", 3, 5e-4, 1e5, 1e10, 1e-5, 2e-3)
FRACTURED = Series("fractured", "3.3", 3, 0.01, 4e6, 7000.0, 4e-7, 0.033)

BEFORE = 1000  # particles, before any was fractured
WIDTH = 0.5  # of the distribution of radii in the planar series, over the mean

# Twice the particles in twice the cells, 9.75 in each: the area fraction is 0.677 throughout.
PLANAR_CASES = (
    Case(244, (5, 5)),
    Case(488, (5, 10)),
    Case(975, (10, 10)),
    Case(1950, (10, 20)),
    Case(3900, (20, 20)),
    Case(7800, (20, 40)),
)
# The paper does not say how large the containers are. Whole numbers of cells that keep the volume
# fraction near 0.28 hold four particles or so each; it recommends about three.
SPATIAL_CASES = tuple(
    Case(n, (across,) * 3)
    for n, across in zip(
        (512, 2197, 5832, 12167, 21952, 35937, 59320), (5, 8, 11, 14, 17, 20, 24), strict=True
    )
)
# A container of 10 x 10 x 10 cells makes the volume fraction 0.117.
FRACTURED_CASES = tuple(
    Case(n, (10, 10, 10), ratio)
    for ratio, n in enumerate((1000, 4451, 14676, 32374, 65480), start=1)
)


def lengths_of(series: Series, case: Case) -> np.ndarray:
    """The sides of the container."""
    return series.cell_size * np.array(case.cells, dtype=float)


def solid_fraction(series: Series, case: Case, radius: np.ndarray) -> float:
    """The part of the container that the particles fill."""
    unit = math.pi if series.dimension == 2 else 4.0 / 3.0 * math.pi
    volume = unit * float(power(radius, series.dimension).sum())
    return volume / float(np.prod(lengths_of(series, case)))


def whole_and_fragments(n: int, size_ratio: int) -> tuple[int, int]:
    """How many of the particles before are still whole, and how many fragments there are.

    n = N_R + N_r, and the volume is conserved: 1000 = N_R + N_r / (R/r)^3. All counts of the paper
    have a solution in whole numbers.
    """
    if size_ratio == 1:
        return n, 0
    per_particle = size_ratio**3
    broken, rest = divmod(n - BEFORE, per_particle - 1)
    if rest:
        raise ValueError(f"no whole number of broken particles makes {n} of {BEFORE}.")
    return BEFORE - broken, broken * per_particle


def radii_of(series: Series, case: Case, rng: np.random.Generator) -> np.ndarray:
    """The radii: spread evenly, equal, or those of whole particles and then of fragments.

    The spread ones are the quantiles of the paper's distribution in random order, so that the area
    fraction does not depend on luck.
    """
    if series is PLANAR:
        quantiles = (rng.permutation(case.n) + 0.5) / case.n
        return series.radius * (1.0 - WIDTH + 2.0 * WIDTH * quantiles)
    counts = whole_and_fragments(case.n, case.size_ratio)
    return np.repeat([series.radius, series.radius / case.size_ratio], counts)


def thermal_speed(series: Series) -> float:
    """The root mean square of a component of the velocities."""
    mass = mass_of(series, np.array([series.radius]))[0]
    return OVERLAP * series.radius * math.sqrt(series.stiffness / (0.5 * mass))


def mass_of(series: Series, radius: np.ndarray) -> np.ndarray:
    """Masses from the density."""
    unit = math.pi if series.dimension == 2 else 4.0 / 3.0 * math.pi
    return series.density * unit * power(radius, series.dimension)


def system_of(series: Series, case: Case, seed: int = 1) -> carom.System:
    """The system at its start."""
    rng = np.random.default_rng(seed)
    lengths = lengths_of(series, case)
    radius = radii_of(series, case, rng)
    if series is PLANAR:
        position = _made_room(series, radius, lengths, rng)
    else:
        position = places(radius, lengths, rng)
    velocity = thermal_speed(series) * standard_normal(rng, position.shape)
    particles = carom.Particles(position, velocity, radius, mass_of(series, radius))
    return carom.System(particles, carom.Box(tuple(lengths)))


def places(radius: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Random places between walls at which nothing overlaps, the largest size first."""
    position = np.empty((len(radius), len(lengths)))
    trees: list[tuple[float, cKDTree]] = []
    for size in np.unique(radius)[::-1]:
        chosen = _places_of_one_size(
            int(np.count_nonzero(radius == size)), size, lengths, trees, rng
        )
        position[radius == size] = chosen
        trees.append((size, cKDTree(chosen)))
    return position


def _places_of_one_size(
    n: int,
    size: float,
    lengths: np.ndarray,
    trees: list[tuple[float, cKDTree]],
    rng: np.random.Generator,
) -> np.ndarray:
    """Random sequential addition, many candidates at once: the earlier of two keeps its place."""
    chosen = np.empty((0, len(lengths)))
    while len(chosen) < n:
        tried = CANDIDATES * (n - len(chosen)) + 100
        candidates = rng.uniform(size, lengths - size, (tried, len(lengths)))
        own = [(size, cKDTree(chosen))] if len(chosen) else []
        for other, tree in [*trees, *own]:
            candidates = candidates[tree.query(candidates)[0] > size + other]
        pairs = cKDTree(candidates).query_pairs(2.0 * size, output_type="ndarray")
        free = np.ones(len(candidates), dtype=bool)
        free[pairs.max(axis=1)] = False
        chosen = np.concatenate([chosen, candidates[free]])[:n]
    return chosen


def _made_room(
    series: Series, radius: np.ndarray, lengths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Places of a dense system: equal small disks at random, which swell and push each other."""
    small = math.sqrt(PLACES * float(np.prod(lengths)) / (math.pi * len(radius)))
    start = places(np.full(len(radius), small), lengths, rng)
    start = np.clip(start, radius[:, None], lengths - radius[:, None])
    particles = carom.Particles(start, None, radius, mass_of(series, radius))
    method = carom.SoftContacts(stiffness=series.stiffness, restitution=RELAXING_RESTITUTION)
    # Elastic walls: only what the disks do to each other has to calm down.
    system = carom.System(particles, carom.Box(tuple(lengths), restitution=1.0))
    simulation = carom.Simulation(system, method=method)
    contact = math.pi * math.sqrt(0.5 * float(particles.mass.mean()) / series.stiffness)
    simulation.run(duration=RELAXING / 25 * contact, progress=False)
    return simulation.particles.position
