"""Collisions in a flow against a brute-force twin, event by event."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import carom
from carom.fluids import ABC, TaylorGreen
from equivalence.laden_twin import Twin

TWO_PI = 2.0 * np.pi


def taylor_green(x: Any, time: float) -> Any:
    a, b = TWO_PI * x[0], TWO_PI * x[1]
    return np.array([np.sin(a) * np.cos(b), -np.cos(a) * np.sin(b)])


def abc(x: Any, time: float) -> Any:
    x, y, z = TWO_PI * x
    return np.array([np.sin(z) + np.cos(y), np.sin(x) + np.cos(z), np.sin(y) + np.cos(x)])


def start(n: int, fraction: float, dimension: int, spread: float = 0.0) -> carom.Particles:
    """Particles of unlike size and mass at random places in a unit box."""
    rng = np.random.default_rng(7)
    unit = {2: np.pi, 3: 4.0 * np.pi / 3.0}[dimension]
    radius = (fraction / (n * unit)) ** (1.0 / dimension) * (1.0 - spread * rng.random(n))
    given, box = carom.packings.random(
        n, float(unit * (radius**dimension).sum()), dimension=dimension, radius=radius, seed=3
    )
    assert np.allclose(box.lengths, 1.0)
    mass = 1.0 + 2.0 * spread * rng.random(n)
    velocity = rng.normal(size=(n, dimension))
    return carom.Particles(given.position, velocity, radius=radius, mass=mass)


def log_of(particles: carom.Particles, law: Any, until: float, **options: Any) -> Any:
    """The collisions of a run, and the simulation."""
    system = carom.System(particles, carom.Periodic((1.0,) * particles.dimension), law=law)
    log = carom.CollisionLog()
    simulation = carom.Simulation(system, method=carom.Laden(**options), observers=[log])
    simulation.run(until=until)
    pairs = np.sort(np.stack([log["i"], log["j"]], axis=1), axis=1)
    return log["time"], pairs, simulation


def first_difference(ours: Any, theirs: Any) -> int:
    """The number of the first collision that is between other particles."""
    number = min(len(ours), len(theirs))
    same = (ours[:number] == theirs[:number]).all(axis=1)
    return number if same.all() else int(np.argmin(same))


# Chaos multiplies a rounding until two runs part; the more collisions of each particle, the
# sooner. So many collisions are demanded to be the same, some 10 of each particle.
CASES = {
    "dilute": (150, 0.02, 2, 0.0, 1.0, 0.05, 0.02, 300),
    "dense": (100, 0.40, 2, 0.0, 1.0, 0.5, 0.05, 1000),
    "unlike": (100, 0.15, 2, 0.5, 0.9, 0.3, 0.02, 500),
    "stiff": (100, 0.05, 2, 0.0, 0.9, 0.01, 0.02, 300),
    "space": (120, 0.15, 3, 0.3, 0.9, 0.5, 0.02, 500),
}


@pytest.mark.parametrize("algorithm", ["cells", "lines"])
@pytest.mark.parametrize("case", CASES)
def test_collisions_are_those_of_the_twin(case: str, algorithm: str) -> None:
    n, fraction, dimension, spread, restitution, tau, dt, number = CASES[case]
    particles = start(n, fraction, dimension, spread)
    taus = tau * (0.5 + np.linspace(0.0, 1.0, n))
    flow, fluid = (taylor_green, TaylorGreen()) if dimension == 2 else (abc, ABC(1.0, 1.0, 1.0))
    twin = Twin(
        particles.position,
        particles.velocity,
        particles.radius,
        particles.mass,
        (1.0,) * dimension,
        flow,
        taus,
        dt,
        restitution,
    )
    while len(twin.collisions) < number:
        twin.step()
    end = twin.steps * dt
    law = carom.ConstantRestitution(restitution)
    time, pairs, simulation = log_of(
        particles, law, end, fluid=fluid, dt=dt, relaxation_time=taus, algorithm=algorithm
    )
    expected = np.array([(i, j) for _, i, j in twin.collisions])
    assert first_difference(pairs, expected) >= number
    # Times part by roundings that chaos has multiplied: to 1e-6 over the first half.
    half = number // 2
    times = np.array([t for t, _, _ in twin.collisions])
    assert np.abs(time[:half] - times[:half]).max() < 1e-6
    if case == "stiff":  # drag turns particles round within a step
        assert twin.false_predictions > 3
        false = simulation.counts.false_predictions
        assert false == pytest.approx(twin.false_predictions, abs=0.2 * twin.false_predictions)


@pytest.mark.parametrize("options", [{"paths": 3}, {"cells_per_side": 4}, {"cells_per_side": 7}])
def test_pieces_and_cells_change_nothing(options: dict[str, Any]) -> None:
    """Paths of several pieces are the same paths, and cells only say where to look."""
    particles = start(100, 0.15, 2)
    given = {"fluid": TaylorGreen(), "dt": 0.02, "relaxation_time": 0.3}
    law = carom.Elastic()
    plain = log_of(particles, law, 0.6, **given, algorithm="cells", cells_per_side=5)
    other = log_of(particles, law, 0.6, **given, algorithm="cells", **options)
    assert len(plain[1]) > 250
    assert first_difference(plain[1], other[1]) >= 250


def test_without_drag_they_are_billiards() -> None:
    """An infinite relaxation time leaves the velocities alone, bit for bit."""
    particles = start(100, 0.15, 2)
    log = carom.CollisionLog()
    system = carom.System(particles, carom.Periodic((1.0, 1.0)))
    carom.Simulation(system, observers=[log]).run(until=1.0)
    for algorithm in ("cells", "lines"):
        time, pairs, _ = log_of(
            particles,
            carom.Elastic(),
            1.0,
            fluid=TaylorGreen(),
            dt=0.02,
            relaxation_time=np.inf,
            algorithm=algorithm,
        )
        expected = np.sort(np.stack([log["i"], log["j"]], axis=1), axis=1)
        assert first_difference(pairs, expected) >= 500
        assert np.abs(time[:200] - log["time"][:200]).max() < 1e-9


def test_simpler_schemes_miss_what_they_cannot_see() -> None:
    """Two that pass each other within a step, and two that come from far."""
    position = np.array([[0.47, 0.50], [0.53, 0.50]])
    velocity = np.array([[1.0, 0.0], [-1.0, 0.0]])
    particles = carom.Particles(position, velocity, radius=0.01)
    seen = {}
    for detection in ("exact", "at_end", "without_transfers"):
        _, _, simulation = log_of(
            particles,
            carom.Elastic(),
            0.1,
            fluid=TaylorGreen(),
            dt=0.1,
            relaxation_time=np.inf,
            search=detection,
            cells_per_side=40 if detection == "without_transfers" else None,
        )
        seen[detection] = (simulation.counts.collisions, simulation.counts.missed)
    assert seen == {"exact": (1, 0), "at_end": (0, 1), "without_transfers": (0, 1)}
