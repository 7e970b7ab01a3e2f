"""A diffusing velocity with particles in it: against direct solutions, and what is conserved."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from dense_flow import DenseFlow
from refusals import assert_refused

import carom
from carom.fluids import (
    DiffusionFlow,
    GridField,
    StochasticForcing,
    TaylorGreen,
    TaylorGreenForcing,
)
from carom.fluids import coupled_stream as prepared
from carom.fluids.solved import solvers
from carom.fluids.solved.coupled_stream import exchange_strengths

EPSILON = float(np.finfo(np.float64).eps)
SHAPE, LENGTHS, VISCOSITY, DT = (8, 6), (1.0, 1.5), 0.02, 0.05
SCHEMES = ("implicit", "explicit", "conserving")
NOBODY = np.empty((0, 2))


def swarm(number: int, strength: float = 0.3, seed: int = 5) -> Any:
    """Positions, velocities, strengths and rates of a few particles; half are in one cell."""
    rng = np.random.default_rng(seed)
    position = rng.random((number, 2)) * LENGTHS
    position[: number // 2] *= 0.1
    spread = rng.uniform(0.5, 1.5, size=(2, number))
    return position, rng.normal(size=(number, 2)), strength * spread[0], 7.0 * spread[1]


def force(points: Any, time: float) -> Any:
    """A force that changes in space and time, and has a mean."""
    x, y = points[..., 0], points[..., 1]
    return np.stack([np.sin(5.0 * y) + time, np.cos(2.0 * math.pi * x) - 0.3], axis=-1)


def start(points: Any) -> Any:
    return np.stack([np.sin(points[..., 0] + 2.0), points.sum(axis=-1)], axis=-1)


def flow(scheme: str = "implicit", tolerance: float = 1e-13, **options: Any) -> Any:
    given = {"forcing": force, "start": start} | options
    fluid = DiffusionFlow(SHAPE, VISCOSITY, scheme=scheme, tolerance=tolerance, **given)
    return prepared(fluid, LENGTHS, 2)


@pytest.mark.parametrize("number", [1, 2, 25])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_steps_are_those_of_a_direct_solution(scheme: str, number: int) -> None:
    stream, dense = flow(scheme), DenseFlow(SHAPE, LENGTHS, VISCOSITY)
    points = np.stack(np.meshgrid(np.arange(8) / 8.0, np.arange(6) / 4.0, indexing="ij"), axis=-1)
    assert stream.field.velocity == pytest.approx(start(points), abs=1e-14)
    particles = swarm(number)
    for step in range(3):
        before = stream.field.velocity.copy()
        expected, relaxed = dense.step(scheme, DT, before, force(points, step * DT), particles)
        stream.go_on(DT, *particles)
        assert np.abs(expected - before).max() > 0.01
        assert stream.field.velocity == pytest.approx(expected, abs=1e-10)
        if relaxed is not None:
            assert stream.new_velocity == pytest.approx(relaxed, abs=1e-10)
            particles = (particles[0] + DT * relaxed, relaxed, *particles[2:])
    assert stream.time == pytest.approx(3 * DT) and stream.steps == 3


@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_fourier_mode_decays_at_the_rate_of_the_discrete_operator(
    scheme: str, number: int
) -> None:
    """(1 + ν Δt λ)^(−K) with λ = Σ (2 / Δx)² sin²(πj/n), also among particles without strength;
    each step rounds some ten times."""
    waves, steps = (2, 1), 20
    rate = sum(
        (2.0 * n / length * math.sin(math.pi * j / n)) ** 2
        for j, n, length in zip(waves, SHAPE, LENGTHS, strict=True)
    )

    def mode(points: Any) -> Any:
        phase = sum(2.0 * math.pi * waves[a] / LENGTHS[a] * points[..., a] for a in range(2))
        return np.stack([np.cos(phase), 3.0 * np.sin(phase + 1.0)], axis=-1)

    stream = flow(scheme, forcing=None, start=mode)
    expected = stream.field.velocity / (1.0 + VISCOSITY * DT * rate) ** steps
    for _ in range(steps):
        stream.go_on(DT, *swarm(number, 0.0))
    assert 0.01 < np.abs(expected).max() < 0.5
    assert stream.field.velocity == pytest.approx(expected, abs=20 * EPSILON * steps)


def test_taylor_and_greens_vortices_are_steady_under_their_forcing() -> None:
    """Not quite those of the formula: the discrete Laplacian has the eigenvalue λ instead of 8π²,
    and from rest the flow grows as 1 − (1 + ν Δt λ)^(−K)."""
    n, steps = 16, 30
    discrete = 2.0 * (2.0 * n * math.sin(math.pi / n)) ** 2
    x = 2.0 * math.pi * np.arange(n) / n
    vortices = np.stack(
        [np.outer(np.sin(x), np.cos(x)), -np.outer(np.cos(x), np.sin(x))], axis=-1
    ) * (8.0 * math.pi**2 / discrete)
    for first, part in ((vortices, 1.0), (None, 1.0 - (1.0 + 0.02 * 0.1 * discrete) ** -steps)):
        fluid = DiffusionFlow(n, 0.02, TaylorGreenForcing(), start=first)
        stream = prepared(fluid, (1.0, 1.0), 2)
        for step in range(steps):
            stream.go_to(0.1 * (step + 1))
        assert 0.5 < part <= 1.0
        assert stream.field.velocity == pytest.approx(part * vortices, abs=20 * EPSILON * steps)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_budgets_close(scheme: str) -> None:
    """Energy up to h |Σ ū · r| ≤ ‖ū‖ ‖r‖, where ‖r‖ ≤ √(1 + 4 Σ ν Δt / Δx²) · tolerance · ‖b‖, and
    ‖b‖ is less than twice the fields here; momentum up to rounding."""
    tolerance = 1e-6
    stream, particles = flow(scheme, tolerance), swarm(25)
    stiff = 1.0 + 4.0 * VISCOSITY * DT * (8.0**2 + 4.0**2)
    for _ in range(5):
        energy, momentum = stream.energy, stream.momentum
        stream.go_on(DT, *particles)
        budget, size = stream.budget, max(energy, stream.energy)
        u = stream.field.velocity
        assert stream.energy == pytest.approx(0.5 * (u**2).sum() * (1.5 / 48), rel=1e-13)
        assert stream.momentum == pytest.approx(u.mean(axis=(0, 1)) * 1.5, rel=1e-13)
        told = budget.forcing + budget.viscosity + budget.drag
        assert min(abs(budget.forcing), -budget.viscosity, abs(budget.drag)) > 1e-4
        bound = 4.0 * math.sqrt(stiff) * tolerance * size
        exact = 50 * EPSILON * size
        allowed = exact if scheme == "explicit" else bound
        assert stream.energy - energy == pytest.approx(told, abs=allowed)
        assert budget.unexplained == pytest.approx(stream.energy - energy - told, abs=exact)
        impulse = np.add(budget.forcing_impulse, budget.drag_impulse)
        assert np.abs(impulse).min() > 1e-3
        assert stream.momentum - momentum == pytest.approx(impulse, abs=50 * EPSILON)
    assert (budget.residual > 0.0) == (scheme != "explicit") and budget.residual <= tolerance


def test_the_work_of_the_particles_is_force_times_path() -> None:
    """One particle at a node, where S u is the node's velocity: J · (u^k + u^(k+1)) / 2."""
    stream = flow()
    v, before = np.array([[0.4, -2.0]]), stream.field.velocity[2, 3].copy()
    stream.go_on(DT, np.array([[0.25, 0.75]]), v, 0.3)
    after = stream.field.velocity[2, 3]
    impulse = 0.3 * DT * (v[0] - after)
    assert stream.budget.drag_impulse == pytest.approx(impulse, rel=1e-11)
    assert stream.budget.drag == pytest.approx((impulse * (before + after) / 2).sum(), rel=1e-11)


