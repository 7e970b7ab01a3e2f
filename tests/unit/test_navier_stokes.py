"""The incompressible equations in the plane: exact solutions, energy, particles."""

from __future__ import annotations

import io
import math
import os
import signal
from time import sleep
from typing import Any

import numpy as np
import pytest
from dense_flow import hats
from refusals import assert_refused
from scipy import fft

import carom
from carom.fluids import (
    DiffusionFlow,
    NavierStokes2D,
    StochasticForcing,
    SyntheticTurbulence,
    TaylorGreen,
    TaylorGreenForcing,
)
from carom.fluids import coupled_stream as prepared
from carom.fluids.solved import bands
from carom.fluids.solved.solenoidal import Solenoidal
from carom.fluids.solved.transforms import field_of

EPSILON = float(np.finfo(np.float64).eps)
NOBODY = np.empty((0, 2))
SCHEMES = ("implicit", "explicit", "conserving")
LENGTHS = (1.0, 1.5)


def wave_vectors(shape: tuple[int, int], lengths: tuple[float, float]) -> Any:
    numbers = np.meshgrid(*(fft.fftfreq(n, 1.0 / n) for n in shape), indexing="ij")
    return [2.0 * math.pi / length * j for length, j in zip(lengths, numbers, strict=True)], numbers


def without_divergence(field: Any, lengths: tuple[float, float]) -> Any:
    """û − k (k·û) / k² of waves j < n/3, one component at a time: what P has to do."""
    shape = field.shape[:2]
    k, numbers = wave_vectors(shape, lengths)
    modes = [fft.fft2(field[..., a]) for a in range(2)]
    square = np.where(k[0] ** 2 + k[1] ** 2 > 0.0, k[0] ** 2 + k[1] ** 2, 1.0)
    along = (k[0] * modes[0] + k[1] * modes[1]) / square
    kept = (3 * np.abs(numbers[0]) < shape[0]) & (3 * np.abs(numbers[1]) < shape[1])
    parts = [kept * (modes[a] - k[a] * along) for a in range(2)]
    return np.stack([fft.ifft2(part).real for part in parts], axis=-1)


def random_field(shape: tuple[int, int], seed: int = 3) -> Any:
    """A flow without divergence, with a mean, and velocities of about one."""
    noise = np.random.default_rng(seed).normal(size=(*shape, 2))
    return 2.0 * without_divergence(noise, LENGTHS) + [0.4, -0.7]


