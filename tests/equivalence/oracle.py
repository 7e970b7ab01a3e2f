"""A brute-force event-driven engine in 50 decimal digits: plain, slow, independent of carom.

Positions are never wrapped into the box; instead every pair is tested with as many periodic images
as it could reach before the event that is found. Contacts are roots of textbook formulas, which at
this precision lose nothing that matters.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from mpmath import ceil, floor, inf, mp, mpf, sqrt

import carom

DIGITS = 50
EPSILON = float(np.finfo(np.float64).eps)
# After a collision round-off leaves a pair apart or overlapping by 1e-50 or so; roots this near
# to now belong to the contact that has just been handled.
NOW = mpf(10) ** -40
FAR = 1e6

Vector = list[Any]


class Event(NamedTuple):
    """A collision: its time, the particle, and the partner (-1 - k for wall k)."""

    time: Any
    i: int
    j: int


class Wall(NamedTuple):
    """A plane with a unit normal and a restitution."""

    point: Vector
    normal: Vector
    restitution: Any


def dot(a: Vector, b: Vector) -> Any:
    """a . b"""
    return sum(x * y for x, y in zip(a, b, strict=True))


def combined(a: Vector, factor: Any, b: Vector) -> Vector:
    """a + factor b"""
    return [x + factor * y for x, y in zip(a, b, strict=True)]


def first_closing_root(a: Any, b: Any, c: Any) -> Any:
    """The first t >= 0 at which a t² + b t + c falls through zero, or infinity."""
    if a == 0:
        return -c / b if b < 0 and -c / b > -NOW else inf
    discriminant = b * b - 4 * a * c
    if discriminant <= 0:
        return inf
    root = sqrt(discriminant)
    # The slope at (-b + s) / 2 a is s, so that the falling root is the one with s = -root.
    t = (-b - root) / (2 * a)
    return t if t > -NOW else inf


def _coefficient(plane: carom.Plane, law: carom.ConstantRestitution) -> Any:
    """The restitution of a wall, which is that of the law if it has none of its own."""
    return mpf(law.coefficient if plane.restitution is None else plane.restitution)


class Oracle:
    """The particles of a carom system with constant restitution, in 50 digits.

    ``shaken`` moves every coordinate and velocity up or down by so much of the largest of them.
    """

    def __init__(self, system: carom.System, shaken: float = 0.0, seed: int = 0) -> None:
        mp.dps = DIGITS
        particles = system.particles
        sign = random.Random(seed).choice

        def exact(rows: Any) -> list[Vector]:
            step = mpf(shaken * abs(rows).max())
            return [[mpf(float(x)) + sign([-1, 1]) * step for x in row] for row in rows]

        self.time = mpf(0)
        self.position = exact(particles.position)
        self.velocity = exact(particles.velocity)
        self.radius = [mpf(float(r)) for r in particles.radius]
        self.mass = [mpf(float(m)) for m in particles.mass]
        self.restitution = mpf(system.law.coefficient)
        self.gravity = [mpf(0)] * particles.dimension
        if system.gravity is not None:
            self.gravity = [mpf(float(g)) for g in system.gravity]
        self.lengths: list[Any] = [
            mpf(side) if repeats else None
            for side, repeats in zip(
                system.sides or [0.0] * particles.dimension, system.periodic, strict=True
            )
        ]
        self.walls = [
            Wall(
                [mpf(x) for x in plane.point], _unit(plane.normal), _coefficient(plane, system.law)
            )
            for plane in system.planes
        ]

    def events(self, number: int) -> list[Event]:
        """Carry out so many events; the list of them."""
        return [self._step() for _ in range(number)]

    def _step(self) -> Event:
        duration, i, j, shift = self._next()
        for k, v in enumerate(self.velocity):
            flown = combined(v, duration / 2, self.gravity)
            self.position[k] = combined(self.position[k], duration, flown)
            self.velocity[k] = combined(v, duration, self.gravity)
        self.time += duration
        if j < 0:
            self._reflect(i, self.walls[-1 - j])
        else:
            self._exchange(i, j, shift)
        return Event(self.time, i, j)

    def _next(self) -> tuple[Any, int, int, Vector]:
        """Duration, particle, partner and image shift of the next event."""
        horizon = mpf(0.1)
        while horizon < FAR:
            best = min(
                itertools.chain(self._wall_events(), self._pair_events(horizon)),
                key=lambda event: event[0],
                default=(inf, -1, -1, []),
            )
            if best[0] <= horizon:
                return best
            horizon *= 2
        raise RuntimeError(f"nothing happens within {FAR} after {self.time}")

    def _wall_events(self) -> Iterator[tuple[Any, int, int, Vector]]:
        for i, (k, wall) in itertools.product(range(len(self.position)), enumerate(self.walls)):
            yield self._time_to_wall(i, wall), i, -1 - k, []

    def _pair_events(self, horizon: Any) -> Iterator[tuple[Any, int, int, Vector]]:
        """The contacts of all pairs with all images that they can reach up to the horizon."""
        for i, j in itertools.combinations(range(len(self.position)), 2):
            separation = combined(self.position[i], -1, self.position[j])
            velocity = combined(self.velocity[i], -1, self.velocity[j])
            sigma = self.radius[i] + self.radius[j]
            square = dot(velocity, velocity)
            for shift in self._reachable(separation, velocity, sigma, horizon):
                apart = combined(separation, 1, shift)
                rate = 2 * dot(velocity, apart)
                if rate < 0:
                    gap = dot(apart, apart) - sigma * sigma
                    yield first_closing_root(square, rate, gap), i, j, shift

    def _time_to_wall(self, i: int, wall: Wall) -> Any:
        height = dot(wall.normal, combined(self.position[i], -1, wall.point))
        side = 1 if height > 0 else -1
        rate, fall = (side * dot(wall.normal, v) for v in (self.velocity[i], self.gravity))
        return first_closing_root(fall / 2, rate, side * height - self.radius[i])

    def _reachable(
        self, separation: Vector, velocity: Vector, sigma: Any, horizon: Any
    ) -> Iterator[Vector]:
        """The shifts of all images that come within sigma along every axis up to the horizon."""
        ranges = []
        for x, v, length in zip(separation, velocity, self.lengths, strict=True):
            if length is None:
                ranges.append([mpf(0)])
                continue
            low = min(x, x + horizon * v) - sigma
            high = max(x, x + horizon * v) + sigma
            boxes = range(int(ceil(-high / length)), int(floor(-low / length)) + 1)
            ranges.append([k * length for k in boxes])
        return (list(shift) for shift in itertools.product(*ranges))

    def _exchange(self, i: int, j: int, shift: Vector) -> None:
        separation = combined(combined(self.position[i], -1, self.position[j]), 1, shift)
        velocity = combined(self.velocity[i], -1, self.velocity[j])
        reduced = self.mass[i] * self.mass[j] / (self.mass[i] + self.mass[j])
        along = dot(velocity, separation) / dot(separation, separation)
        push = -(1 + self.restitution) * reduced * along
        self.velocity[i] = combined(self.velocity[i], push / self.mass[i], separation)
        self.velocity[j] = combined(self.velocity[j], -push / self.mass[j], separation)

    def _reflect(self, i: int, wall: Wall) -> None:
        rate = dot(self.velocity[i], wall.normal)
        self.velocity[i] = combined(self.velocity[i], -(1 + wall.restitution) * rate, wall.normal)


def _unit(normal: Any) -> Vector:
    vector = [mpf(x) for x in normal]
    length = sqrt(dot(vector, vector))
    return [x / length for x in vector]


def rounding_grown(system: carom.System, events: list[Event], kind: type[Oracle] = Oracle) -> Any:
    """How far rounding may have moved each event of a run in double precision.

    An event rounds positions, velocities and its time by a few units in the last place, which
    moves it by the rounding of a coordinate over a typical speed. Each of these errors grows at
    most like one at the start, which is measured here: by how much the events move, at most so
    far, when the start is shaken by half a unit.
    """
    start = system.particles
    speed = np.sqrt((start.velocity**2).sum(axis=1).mean())
    largest = np.full(len(events), EPSILON * abs(start.position).max() / speed)
    for seed in (1, 2):
        shaken = kind(system, EPSILON / 2, seed).events(len(events))
        assert [event[1:] for event in events] == [event[1:] for event in shaken]
        moved = [abs(float(a.time - b.time)) for a, b in zip(events, shaken, strict=True)]
        largest = np.maximum(largest, moved)
    return 4.0 * np.arange(1, len(events) + 1) * np.maximum.accumulate(largest)


def assert_same_events(
    log: carom.CollisionLog, expected: list[Event], tolerance: Any, label: str
) -> None:
    """Compare the first collisions of a log with events: the same order, times up to rounding."""
    n = len(expected)
    found = list(zip(log["i"][:n].tolist(), log["j"][:n].tolist(), strict=True))
    assert found == [(event.i, event.j) for event in expected], label
    errors = [
        abs(float(event.time - time))
        for event, time in zip(expected, log["time"][:n].tolist(), strict=True)
    ]
    worst = int(np.argmax(errors / tolerance))
    assert errors[worst] <= tolerance[worst], (label, worst, errors[worst], tolerance[worst])
