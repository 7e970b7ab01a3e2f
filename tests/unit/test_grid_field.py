"""Flows on a grid: interpolation in space and time, fields from files, what is refused."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import assert_refused
from scipy.interpolate import RegularGridInterpolator

import carom
from carom.fluids import GridField, Place, Scales, velocity

EPSILON = float(np.finfo(np.float64).eps)
RNG = np.random.default_rng(11)
PLANAR = RNG.normal(size=(3, 5, 7, 2))
SPATIAL = RNG.normal(size=(1, 4, 5, 3, 3))
TIMES = [1.0, 2.0, 4.0]
SIDES = (1.5, 2.0, 0.75)


def at(position: Any, field: Any) -> Any:
    return np.array(velocity(Place(tuple(float(x) for x in position), 0.0), field))


def stream(values: Any, times: Any = 0.0, sides: Any = SIDES) -> Any:
    dimension = np.shape(values)[-1]
    return GridField(times, values).stream(sides[:dimension], dimension)


def interpolated(values: Any, position: Any, sides: Any) -> Any:
    """The same by SciPy: wrapped, on a grid whose first nodes are repeated at the end."""
    dimension = values.shape[-1]
    padded = np.pad(values, [(0, 1)] * dimension + [(0, 0)], mode="wrap")
    axes = [np.linspace(0.0, sides[k], n + 1) for k, n in enumerate(values.shape[:-1])]
    wrapped = np.mod(position[:, :dimension], sides[:dimension])
    return RegularGridInterpolator(axes, padded)(wrapped)


@pytest.mark.parametrize("values", [PLANAR[:1], SPATIAL], ids=["2D", "3D"])
def test_interpolation_is_linear_along_each_axis(values: Any) -> None:
    """Positions of up to four box lengths are wrapped with an error of some EPSILON of these; it
    becomes one of a velocity with the steepest slope, n |Δu| per box length."""
    dimension = values.shape[-1]
    position = RNG.uniform(-4.0, 4.0, (200, 3)) * SIDES
    position[:, dimension:] = 0.0
    field = stream(values).field
    found = np.array([at(x, field) for x in position])
    allowed = 4.0 * 4.0 * EPSILON * dimension * max(values.shape) * np.ptp(values)
    assert np.abs(found[:, :dimension] - interpolated(values[0], position, SIDES)).max() <= allowed
    assert (found[:, dimension:] == 0.0).all()


def test_nodes_lie_where_they_are_said_to() -> None:
    field = stream(PLANAR[:1]).field
    for i, j in [(0, 0), (3, 0), (4, 6), (2, 5)]:
        x = (i * SIDES[0] / 5, j * SIDES[1] / 7, 0.0)
        allowed = 4.0 * EPSILON * 7 * np.ptp(PLANAR)
        assert at(x, field)[:2] == pytest.approx(PLANAR[0, i, j], abs=allowed)


@settings(max_examples=200, deadline=None)
@given(x=st.floats(-1e300, 1e300), y=st.floats(-1e300, 1e300))
def test_the_velocity_anywhere_lies_between_those_of_nodes(x: float, y: float) -> None:
    u = at((x, y, 0.0), FIELD)[:2]
    room = 4.0 * EPSILON * np.abs(PLANAR[0]).max()
    assert (u >= PLANAR[0].min(axis=(0, 1)) - room).all()
    assert (u <= PLANAR[0].max(axis=(0, 1)) + room).all()


FIELD = stream(PLANAR[:1]).field


@pytest.mark.parametrize("lost", [math.nan, math.inf, -math.inf])
def test_a_position_that_is_lost_has_no_velocity(lost: float) -> None:
    with np.errstate(invalid="ignore"):  # NumPy warns of it where nothing is compiled
        assert np.isnan(at((lost, 0.5, 0.0), FIELD)[:2]).all()
        assert np.isnan(at((0.5, lost, 0.0), FIELD)[:2]).all()


def test_interpolated_vortices_are_wrong_by_the_curvature_between_nodes() -> None:
    """Linear interpolation errs by h²/8 times the second derivative, along each axis: of sin kx cos
    ky by up to h² k² / 4, which is nearly reached in the middle of a cell at a maximum."""
    n, length = 64, 2.0
    flow = carom.fluids.TaylorGreen(1.0, length)
    nodes = np.arange(n) * length / n
    values = np.array([[at((x, y, 0.0), flow)[:2] for y in nodes] for x in nodes])
    field = stream(values[None], sides=(length, length)).field
    middles = nodes[::4] + 0.5 * length / n
    places = [(x, y, 0.0) for x in middles for y in middles]
    error = max(np.abs(at(x, field) - at(x, flow)).max() for x in places)
    bound = (2.0 * math.pi / n) ** 2 / 4.0
    assert 0.8 * bound < error <= bound


@pytest.mark.parametrize(
    ("time", "frames"),
    [
        (0.0, {0: 1.0}),  # held before the first
        (1.0, {0: 1.0}),
        (1.25, {0: 0.75, 1: 0.25}),
        (2.0, {1: 1.0}),
        (3.0, {1: 0.5, 2: 0.5}),
        (4.0, {2: 1.0}),
        (9.0, {2: 1.0}),  # held after the last
    ],
)
def test_between_frames_the_flow_is_linear_in_time(time: float, frames: dict[int, float]) -> None:
    moving = stream(PLANAR, TIMES)
    array = moving.field.velocity
    moving.go_to(time)
    expected = sum(share * PLANAR[k] for k, share in frames.items())
    assert moving.field.velocity is array
    assert (array == expected).all()


def test_a_restored_stream_goes_on_as_it_was() -> None:
    first, second = stream(PLANAR, TIMES), stream(PLANAR, TIMES)
    first.go_to(2.7)
    second.restore(first.arrays())
    assert (first.field.velocity == second.field.velocity).all()


class Reader:
    """Frames that know which of them have been read."""

    shape = PLANAR.shape

    def __init__(self) -> None:
        self.read: list[int] = []

    def __getitem__(self, k: int) -> Any:
        self.read.append(k)
        return PLANAR[k].tolist()


def test_frames_are_read_when_needed_and_once() -> None:
    reader = Reader()
    moving = GridField(TIMES, reader).stream(SIDES[:2], 2)
    for time in (1.0, 1.2, 1.9):
        moving.go_to(time)
    assert reader.read == [0, 1]
    for time in (2.0, 2.5, 4.5):
        moving.go_to(time)
    assert reader.read == [0, 1, 2]
    assert (moving.field.velocity == PLANAR[2]).all()


def test_fields_in_hdf5_files(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "flow.h5"
    with h5py.File(path, "w") as file:
        file["velocity"], file["times"] = PLANAR, TIMES
        file["coarse/u"] = PLANAR.astype(np.float32)
    for name, values in (("velocity", PLANAR), ("coarse/u", PLANAR.astype(np.float32))):
        moving = GridField.from_hdf5(path, velocity=name).stream(SIDES[:2], 2)
        moving.go_to(3.0)
        single = values.astype(np.float64)
        assert (moving.field.velocity == 0.5 * single[1] + 0.5 * single[2]).all()
    assert_refused(
        lambda: GridField.from_hdf5(path, velocity="u"), "no dataset 'u'", "'velocity'", "velocity="
    )
    assert_refused(lambda: GridField.from_hdf5(path, times="t"), "no dataset 't'", "times=")
    with pytest.raises(FileNotFoundError, match="absent"):
        GridField.from_hdf5(tmp_path / "absent.h5")


def test_without_h5py_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    assert_refused(
        lambda: GridField.from_hdf5("flow.h5"), "flow.h5", r"carom\[hdf5\]", error=ImportError
    )


def test_what_is_no_field_is_refused() -> None:
    broken = PLANAR.copy()
    broken[1, 2, 3, 0] = math.nan
    assert_refused(lambda: GridField(TIMES, broken), "frame 1", r"node \(2, 3\)", "finite")
    assert_refused(lambda: GridField([1.0, 3.0, 2.0], PLANAR), "increase")
    assert_refused(lambda: GridField([1.0, 1.0, 2.0], PLANAR), "increase")
    assert_refused(lambda: GridField([1.0, 2.0, math.inf], PLANAR), "finite")
    assert_refused(lambda: GridField([1.0, 2.0], PLANAR), "T = 2", r"\(3, 5, 7, 2\)")
    assert_refused(lambda: GridField(TIMES, PLANAR[..., :1]), "shape")
    assert_refused(lambda: GridField(TIMES, PLANAR[0]), "shape")
    assert_refused(lambda: GridField(TIMES, PLANAR[:, :0]), "no nodes")
    assert_refused(lambda: GridField(TIMES, PLANAR, lengths=-1.0), "positive")
    assert_refused(lambda: GridField([-1.5e308, 1e308], PLANAR[:2]), "increase")
    assert_refused(lambda: GridField("now", PLANAR[:1]), "GridField: times must be numbers")
    assert_refused(lambda: GridField(TIMES, PLANAR * 1j), "frame 0 must be numbers", "complex")
    assert_refused(lambda: GridField(0.0, [["a"]]), "GridField: velocity must be numbers")


def test_a_frame_that_cannot_be_used_is_refused_again_and_again() -> None:
    class Damaged(Reader):
        def __getitem__(self, k: int) -> Any:
            return np.full(PLANAR.shape[1:], math.nan if k == 2 else 1.0)

    moving = GridField(TIMES, Damaged()).stream(SIDES[:2], 2)
    moving.go_to(1.5)
    for _ in range(2):
        assert_refused(lambda: moving.go_to(3.0), "frame 2", "finite")
        assert float(moving.arrays()["time"]) == 1.5


def test_boxes_that_do_not_fit_a_field_are_refused() -> None:
    field = GridField(TIMES, PLANAR, lengths=(1.0, 2.0))
    assert_refused(lambda: field.stream((1.0, 2.0, 1.0), 3), "2 dimensions", "in 3")
    assert_refused(lambda: field.stream((1.0, 3.0), 2), "along y", "lengths=1.5")
    assert_refused(lambda: GridField(TIMES, PLANAR).stream(None, 2), "open space", "lengths=")
    assert_refused(lambda: GridField(0.0, SPATIAL, (1.0, 2.0)).stream(None, 3), "2 lengths")
    field.stream((3.0, 2.0), 2)
    field.stream(None, 2)
    field.stream((1.0, 3.0), 2, (True, False))


def test_scales_of_a_field() -> None:
    values = np.zeros((1, 2, 2, 2))
    values[0, :, :, 0], values[0, :, :, 1] = 3.0, 4.0
    assert carom.fluids.scales(GridField(0.0, values), (10.0, 20.0), 2) == Scales(5.0, 10.0, 2.0)
    assert repr(GridField(TIMES, PLANAR)) == "<GridField: 3 frames of 5 × 7 nodes>"