@pytest.mark.parametrize("shape", [(12, 9), (8, 15), (7, 10)])
def test_projection_takes_the_part_without_divergence(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(size=(2, *shape, 2))
    space = Solenoidal(shape, LENGTHS)
    found, inner = space(one.copy())
    assert found == pytest.approx(without_divergence(one, LENGTHS), abs=50 * EPSILON)
    assert inner == pytest.approx((one * found).sum(), rel=1e-13)
    assert (other * found).sum() == pytest.approx((one * space(other.copy())[0]).sum(), rel=1e-12)
    assert found.mean(axis=(0, 1)) == pytest.approx(one.mean(axis=(0, 1)), abs=10 * EPSILON)


@pytest.mark.parametrize("shape", [(12, 9), (8, 15)])
def test_the_tendency_is_that_of_advection(shape: tuple[int, int]) -> None:
    """−P(u·∇u) with derivatives and products of waves on a grid so fine that nothing is folded."""
    u = random_field(shape)
    fine = tuple(4 * n for n in shape)
    k, _ = wave_vectors(fine, LENGTHS)
    places = np.ix_(*(np.rint(fft.fftfreq(n, 1.0 / n)).astype(int) for n in shape))
    advected = np.zeros((*fine, 2))
    modes = []
    for a in range(2):
        padded = np.zeros(fine, dtype=complex)
        padded[places] = fft.fft2(u[..., a]) * 16.0
        modes.append(padded)
    for a in range(2):
        for b in range(2):
            along = fft.ifft2(modes[b]).real
            advected[..., a] += along * fft.ifft2(1j * k[b] * modes[a]).real
    # Back on the coarse grid: only waves that it keeps.
    coarse = np.stack(
        [fft.ifft2(fft.fft2(advected[..., a])[places] / 16.0).real for a in range(2)], axis=-1
    )
    expected = -without_divergence(coarse, LENGTHS)
    found = field_of(Solenoidal(shape, LENGTHS).tendency(u.copy()))
    assert np.abs(expected).max() > 1.0
    assert found == pytest.approx(expected, abs=200 * EPSILON * np.abs(coarse).max())


def test_taylor_and_greens_vortices_decay_exactly() -> None:
    """u e^(−8π²νt), for steps of any length: some ten roundings a step."""
    fluid, viscosity = TaylorGreen(), 0.01
    stream = prepared(NavierStokes2D(16, viscosity, start=fluid), (1.0, 1.0), 2)
    first = stream.field.velocity.copy()
    for time in (0.3, 0.35, 1.0, 1.7):
        stream.go_to(time)
        decayed = first * math.exp(-8.0 * math.pi**2 * viscosity * time)
        assert stream.field.velocity == pytest.approx(decayed, abs=300 * EPSILON)
    assert 0.1 < np.abs(decayed).max() < 0.5


def test_their_forcing_holds_them() -> None:
    fluid = NavierStokes2D(16, 0.01, TaylorGreenForcing(), start=TaylorGreen())
    stream = prepared(fluid, (1.0, 1.0), 2)
    first = stream.field.velocity.copy()
    for step in range(10):
        stream.go_to(0.1 * (step + 1))
        assert stream.budget.forcing == pytest.approx(-stream.budget.viscosity, rel=1e-12)
    # E = 1/4, and the force gives 2 ν k² · 2 E in a unit of time.
    assert stream.budget.forcing == pytest.approx(0.1 * 0.01 * 8.0 * math.pi**2 * 0.5, rel=1e-12)
    assert stream.field.velocity == pytest.approx(first, abs=300 * EPSILON)


def moving_vortices(points: Any, time: float, viscosity: float) -> Any:
    """Vortices that a mean flow carries along, an exact solution: Galilei's invariance."""
    mean = np.array([0.7, -0.3])
    phase = 2.0 * math.pi * (points - mean * time)
    x, y = phase[..., 0], phase[..., 1]
    decay = math.exp(-8.0 * math.pi**2 * viscosity * time)
    vortices = np.stack([np.sin(x) * np.cos(y), -np.cos(x) * np.sin(y)], axis=-1)
    return mean + decay * vortices


def test_steps_are_of_fourth_order() -> None:
    """Half the step, a sixteenth of the error of vortices that are carried along."""
    viscosity, errors = 0.01, []
    x = np.arange(8) / 8.0
    points = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1)
    for number in (10, 20, 40):
        fluid = NavierStokes2D(8, viscosity, start=moving_vortices(points, 0.0, viscosity))
        stream = prepared(fluid, (1.0, 1.0), 2)
        for step in range(number):
            stream.go_to((step + 1) / number)
        error = stream.field.velocity - moving_vortices(points, 1.0, viscosity)
        errors.append(float(np.abs(error).max()))
    assert errors[0] < 0.02 and errors[2] > 1e6 * EPSILON
    assert errors[1] / errors[2] == pytest.approx(16.0, rel=0.1)


def test_energy_changes_by_the_works_of_forcing_and_viscosity() -> None:
    """To fourth order in the step; without both it is conserved to that order, as is enstrophy."""
    forced, free = [], []
    for number in (20, 40):
        for viscosity, forcing, found in ((0.01, force, forced), (1e-15, None, free)):
            fluid = NavierStokes2D((12, 15), viscosity, forcing, start=random_field((12, 15)))
            stream = prepared(fluid, LENGTHS, 2)
            first = stream.energy, enstrophy(stream.field.velocity)
            given, taken, left = 0.0, 0.0, 0.0
            for step in range(number):
                stream.go_to(0.2 * (step + 1) / number)
                given += stream.budget.forcing
                taken += stream.budget.viscosity
                left += stream.budget.unexplained
            if forcing is not None:
                assert given > 0.05 and taken < -0.05
                assert stream.energy - first[0] == pytest.approx(given + taken + left, rel=1e-12)
                found.append(abs(left))
            else:
                change = enstrophy(stream.field.velocity) / first[1] - 1.0
                found.append((abs(stream.energy / first[0] - 1.0), abs(change)))
    # Halving the step: 16 for fourth order, 32 where, as in oscillations, amplitudes do better.
    assert forced[0] < 1e-3 and 10.0 < forced[0] / forced[1] < 60.0
    for coarse, fine in zip(*free, strict=True):
        assert fine > 1e-13 and coarse < 1e-3 and 10.0 < coarse / fine < 60.0


