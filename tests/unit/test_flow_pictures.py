"""Particles over a flow, and slices through space."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import carom
from carom.plotting import FlowView, Look, Looks, Slice, picture
from carom.plotting.flow import flow_scale, sampled_flow
from carom.plotting.slices import slice_through


def whirl(points: Any, time: float) -> Any:
    """Vorticity 2 (1 + t) everywhere about z through the middle of a box of side 4."""
    velocity = np.zeros_like(points)
    velocity[:, 0] = -(1.0 + time) * (points[:, 1] - 2.0)
    velocity[:, 1] = (1.0 + time) * (points[:, 0] - 2.0)
    return velocity


def still(dimension: int = 2, n: int = 40) -> Look:
    side = 4.0
    random = np.random.default_rng(7)
    position = random.random((n, dimension)) * side
    particles = carom.Particles(position, random.normal(size=(n, dimension)), radius=0.08)
    return Look(carom.System(particles, carom.Periodic(side)), 0.5, particles)


def test_a_flow_is_asked_at_the_middles_of_a_grid_over_the_box() -> None:
    seen = []

    def uniform(points: Any, time: float) -> Any:
        seen.append((points, time))
        return np.full_like(points, 3.0)

    system = carom.System(carom.Particles([[1.0, 1.0]]), carom.Periodic([8.0, 2.0]))
    sample = sampled_flow(FlowView(uniform), Look(system, 1.5, system.particles))
    ((points, time),) = seen
    assert time == 1.5
    assert sample.values.shape == (40, 160)
    np.testing.assert_allclose(sample.values, math.sqrt(18.0), rtol=1e-15)
    np.testing.assert_allclose(sample.x[[0, -1]], [0.025, 7.975], rtol=1e-13)
    np.testing.assert_allclose(points[:160, 0], sample.x, rtol=0)
    np.testing.assert_allclose(points[::160, 1], sample.y, rtol=0)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_vorticity_about_each_axis_of_space(axis: str) -> None:
    """Rotation with the vector (1, 2, 3) has twice that for vorticity, whatever is shown."""
    spin = np.array([1.0, 2.0, 3.0])
    flow = FlowView(
        lambda points, _: np.cross(spin, points), show="vorticity", slice=Slice(axis, height=1.0)
    )
    sample = sampled_flow(flow, still(3))
    # Differences over a fortieth of numbers below 20.
    expected = 2.0 * spin["xyz".index(axis)]
    np.testing.assert_allclose(sample.values, expected, rtol=0, atol=1e-11)
    kept = Slice(axis).kept
    corner = np.insert([sample.x[3], sample.y[5]], "xyz".index(axis), 1.0)
    np.testing.assert_allclose(sample.velocity[5, 3], np.cross(spin, corner)[kept], rtol=1e-13)


def test_vorticity_in_the_plane_and_its_scale() -> None:
    sample = sampled_flow(FlowView(whirl, show="vorticity"), still())
    np.testing.assert_allclose(sample.values, 3.0, rtol=1e-12)
    scale = flow_scale([sample, sample._replace(values=-2.0 * sample.values)])
    assert (scale.vmin, scale.vmax) == pytest.approx((-6.0, 6.0))
    speeds = flow_scale([sampled_flow(FlowView(whirl), still())])
    assert speeds.vmin == 0.0
    # All but a hundredth of the places are slower.
    values = sampled_flow(FlowView(whirl), still()).values
    assert (values > speeds.vmax).mean() == pytest.approx(0.01, abs=1e-3)


def test_a_slice_shows_what_is_near_it_through_the_border_too() -> None:
    particles = carom.Particles(
        [[1.0, 2.0, 0.1], [1.0, 2.0, 3.9], [1.0, 2.0, 0.4], [3.0, 1.0, 2.0]],
        radius=[0.1, 0.2, 0.1, 0.1],
    )
    walls = [carom.Plane([0.0, 1.0, 1.0], [0.0, 1.0, 1.0]), carom.Plane([0, 0, 1.0], [0, 0, 1.0])]
    system = carom.System(particles, carom.Box(4.0, periodic="x"), walls=walls)
    look = Look(system, 0.0, particles)
    cut = slice_through(look, Slice("z", height=0.0, thickness=0.4))
    np.testing.assert_array_equal(cut.chosen, [True, False, False, False])
    periodic = Look(carom.System(particles, carom.Periodic(4.0)), 0.0, particles)
    cut_there = slice_through(periodic, Slice("z", height=0.0, thickness=0.4))
    np.testing.assert_array_equal(cut_there.chosen, [True, True, False, False])
    np.testing.assert_array_equal(cut_there.particles.radius, [0.1, 0.2])
    # y + z = 2 meets z = 0 at y = 2; the second wall is parallel to the slice.
    (line,) = cut.system.further_planes
    assert line.point[1] == pytest.approx(2.0)
    np.testing.assert_allclose(line.normal, [0.0, 1.0])
    middle = slice_through(look, Slice("x"))
    assert middle.system.sides == (4.0, 4.0)
    assert middle.system.periodic == (False, False)
    assert slice_through(look, Slice("y", 3.5, 0.01)).particles.position.shape == (0, 2)


@pytest.mark.parametrize("lines", ["streamlines", "arrows", "none"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_pictures_over_a_flow(tmp_path: Path, dimension: int, lines: Any) -> None:
    """A red field, of positive vorticity, with dark disks in it."""
    flow = FlowView(whirl, show="vorticity", lines=lines, slice=Slice(thickness=1.0))
    figure = picture(still(dimension), tmp_path / "p.png", flow=flow)
    pixels = np.asarray(Image.open(tmp_path / "p.png").convert("RGB"), dtype=int)
    red = (pixels[..., 0] > pixels[..., 2] + 20).mean()
    assert red > 0.4
    # Plain disks are INK, the darkest there is in any number.
    dark = (pixels.max(axis=-1) < 70).sum()
    chosen = (
        40 if dimension == 2 else int((np.abs(still(3).particles.position[:, 2] - 2) < 0.5).sum())
    )
    per_unit = 5.0 * 150 / 4.0
    assert dark > 0.7 * chosen * math.pi * (0.08 * per_unit) ** 2
    assert figure.axes[1].get_ylabel() == "fluid vorticity"


def test_two_scales_where_particles_have_colours_too(tmp_path: Path) -> None:
    figure = picture(still(), tmp_path / "p.png", flow=FlowView(whirl), colour="speed")
    assert [axes.get_ylabel() for axes in figure.axes[1:]] == ["fluid speed", "particle speed"]
    calm = FlowView(lambda points, _: np.zeros_like(points))
    picture(still(), tmp_path / "p.png", flow=calm)


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="show must be one of 'speed', 'vorticity', not 'heat'"):
        FlowView(whirl, show="heat")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lines must be one of"):
        FlowView(whirl, lines="dots")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="perpendicular to 'x', 'y' or 'z', not 'w'"):
        Slice("w")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="thickness of a slice must be positive, not 0"):
        Slice(thickness=0)
    with pytest.raises(ValueError, match="one velocity for each point"):
        sampled_flow(FlowView(lambda points, _: points[:3]), still())
    with pytest.raises(ValueError, match="not finite at"):
        sampled_flow(FlowView(lambda points, _: np.full_like(points, np.inf)), still())
    spheres = carom.Particles([[1.0, 1.0, 1.0]])
    endless = Look(carom.System(spheres), 0.0, spheres)
    with pytest.raises(ValueError, match="give the slice a height"):
        slice_through(endless, Slice())
    sheared = carom.System(spheres, carom.LeesEdwards(4.0, 1.0))
    with pytest.raises(ValueError, match="slice it along z"):
        slice_through(Look(sheared, 0.3, spheres), Slice("x"))


# The fluid of a simulation


def carried(fluid: Any, observers: Any = ()) -> carom.Simulation:
    particles, box = carom.packings.random(30, 0.05, dimension=2, temperature=0.0, seed=1)
    side = box.sides(2)[0]
    small = carom.Particles(particles.position / side, radius=0.5 / side)
    system = carom.System(small, carom.Periodic(1.0))
    method = carom.Laden(fluid, dt=0.01, relaxation_time=0.1)
    return carom.Simulation(system, method=method, observers=observers)


def test_velocities_of_a_flow_at_many_points() -> None:
    flow = carom.fluids.TaylorGreen(2.0, 0.5)
    points = np.random.default_rng(2).random((20, 2))
    phase = 4.0 * math.pi * points
    expected = 2.0 * np.stack(
        [np.sin(phase[:, 0]) * np.cos(phase[:, 1]), -np.cos(phase[:, 0]) * np.sin(phase[:, 1])], 1
    )
    # Phases up to 13 are rounded in a few operations.
    np.testing.assert_allclose(carom.fluids.velocities(points, 0.0, flow), expected, atol=1e-14)
    in_space = np.insert(points, 2, 0.125, axis=1)  # a quarter of a period: the cosine is zero
    np.testing.assert_allclose(carom.fluids.velocities(in_space, 0.0, flow), 0.0, atol=1e-14)
    with pytest.raises(ValueError, match=r"shape \(k, 2\) or \(k, 3\), not \(3,\)"):
        carom.fluids.velocities([0.1, 0.2, 0.3], 0.0, flow)


def test_pictures_ask_a_simulation_for_its_fluid(tmp_path: Path) -> None:
    turbulence = carom.fluids.SyntheticTurbulence(grid=16, seed=3)
    looks = Looks(0.05, FlowView())
    simulation = carried(turbulence, [looks])
    simulation.run(until=0.1)
    assert looks[0].flow is not None
    assert looks[2].flow is not None
    assert (looks[0].flow.values != looks[2].flow.values).any()
    now = simulation.fluid.velocity([[looks[2].flow.x[4], looks[2].flow.y[7]]])
    np.testing.assert_array_equal(looks[2].flow.velocity[7, 4], now[0])
    with pytest.raises(ValueError, match=r"made step by step.*at 0 are not known"):
        simulation.fluid.velocity([[0.1, 0.1]], time=0.0)
    picture(simulation, tmp_path / "p.png", flow=FlowView(show="vorticity"))
    with pytest.raises(ValueError, match="does not know its fluid"):
        picture(looks[2]._replace(flow=None), flow=FlowView())
    without = carom.Simulation(simulation.system)
    with pytest.raises(AttributeError, match="EventDriven has no fluid"):
        without.fluid.velocity([[0.1, 0.1]])
    with pytest.raises(ValueError, match="there is no fluid"):
        picture(without, flow=FlowView())
