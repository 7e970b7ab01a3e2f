"""Flows that are formulas: their values and derivatives, where they repeat, what they refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused

import carom
from carom.fluids import ABC, Place, Scales, Shear, TaylorGreen, Uniform, velocity
from carom.fluids.flow import check_flow
from carom.functions import cosine, sine

EPSILON = float(np.finfo(np.float64).eps)
RNG = np.random.default_rng(5)
PLACES = RNG.uniform(-3.0, 3.0, (40, 3))
IN_PLANE = PLACES * [1.0, 1.0, 0.0]


def at(position: Any, flow: Any, time: float = 0.0) -> Any:
    return np.array(velocity(Place(tuple(float(x) for x in position), time), flow))


def everywhere(positions: Any, flow: Any) -> Any:
    return np.array([at(position, flow) for position in positions])


def rounding(flow: Any, places: Any) -> float:
    """Phases k x of a few tens are rounded in some four operations, here or in the flow, and that
    is what a sine of them is wrong by; speeds are below four."""
    return (
        4.0 * 4.0 * EPSILON * 2.0 * math.pi / flow.length * float(np.abs(places).sum(axis=1).max())
    )


def taylor_green(position: Any, speed: float, length: float) -> Any:
    x, y, z = (2.0 * math.pi / length * position).T
    return np.column_stack(
        [
            speed * np.sin(x) * np.cos(y) * np.cos(z),
            -speed * np.cos(x) * np.sin(y) * np.cos(z),
            np.zeros(len(position)),
        ]
    )


def abc(position: Any, a: float, b: float, c: float, length: float) -> Any:
    x, y, z = (2.0 * math.pi / length * position).T
    return np.column_stack(
        [
            a * np.sin(z) + c * np.cos(y),
            b * np.sin(x) + a * np.cos(z),
            c * np.sin(y) + b * np.cos(x),
        ]
    )


@settings(max_examples=300, deadline=None)
@given(turns=st.floats(-100.0, 100.0, allow_subnormal=False))
def test_sines_are_right_to_about_the_last_bit(turns: float) -> None:
    """A turn is brought into [−1/4, 1/4] exactly; two roundings of the size of the result follow.

    For the cosine a quarter is added, which is rounded, and 2π times that is one of the phase.
    """
    with mpmath.workdps(40):
        expected = mpmath.sinpi(2 * mpmath.mpf(turns))
        assert abs(sine(turns) - expected) <= 2.0 * EPSILON * abs(expected)
        phase = 2.0 * math.pi * EPSILON / 2.0 * (abs(turns) + 0.25)
        error = cosine(turns) - mpmath.cospi(2 * mpmath.mpf(turns))
        assert abs(error) <= 2.0 * EPSILON + phase


@pytest.mark.parametrize("places", [PLACES, IN_PLANE], ids=["3D", "2D"])
def test_taylor_green_is_its_formula(places: Any) -> None:
    flow = TaylorGreen(speed=1.5, length=0.8)
    expected = taylor_green(places, 1.5, 0.8)
    assert np.abs(everywhere(places, flow) - expected).max() <= rounding(flow, places)
    assert (everywhere(IN_PLANE, flow)[:, 2] == 0.0).all()


def test_taylor_green_turns_as_in_the_paper() -> None:
    """Sigurgeirsson, Stuart & Wan 2001: u = (sin 2πx cos 2πy, −cos 2πx sin 2πy)."""
    flow = TaylorGreen()
    assert at((0.25, 0.0, 0.0), flow) == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)
    assert at((0.0, 0.25, 0.0), flow) == pytest.approx([0.0, -1.0, 0.0], abs=1e-15)
    assert at((0.25, 0.25, 0.0), flow) == pytest.approx([0.0, 0.0, 0.0], abs=1e-15)
    assert at((0.125, 0.125, 0.0), flow) == pytest.approx([0.5, -0.5, 0.0], abs=1e-15)


def test_abc_is_its_formula() -> None:
    flow = ABC(1.0, -0.5, 0.75, length=1.2)
    assert np.abs(everywhere(PLACES, flow) - abc(PLACES, *flow)).max() <= rounding(flow, PLACES)


def test_uniform_and_shear_are_their_formulas() -> None:
    assert (everywhere(PLACES, Uniform(0.5, -1.0, 2.0)) == [0.5, -1.0, 2.0]).all()
    sheared = everywhere(PLACES, Shear(3.0))
    assert (sheared[:, 0] == 3.0 * PLACES[:, 1]).all()
    assert (sheared[:, 1:] == 0.0).all()


def gradient(position: Any, flow: Any, step: float) -> Any:
    """∂u_a/∂x_b from central differences."""
    columns = []
    for axis in range(3):
        way = np.zeros(3)
        way[axis] = step
        columns.append((at(position + way, flow) - at(position - way, flow)) / (2.0 * step))
    return np.column_stack(columns)


@pytest.mark.parametrize(
    "flow", [TaylorGreen(1.5, 0.8), ABC(1.0, -0.5, 0.75, 1.2), Shear(3.0), Uniform(1.0, 2.0, 3.0)]
)
def test_no_flow_has_a_divergence(flow: Any) -> None:
    """Central differences of sin kx and of sin ky are wrong by the same factor sin(kh) / (kh), so
    only rounding is left: that of velocities, over the step."""
    step = 1.0 / 64.0
    for position in PLACES[:10]:
        tensor = gradient(position, flow, step)
        noise = 1e3 * EPSILON * max(np.abs(at(position, flow)).max(), 1.0)
        assert abs(np.trace(tensor)) <= noise / step


def test_the_curl_of_abc_is_the_flow_itself() -> None:
    """∇ × u = k u; in central differences with step h, sin(kh) / h instead of k."""
    flow, step = ABC(1.0, -0.5, 0.75, 1.2), 1.0 / 64.0
    factor = math.sin(2.0 * math.pi / flow.length * step) / step
    for position in PLACES[:10]:
        g = gradient(position, flow, step)
        curl = np.array([g[2, 1] - g[1, 2], g[0, 2] - g[2, 0], g[1, 0] - g[0, 1]])
        assert curl == pytest.approx(factor * at(position, flow), abs=1e3 * EPSILON / step)


@pytest.mark.parametrize("flow", [TaylorGreen(1.5, 0.8), ABC(1.0, -0.5, 0.75, 1.2)])
def test_flows_repeat_after_their_length(flow: Any) -> None:
    far = PLACES + flow.length * np.array([2.0, -3.0, 1.0])
    allowed = rounding(flow, far) + rounding(flow, PLACES)
    assert np.abs(everywhere(far, flow) - everywhere(PLACES, flow)).max() <= allowed


# A flow of a user's own


class Decaying(NamedTuple):
    """A vortex that dies out, as a user writes it; the number of turns is a whole number."""

    rate: float
    turns: int


@carom.fluids.velocity.register(Decaying)
@carom.kernel
def _(place, flow):  # type: ignore[no-untyped-def]
    strength = math.exp(-place.time) * flow.rate
    for _ in range(flow.turns):
        strength *= 2.0
    return (-strength * place.position[1], strength * place.position[0], 0.0)


@carom.kernel
def carried(positions, time, flow, out):  # type: ignore[no-untyped-def]
    """A loop that knows nothing of the flow it is handed."""
    for i in range(positions.shape[0]):
        place = Place((positions[i, 0], positions[i, 1], positions[i, 2]), time)
        u = velocity(place, flow)
        out[i, 0] = u[0]
        out[i, 1] = u[1]
        out[i, 2] = u[2]


def test_a_flow_of_ones_own_is_compiled_into_loops() -> None:
    stream = carom.fluids.stream(Decaying(1, 2), None, 2)
    stream.go_to(0.5)
    assert isinstance(stream.field.rate, float) and isinstance(stream.field.turns, int)
    out = np.empty_like(IN_PLANE)
    carried(IN_PLANE, 0.5, stream.field, out)
    expected = 4.0 * math.exp(-0.5) * np.column_stack([-IN_PLANE[:, 1], IN_PLANE[:, 0]])
    assert out[:, :2] == pytest.approx(expected, rel=4.0 * EPSILON)
    assert carom.fluids.scales(Decaying(1.0, 2), None, 2) is None
    assert stream.arrays() == {}


class Unknown(NamedTuple):
    """A flow that nobody registered."""

    rate: float


class Wrong(NamedTuple):
    """A flow that gives what it is told to; a parameter has the name of a method of others."""

    scales: tuple[float, ...]


@carom.fluids.velocity.register(Wrong)
@carom.kernel
def _(place, flow):  # type: ignore[no-untyped-def]
    return flow.scales


def test_what_is_no_flow_is_refused() -> None:
    assert_refused(lambda: check_flow(Unknown(1.0), 2), "Unknown", "register", error=TypeError)
    assert_refused(lambda: carom.fluids.stream(3.0, None, 2), "3.0", "flow", error=TypeError)
    assert_refused(lambda: check_flow(Wrong((1.0, 2.0)), 2), "three numbers")
    assert_refused(lambda: check_flow(Wrong((1.0, math.nan, 0.0)), 2), "finite")
    assert_refused(lambda: check_flow(Wrong((1.0, 0.0, 1.0)), 2), "third", "three dimensions")
    check_flow(Wrong((1.0, 0.0, 1.0)), 3)
    assert carom.fluids.scales(Wrong((1.0, 0.0, 1.0)), None, 3) is None


@pytest.mark.parametrize(
    ("flow", "part"),
    [
        (TaylorGreen(math.inf), "speed"),
        (TaylorGreen(1.0, 0.0), "length.*positive.*0.0"),
        (TaylorGreen(1.0, -2.0), "length"),
        (TaylorGreen(1.0, "long"), "length.*'long'"),  # type: ignore[arg-type]
        (Uniform(math.nan), "x.*nan"),
        (Shear(math.inf), "rate"),
        (ABC(1.0, math.nan), "b.*nan"),
        (ABC(length=0.0), "length"),
    ],
)
def test_parameters_that_cannot_be_are_refused(flow: Any, part: str) -> None:
    assert_refused(lambda: carom.fluids.stream(flow, (1.0, 1.0, 1.0), 3), part)


def test_boxes_that_do_not_fit_are_refused() -> None:
    def made(flow: Any, sides: Any, periodic: Any = None) -> Any:
        return carom.fluids.stream(flow, sides, len(sides), periodic)

    remedy = ("along y", "1.25", "length=1.25", "a box 1 long")
    assert_refused(lambda: made(TaylorGreen(), (2.0, 1.25)), *remedy)
    assert_refused(lambda: made(TaylorGreen(length=2.0), (1.0, 1.0)), "length=1 ")
    assert_refused(lambda: made(ABC(), (1.0, 1.0, 0.5)), "along z")
    assert_refused(lambda: made(ABC(), (1.0, 1.0)), "three dimensions")
    assert_refused(lambda: made(Shear(1.0), (1.0, 1.0)), "repeats along y", "periodic='x'")
    assert_refused(lambda: made(Shear(1.0), (1.0, 2.0), (False, True)), "repeats along y")
    # What fits: whole numbers up to rounding, walls where it does not, and no box at all.
    made(TaylorGreen(length=0.1), (3 * 0.1, 7 * 0.1))
    made(TaylorGreen(), (2.0, 1.25), (True, False))
    made(Shear(1.0), (1.0, 1.0), (True, False))
    made(Shear(0.0), (1.0, 1.0))
    carom.fluids.stream(Shear(1.0), None, 2)


def test_scales_of_flows() -> None:
    box = (2.0, 4.0, 2.0)
    assert carom.fluids.scales(TaylorGreen(-0.5, 2.0), box, 2) == Scales(0.5, 2.0, 4.0)
    assert carom.fluids.scales(TaylorGreen(0.0, 2.0), box, 2) == Scales(0.0, 2.0, math.inf)
    assert carom.fluids.scales(ABC(2.0, 2.0, 1.0, 6.0), None, 3) == Scales(3.0, 6.0, 2.0)
    assert carom.fluids.scales(Uniform(3.0, 4.0), box, 2) == Scales(5.0, math.inf, math.inf)
    assert carom.fluids.scales(Shear(-2.0), box, 2) == Scales(8.0, 4.0, 0.5)
    assert carom.fluids.scales(Shear(2.0), None, 2) == Scales(math.inf, math.inf, 0.5)


SCRIPT = """
import json
import numba
import numpy as np
from carom.fluids import *