def force(points: Any, time: float) -> Any:
    """A force that does not change in time, with a divergence and a mean."""
    phase = 2.0 * math.pi * points / LENGTHS
    return np.stack([np.sin(phase[..., 1]) + 0.5, np.sin(phase.sum(axis=-1))], axis=-1)


def enstrophy(u: Any) -> float:
    k, _ = wave_vectors(u.shape[:2], LENGTHS)
    vorticity = 1j * (k[0] * fft.fft2(u[..., 1]) - k[1] * fft.fft2(u[..., 0]))
    return float((np.abs(vorticity) ** 2).sum())


def test_a_uniform_force_moves_the_whole_fluid() -> None:
    def uniform(points: Any, time: float) -> Any:
        return np.broadcast_to([2.0 * time, -1.0], points.shape)

    fluid = NavierStokes2D(9, 0.01, uniform, start=random_field((9, 9)))
    stream = prepared(fluid, LENGTHS, 2)
    first = stream.momentum
    for step in range(8):
        stream.go_to(0.1 * (step + 1))
    # ∫ 2t dt, at the middle of the steps, is exact.
    assert stream.momentum - first == pytest.approx([0.64 * 1.5, -0.8 * 1.5], rel=1e-13)


def swarm(number: int, strength: float = 0.1) -> Any:
    rng = np.random.default_rng(5)
    spread = rng.uniform(0.5, 1.5, size=(2, number))
    position = rng.random((number, 2)) * LENGTHS
    position[: number // 2] *= 0.1
    return position, rng.normal(size=(number, 2)), strength * spread[0], 7.0 * spread[1]


def flow(scheme: str = "implicit", tolerance: float = 1e-13, **options: Any) -> Any:
    given = {"forcing": force, "start": random_field((9, 8))} | options
    fluid = NavierStokes2D((9, 8), 0.01, scheme=scheme, tolerance=tolerance, **given)
    return prepared(fluid, LENGTHS, 2)


@pytest.mark.parametrize("number", [1, 25])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_particles_act_as_in_a_direct_solution(scheme: str, number: int) -> None:
    """u' = u* + P Sᵀ J / (Δx Δy) as dense equations; u* is the same fluid without particles."""
    dt, cell = 0.05, 1.5 / 72
    stream, alone, particles = flow(scheme), flow(scheme), swarm(number)
    position, velocity, strength, rate = particles
    stream.go_on(dt, *particles)
    alone.go_to(dt)
    felt = np.kron(hats(position, (9, 8), LENGTHS), np.eye(2))
    unit = np.eye(144).reshape(144, 9, 8, 2)
    projection = np.array([without_divergence(one, LENGTHS).ravel() for one in unit]).T
    given = projection @ (felt.T * np.repeat(dt * strength, 2)) / cell
    u, v, share = alone.field.velocity.ravel(), velocity.ravel(), np.repeat(dt * rate, 2)
    if scheme == "explicit":
        expected = u + given @ (v - felt @ u)
    elif scheme == "implicit":
        expected = np.linalg.solve(np.eye(144) + given @ felt, u + given @ v)
    else:
        whole = np.block(
            [[np.eye(144) + given @ felt, -given], [-share[:, None] * felt, np.diag(1.0 + share)]]
        )
        both = np.linalg.solve(whole, np.concatenate([u, v]))
        expected = both[:144]
        assert stream.new_velocity.ravel() == pytest.approx(both[144:], abs=1e-10)
    assert np.abs(expected - u).max() > 0.01
    assert stream.field.velocity.ravel() == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_particles_give_what_the_fluid_gets(scheme: str) -> None:
    """Momentum up to rounding; the energy of the exchange up to the tolerance of the solver, so
    that what is unexplained is the same with and without particles, up to its bound
    2 ‖u‖ · tolerance · ‖b‖ ≤ 8 E · tolerance."""
    tolerance = 1e-8
    stream, alone, particles = flow(scheme, tolerance), flow(scheme, tolerance), swarm(25)
    momentum = stream.momentum
    stream.go_on(0.05, *particles)
    alone.go_to(0.05)
    budget = stream.budget
    impulse = np.add(budget.drag_impulse, budget.forcing_impulse)
    assert stream.momentum - momentum == pytest.approx(impulse, abs=100 * EPSILON)
    assert np.abs(budget.drag_impulse).min() > 1e-3 and abs(budget.drag) > 1e-3
    allowed = 8.0 * stream.energy * tolerance if scheme != "explicit" else 100 * EPSILON
    assert budget.unexplained == pytest.approx(alone.budget.unexplained, abs=allowed)
    assert (budget.iterations > 0) == (scheme != "explicit")
    if scheme == "conserving":
        _, velocity, strength, rate = particles
        lost = ((strength / rate)[:, None] * (velocity - stream.new_velocity)).sum(axis=0)
        assert lost == pytest.approx(budget.drag_impulse, abs=100 * EPSILON)


def test_the_field_keeps_to_flows_without_divergence() -> None:
    stream = flow(start=lambda points: points**2)
    for _ in range(3):
        u = stream.field.velocity
        assert u == pytest.approx(without_divergence(u, LENGTHS), abs=100 * EPSILON)
        stream.go_on(0.05, *swarm(25))
    assert stream.energy > 0.1


def test_long_steps_are_divided() -> None:
    """One step in which waves turn by 20 would throw them far off: 2.8 is stable. In many, of at
    most 2.4 each, they are off by less than 2.4⁵/120 of those that turn so far, which are few."""
    start, ends = random_field((12, 12)), []
    for number in (1, 64):
        fluid = NavierStokes2D(12, 0.01, force, start=3.0 * start)
        stream = prepared(fluid, LENGTHS, 2)
        for step in range(number):
            stream.go_to(0.32 * (step + 1) / number)
        ends.append(stream.field.velocity.copy())
    assert ends[0] == pytest.approx(ends[1], abs=0.02 * np.abs(ends[1]).max())
    assert not (ends[0] == ends[1]).any()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_restored_stream_continues_bit_for_bit(scheme: str) -> None:
    def begin(seed: int) -> Any:
        turbulence = SyntheticTurbulence(length_scale=0.3, seed=seed, grid=(9, 8))
        forcing = StochasticForcing(length_scale=0.3, seed=seed)
        return flow(scheme, forcing=forcing, start=turbulence)

    uninterrupted, particles = begin(1), swarm(25)
    for _ in range(3):
        uninterrupted.go_on(0.05, *particles)
    file = io.BytesIO()
    np.savez(file, **uninterrupted.arrays())
    file.seek(0)
    restored = begin(2)
    with np.load(file, allow_pickle=False) as arrays:
        restored.restore(dict(arrays))
    for _ in range(3):
        for stream in (uninterrupted, restored):
            stream.go_on(0.03, *particles)
    one, other = uninterrupted.arrays(), restored.arrays()
    assert one.keys() == other.keys() and all((one[k] == other[k]).all() for k in one)
    assert restored.steps == 6 and restored.budget.iterations == uninterrupted.budget.iterations


@pytest.mark.parametrize("kind", [DiffusionFlow, NavierStokes2D])
def test_threads_change_no_bit(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of the transforms: their lines are the same, whoever does them."""
    fields = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(bands, "CORES", threads)
        monkeypatch.setattr(bands, "WORTH_A_THREAD", 0)
        fluid = kind((15, 13), 0.01, force, start=random_field((15, 13)))
        stream = prepared(fluid, LENGTHS, 2)
        for _ in range(2):
            stream.go_on(0.03, *swarm(25))
        fields.append((stream.field.velocity, stream.budget))
    for velocity, budget in fields[1:]:
        assert (velocity == fields[0][0]).all() and budget == fields[0][1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_that_is_forked_off_has_threads_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bands, "CORES", 2)
    monkeypatch.setattr(bands, "WORTH_A_THREAD", 0)
    stream = flow()
    stream.go_to(0.05)
    child = os.fork()
    if child == 0:  # it must not come back to pytest
        try:
            stream.go_to(0.1)
            os._exit(0)
        finally:
            os._exit(1)
    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the child waits for threads that only its parent has")
    assert os.waitstatus_to_exitcode(status) == 0


def test_what_cannot_go_on_is_an_error() -> None:
    stream = flow(start=1e7 * random_field((9, 8)))
    with pytest.raises(carom.FlowNotSolved, match=r"so fast.*dt=0\.05.*shorter dt"):
        stream.go_to(0.05)
    assert stream.time == 0.0 and math.isfinite(stream.energy)
    position, velocity, strength, rate = swarm(3)
    velocity[1, 0] = math.nan
    stream = flow()
    with pytest.raises(carom.FlowNotSolved, match="not finite"):
        stream.go_on(0.05, position, velocity, strength, rate)
    assert_refused(lambda: NavierStokes2D(8, -1.0), "NavierStokes2D: viscosity")
    assert_refused(
        lambda: prepared(NavierStokes2D(8, 0.1), (1.0,) * 3, 3), "NavierStokes2D.*planar"
    )