def drift(scheme: str, dt: float) -> float:
    """The change of the total momentum ∫ u + Σ ατ v, without forcing, until time 0.4.

    Particles fly by (13) and (14), or as the conserving scheme asks for.
    """
    stream = flow(scheme, forcing=None, tolerance=1e-8)
    position, velocity, strength, rate = swarm(25)
    mass = (strength / rate)[:, None]
    total = stream.momentum + (mass * velocity).sum(axis=0)
    for _ in range(round(0.4 / dt)):
        stream.go_on(dt, position, velocity, strength, rate)
        if scheme == "conserving":
            velocity = stream.new_velocity
            position = position + dt * velocity
        else:
            position = position + dt * velocity
            felt = np.empty_like(velocity)
            carom.fluids.solved.momentum_sources.interpolate(
                position, stream.field.per_length, stream.field.velocity, felt
            )
            share = dt * rate[:, None]
            velocity = (velocity + share * felt) / (1.0 + share)
    change = stream.momentum + (mass * velocity).sum(axis=0) - total
    return float(np.abs(change).max())


def test_the_published_scheme_conserves_momentum_to_first_order_the_conserving_one_exactly() -> (
    None
):
    """Half the step, half the drift, the better the shorter the step: of second order the ratios
    would tend to 4. The conserving scheme leaves rounding, whatever the tolerance: 40 steps of sums
    over 48 nodes."""
    drifts = [drift("implicit", dt) for dt in (0.01, 0.005, 0.0025)]
    first, second = drifts[0] / drifts[1], drifts[1] / drifts[2]
    assert drifts[2] > 1e-4
    assert abs(second - 2.0) < 0.1 and abs(second - 2.0) < 0.7 * abs(first - 2.0)
    assert drift("conserving", 0.01) <= 40 * 20 * EPSILON


