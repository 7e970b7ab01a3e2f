"""Random starting states of all kinds, and the collisions that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import carom

ALGORITHMS = ("simple", "collision_list", "heap", "cells")
TRIES = 20_000  # at a place for a particle, until there is no room


class NoRoom(Exception):
    """Random addition has come to its end before all particles had a place."""


def mixture(
    n: int, domain: Any, rng: np.random.Generator, dimension: int, spread: float = 0.4
) -> carom.Particles:
    """n particles of unequal radii (mean 0.5) and masses at random places without overlap;
    ``NoRoom`` where the first ones leave none for the others."""
    radius = 0.5 + spread * rng.uniform(-0.5, 0.5, n)
    mass = rng.uniform(0.5, 3.0, n)
    lengths = np.array(domain.sides(dimension))
    repeats = np.array(domain.periodic_axes(dimension))
    placed: list[Any] = []
    for k in range(n):
        margin = np.where(repeats, 0.0, radius[k])
        for _ in range(TRIES):
            place = rng.uniform(margin, lengths - margin)
            if all(
                _gap(place - other, lengths, repeats) > radius[k] + radius[m]
                for m, other in enumerate(placed)
            ):
                break
        else:
            raise NoRoom(f"{k} of {n} particles have a place in {domain}.")
        placed.append(place)
    velocity = rng.normal(size=(n, dimension)) / np.sqrt(mass)[:, None]
    return carom.Particles(np.array(placed), velocity, radius, mass)


def _gap(separation: Any, lengths: Any, repeats: Any) -> float:
    nearest = separation - np.where(repeats, np.round(separation / lengths) * lengths, 0.0)
    return float(np.linalg.norm(nearest))


class Start(NamedTuple):
    """A kind of system: how to make one from a seed, and options of the method."""

    name: str
    make: Callable[[int], carom.System]
    resting: bool = False


def in_domain(
    domain: Any,
    n: int,
    dimension: int,
    restitution: float = 0.9,
    accelerated: bool = False,
    **forces: Any,
) -> Callable[[int], carom.System]:
    """How to make a system of n particles in a domain from a seed."""

    def make(seed: int) -> carom.System:
        rng = np.random.default_rng(seed)
        particles = mixture(n, domain, rng, dimension)
        if accelerated:
            forces["acceleration"] = rng.normal(size=(n, dimension))
        return carom.System(particles, domain, law=carom.ConstantRestitution(restitution), **forces)

    return make


def _beside_oblique_plane(seed: int) -> carom.System:
    """Disks on both sides of a plane that cuts a walled box in two, under gravity."""
    rng = np.random.default_rng(seed)
    domain = carom.Box(12.0, restitution=0.9)
    plane = carom.Plane([6.0, 6.0], [1.0, 2.0], restitution=0.8)
    crowd = mixture(60, domain, rng, 2)
    height = (crowd.position - np.array(plane.point)) @ np.array(plane.normal)
    free = np.abs(height) > crowd.radius
    particles = carom.Particles(
        crowd.position[free], crowd.velocity[free], crowd.radius[free], crowd.mass[free]
    )
    return carom.System(
        particles, domain, law=carom.ConstantRestitution(0.9), gravity=[0.3, -1.0], walls=[plane]
    )


def _converging(dimension: int, n: int) -> Callable[[int], carom.System]:
    """Particles in open space that fly towards a common centre, each with an error."""

    def make(seed: int) -> carom.System:
        rng = np.random.default_rng(seed)
        crowd = mixture(n, carom.Periodic(14.0 if dimension == 2 else 7.0), rng, dimension)
        centre = crowd.position.mean(axis=0)
        crowd.velocity = 0.3 * (centre - crowd.position) + 0.1 * crowd.velocity
        particles = carom.Particles(crowd.position, crowd.velocity, crowd.radius, crowd.mass)
        return carom.System(particles, carom.Open(), law=carom.ConstantRestitution(0.8))

    return make


def _settling(seed: int) -> carom.System:
    """Disks that rain on a plate and come to rest; they bounce off each other, so that none
    comes to rest on another."""
    rng = np.random.default_rng(seed)
    domain = carom.Box([24.0, 8.0], periodic="x", restitution={"y": (0.3, 0.9)})
    particles = mixture(14, domain, rng, 2)
    return carom.System(particles, domain, law=carom.ConstantRestitution(0.95), gravity=[0.0, -1.0])


WALLS = {"x": (0.9, 1.0), "y": 0.8, "z": (0.95, 0.7)}

STARTS = (
    Start("periodic 2D", in_domain(carom.Periodic([11.0, 10.0]), 45, 2)),
    Start("periodic 3D", in_domain(carom.Periodic([5.0, 6.0, 4.5]), 40, 3, 0.7)),
    Start("walls 2D", in_domain(carom.Box([10.0, 12.0], restitution=WALLS), 45, 2)),
    Start("walls 3D", in_domain(carom.Box(5.5, restitution=WALLS), 40, 3)),
    Start("gravity 2D", in_domain(carom.Box(10.5, restitution=WALLS), 40, 2, gravity=[0.1, -1.0])),
    Start(
        "gravity, mixed 3D",
        in_domain(carom.Box([5.0, 5.5, 7.0], "xy", WALLS), 50, 3, gravity=[0.2, 0.0, -1.0]),
    ),
    Start("oblique plane 2D", _beside_oblique_plane),
    Start("open 2D", _converging(2, 50)),
    Start("open 3D", _converging(3, 40)),
    Start("acceleration 2D", in_domain(carom.Box(10.0, "y", WALLS), 40, 2, accelerated=True)),
    Start("acceleration 3D", in_domain(carom.Periodic(5.0), 30, 3, accelerated=True)),
    Start("resting 2D", _settling, resting=True),
)


def logged(
    system: carom.System,
    algorithm: str,
    resting: bool = False,
    cells_per_side: int | None = None,
    **goal: Any,
) -> tuple[carom.Simulation, carom.CollisionLog]:
    """A simulation run to its goal, and the log of all its collisions."""
    log = carom.CollisionLog()
    method = carom.EventDriven(algorithm, resting=resting, cells_per_side=cells_per_side)
    simulation = carom.Simulation(system, method=method, observers=[log])
    simulation.run(**goal)
    return simulation, log