PLACES = np.random.default_rng(5).uniform(-3.0, 3.0, (40, 3)).tolist()
FLOWS = [TaylorGreen(1.5, 0.8), ABC(1.0, -0.5, 0.75, 1.2), Uniform(1.0, 2.0), Shear(3.0)]
FLOWS += [stream(SyntheticTurbulence(grid=8), (1.0, 1.5), 2).field]
FLOWS += [stream(SyntheticTurbulence(grid=8), (1.0, 1.5, 1.2), 3).field]
values = [[velocity(Place(tuple(place), 0.0), flow) for place in PLACES] for flow in FLOWS]
print(json.dumps({"compiled": not numba.config.DISABLE_JIT, "values": values}))
"""


def test_flows_are_the_same_without_a_compiler(tmp_path: Path, run_script: Any) -> None:
    """A compiler may contract a product and a sum into one rounding: of phases of a few tens, and
    of the way between nodes of a grid."""
    script = tmp_path / "flows.py"
    script.write_text(SCRIPT)
    results = []
    for disabled in ("0", "1"):
        finished = run_script(script, NUMBA_DISABLE_JIT=disabled)
        assert finished.returncode == 0, finished.stderr
        results.append(json.loads(finished.stdout))
    assert results[0]["compiled"] and not results[1]["compiled"]
    assert np.array(results[0]["values"]) == pytest.approx(
        np.array(results[1]["values"]), abs=1e-13
    )