def test_strong_sources_blow_up_the_explicit_scheme_only() -> None:
    """One heavy particle at rest in a node: u there is multiplied by about 1 − α Δt / (Δx Δy)."""
    strength, position = 4.0 * (1.5 / 48) / DT, np.zeros((1, 2))
    growth = {}
    for scheme in SCHEMES:
        stream = flow(scheme, forcing=None)
        first = stream.energy
        for _ in range(10):
            stream.go_on(DT, position, np.zeros((1, 2)), strength, 1e-3)
        growth[scheme] = stream.energy / first
    assert growth["explicit"] > 100.0
    assert max(growth["implicit"], growth["conserving"]) < 1.0


@pytest.mark.parametrize("number", [1, 2, 3])
def test_conjugate_gradients_need_one_iteration_more_than_particles(number: int) -> None:
    """The source has the rank of the particles (appendix 3); the components are solved at once."""
    stream = flow(tolerance=1e-9)
    stream.go_on(DT, *swarm(number))
    assert 1 <= stream.budget.iterations <= number + 1
    assert stream.iterations == stream.budget.iterations
    assert 0.0 < stream.budget.residual <= 1e-9


def test_the_residual_bounds_the_error() -> None:
    exact, particles = flow(), swarm(25)
    exact.go_on(DT, *particles)
    for tolerance in (1e-2, 1e-4, 1e-6):
        stream = flow(tolerance=tolerance)
        stream.go_on(DT, *particles)
        error = stream.field.velocity - exact.field.velocity
        right = math.sqrt((stream.field.velocity**2).mean()) * 2.0  # more than that of b
        assert 0.0 < math.sqrt((error**2).mean()) <= stream.budget.residual * right
        assert stream.budget.residual <= tolerance


def test_equations_that_are_not_solved_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = flow(forcing=StochasticForcing(seed=1, length_scale=0.3))
    before = stream.arrays()
    monkeypatch.setattr(solvers, "MOST_ITERATIONS", 2)
    with pytest.raises(
        carom.FlowNotSolved, match=r"2 iterations.*tolerance=1e-13.*shorter dt"
    ) as caught:
        stream.go_on(DT, *swarm(25))
    assert caught.value.iterations == 2 and caught.value.residual > 1e-13
    after = stream.arrays()
    assert before.keys() == after.keys() and all((before[k] == after[k]).all() for k in before)


def test_lost_particles_and_endless_growth_are_errors() -> None:
    position, velocity, strength, rate = swarm(3)
    velocity[1, 0] = math.nan
    for scheme in SCHEMES:
        stream = flow(scheme)
        with pytest.raises(carom.FlowNotSolved, match=r"not finite.*shorter dt"):
            stream.go_on(DT, position, velocity, strength, rate)
        assert np.isfinite(stream.field.velocity).all() and stream.time == 0.0
    stream = flow("explicit")
    with pytest.raises(carom.FlowNotSolved, match="implicit"), np.errstate(all="ignore"):
        for _ in range(1000):
            stream.go_on(DT, position, 0.0 * position, 100.0)
    assert math.isfinite(stream.energy)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_restored_stream_continues_bit_for_bit(scheme: str) -> None:
    def begin(seed: int) -> Any:
        return flow(scheme, forcing=StochasticForcing(seed=seed, length_scale=0.3))

    uninterrupted, particles = begin(1), swarm(25)
    for _ in range(3):
        uninterrupted.go_on(DT, *particles)
    file = io.BytesIO()
    np.savez(file, **uninterrupted.arrays())
    file.seek(0)
    restored = begin(2)
    with np.load(file, allow_pickle=False) as arrays:
        restored.restore(dict(arrays))
    for _ in range(3):
        for stream in (uninterrupted, restored):
            stream.go_on(0.7 * DT, *particles)
        assert (restored.field.velocity == uninterrupted.field.velocity).all()
        assert restored.budget == uninterrupted.budget
    one, other = uninterrupted.arrays(), restored.arrays()
    assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)
    assert not (begin(2).field.velocity == restored.field.velocity).any()
    assert (restored.energy, restored.steps) == (uninterrupted.energy, 6)


def test_the_field_for_kernels_is_changed_in_place() -> None:
    stream = flow()
    array = stream.field.velocity
    stream.go_on(DT, *swarm(3))
    stream.go_to(1.0)
    assert stream.field.velocity is array and stream.time == 1.0
    stream.go_to(1.0)
    assert stream.steps == 2
    assert_refused(lambda: stream.go_to(0.5), "1.0", "0.5")
    assert_refused(lambda: stream.go_on(0.0, *swarm(3)), "dt.*0.0")


@pytest.mark.parametrize("kind", ["flow", "prepared flow", "array", "function"])
def test_all_kinds_of_starts_give_the_velocities_at_the_nodes(kind: str) -> None:
    x, y = np.meshgrid(np.arange(8) / 8.0, np.arange(6) / 4.0, indexing="ij")
    turn = 4.0 * math.pi
    vortices = np.stack(
        [np.sin(turn * x) * np.cos(turn * y), -np.cos(turn * x) * np.sin(turn * y)], axis=-1
    )
    given = {
        "flow": TaylorGreen(length=0.5),
        "prepared flow": GridField([0.0], vortices[None]),
        "array": vortices,
        "function": lambda points: vortices + 0.0 * points,
    }[kind]
    # The sine of a multiple of 2π, where the formula rounds, is off by EPSILON times its angle.
    assert flow(start=given).field.velocity == pytest.approx(vortices, abs=20 * EPSILON)


def test_strengths_of_particles() -> None:
    radius, mass, times = np.array([0.1, 0.2]), np.array([1.0, 3.0]), np.array([2.0, 6.0])
    known = (radius, mass, times)
    strengths = exchange_strengths
    assert (strengths(None, *known) == [0.5, 0.5]).all()
    assert (strengths(0.3, *known) == [0.3, 0.3]).all()
    assert (strengths([0.0, 0.4], *known) == [0.0, 0.4]).all()
    assert strengths(carom.PowerOfRadius(2.0, 1.0), *known) == pytest.approx([0.2, 0.4])
    assert_refused(lambda: strengths([1.0] * 3, *known), r"\(3,\)", "2 particles")
    assert_refused(lambda: strengths([1.0, -1.0], *known), "particle 1", "-1")
    assert_refused(lambda: strengths(math.inf, *known), "particle 0", "inf")


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"grid": 2}, ["DiffusionFlow: grid=2", "at least 3"]),
        ({"grid": (8, 8, 8)}, ["grid=", "2 of them"]),
        ({"viscosity": 0.0}, ["viscosity.*0.0"]),
        ({"scheme": "semi"}, ["scheme='semi'", "'conserving'"]),
        ({"tolerance": 0.0}, ["tolerance.*0.0"]),
        ({"tolerance": 1e-16}, ["tolerance=1e-16", "rounding"]),
        ({"forcing": 3.0}, ["forcing=3.0", "TaylorGreenForcing"]),
    ],
)
def test_parameters_that_cannot_be_are_refused(options: Any, parts: list[str]) -> None:
    assert_refused(lambda: DiffusionFlow(**({"grid": 8, "viscosity": 0.1} | options)), *parts)


@pytest.mark.parametrize(
    ("options", "box", "parts"),
    [
        ({}, ((1.0, 1.0, 1.0), 3), ["planar", "3 dimensions"]),
        ({}, (None, 2), ["Periodic"]),
        ({}, ((1.0, 1.0), 2, (True, False)), ["Periodic"]),
        ({"forcing": TaylorGreenForcing()}, ((1.0, 1.5), 2), ["TaylorGreenForcing", "along y"]),
        ({"start": np.zeros((8, 7, 2))}, ((1.0, 1.0), 2), [r"\(8, 8, 2\)", r"\(8, 7, 2\)"]),
        ({"start": lambda x: x * math.inf}, ((1.0, 1.0), 2), ["finite"]),
        ({"forcing": StochasticForcing(length_scale=1e-3)}, ((1.0, 1.0), 2), ["finer"]),
    ],
)
def test_what_does_not_fit_is_refused(options: Any, box: Any, parts: list[str]) -> None:
    fluid = DiffusionFlow(8, 0.1, **options)
    with np.errstate(all="ignore"):
        assert_refused(lambda: prepared(fluid, *box), *parts)


def test_other_things_are_refused_where_they_are_met() -> None:
    assert_refused(lambda: prepared(TaylorGreen(), (1.0, 1.0), 2), "DiffusionFlow", "Laden")
    short = flow(forcing=lambda points, time: points[:-1])
    assert_refused(lambda: short.go_to(0.1), r"\(8, 6, 2\)", r"\(7, 6, 2\)")
    position, velocity, strength, _ = swarm(3)
    stream = flow("conserving")
    assert_refused(lambda: stream.go_on(DT, position, velocity, strength), "conserving", "rate=")
    assert_refused(lambda: StochasticForcing(speed=0.0), "speed")
    assert_refused(lambda: StochasticForcing("white"), "'white'")
    assert_refused(lambda: StochasticForcing(seed=-1), "StochasticForcing: seed.*-1")
    assert_refused(lambda: TaylorGreenForcing(length=0.0), "length")


def test_a_forcing_that_changes_its_arguments_changes_nothing_else() -> None:
    def greedy(points: Any, time: float) -> Any:
        points += 1.0
        return points

    stream, modest = flow(forcing=greedy), flow(forcing=lambda points, time: points + 1.0)
    for _ in range(3):
        stream.go_on(DT, NOBODY, NOBODY, 0.0)
        modest.go_on(DT, NOBODY, NOBODY, 0.0)
    assert (stream.field.velocity == modest.field.velocity).all()


@pytest.mark.parametrize("kind", [str, complex])
def test_forces_that_are_no_numbers_are_refused(kind: Any) -> None:
    stream = flow(forcing=lambda points, time: points.astype(kind))
    assert_refused(lambda: stream.go_on(DT, NOBODY, NOBODY, 0.0), "forces must be numbers")


def test_scales_are_those_of_the_forcing() -> None:
    def scales(forcing: Any) -> Any:
        return carom.fluids.scales(DiffusionFlow(8, 0.1, forcing), (1.0, 1.5), 2)

    assert scales(TaylorGreenForcing(2.0, 0.5)) == (2.0, 0.5, 0.25)
    assert scales(StochasticForcing(speed=2.0, length_scale=0.1)) == (2.0, 0.1, 0.05)
    assert scales(None) is None and scales(force) is None
