"""Particles over a flow, slices through space, and films."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.animation import FFMpegWriter
from matplotlib.figure import Figure
from PIL import Image

import carom
from carom.plotting import FlowView, Look, Looks, Slice, TrajectoryLooks, film, picture
from carom.plotting.drawing import Content
from carom.plotting.film import _with_scales, writer_for
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
    (line,) = cut.system.walls
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


# Films


def falling(observers: list[Any]) -> carom.Simulation:
    """Two disks in open space, over a plate."""
    particles = carom.Particles([[0.0, 3.0], [2.0, 5.0]], [[1.0, 0.0], [0.0, 2.0]])
    walls = [carom.Plane([0.0, 0.0], [0.0, 1.0])]
    law = carom.ConstantRestitution(1.0)
    system = carom.System(particles, walls=walls, gravity=[0.0, -1.0], law=law)
    return carom.Simulation(system, observers=observers)


def test_looks_are_the_particles_at_their_times(tmp_path: Path) -> None:
    """In memory exactly, in a trajectory to single precision, wherever open space was cut off."""
    kept = Looks(0.5)
    simulation = falling([kept, carom.Trajectory(tmp_path / "t.gsd", 0.5)])
    simulation.run(until=2.0)
    assert [look.time for look in kept] == [0.0, 0.5, 1.0, 1.5, 2.0]
    np.testing.assert_array_equal(kept[-1].particles.position, simulation.particles.position)
    # Free fall before the first impact.
    np.testing.assert_allclose(kept[2].particles.position, [[1.0, 2.5], [2.0, 6.5]], rtol=1e-14)
    read = TrajectoryLooks(tmp_path / "t.gsd", simulation.system)
    assert len(read) == 5
    assert [look.time for look in read[1:3]] == [0.5, 1.0]
    for ours, theirs in zip(read, kept, strict=True):
        # Half a unit in the last place of 24 bits, of numbers below 8.
        np.testing.assert_allclose(
            ours.particles.position, theirs.particles.position, rtol=0, atol=8 * 2.0**-25
        )
        np.testing.assert_allclose(
            ours.particles.velocity, theirs.particles.velocity, rtol=0, atol=4 * 2.0**-25
        )
    assert (read[0].particles.radius == 0.5).all()


def test_looks_at_a_sheared_box(tmp_path: Path) -> None:
    particles, box = carom.packings.random(30, 0.2, dimension=2, temperature=1.0, seed=1)
    domain = carom.LeesEdwards(box.lengths, 2.0)
    kept = Looks(0.2)
    simulation = carom.Simulation(
        carom.System(particles, domain, law=carom.ConstantRestitution(0.9)),
        observers=[kept, carom.Trajectory(tmp_path / "t.gsd", 0.2)],
    )
    simulation.run(until=0.4)
    read = TrajectoryLooks(tmp_path / "t.gsd", simulation.system)
    sides = np.array(simulation.system.sides)
    apart = read[2].particles.position - kept[2].particles.position
    # The same places, but for those that rounding puts on the other side of the box.
    apart -= np.round(apart / sides) * sides
    assert np.abs(apart).max() < sides.max() * 2.0**-22


def frames_of(path: Path) -> list[Any]:
    with Image.open(path) as pictures:
        frames = []
        for k in range(pictures.n_frames):
            pictures.seek(k)
            frames.append(np.asarray(pictures.convert("RGB"), dtype=int))
        return frames


def test_a_film_shows_each_look(tmp_path: Path) -> None:
    """One disk that moves by a quarter of the box from frame to frame."""
    system = carom.System(carom.Particles([[1.0, 2.0]], radius=0.5), carom.Periodic(4.0))
    looks = [
        Look(system, float(k), carom.Particles([[1.0 + k, 2.0]], [[1.0, 0.0]], radius=0.5))
        for k in range(3)
    ]
    film(tmp_path / "f.gif", iter(looks), colour="plain", frames_per_second=10)
    frames = frames_of(tmp_path / "f.gif")
    assert len(frames) == 3
    assert len({frame.shape for frame in frames}) == 1
    columns = []
    for frame in frames:
        height, width = frame.shape[:2]
        # Without the title and the numbers at the axes.
        middle = frame[height // 3 : 2 * height // 3, width // 8 :]
        columns.append(np.argwhere(middle.max(axis=-1) < 100)[:, 1].mean())
    steps = np.diff(columns)
    # A quarter of a box that is some 480 pixels wide, to the nearest pixel.
    assert steps[0] == pytest.approx(steps[1], abs=2.0)
    assert 100.0 < steps[0] < 130.0
    assert not list(tmp_path.glob(".*"))


def test_scales_of_a_film_suit_all_of_it() -> None:
    looks = [
        Look(
            look.system,
            0.1 * k,
            carom.Particles(look.particles.position, np.full((40, 2), 1.0 + k)),
        )
        for k, look in enumerate([still()] * 40)
    ]
    content = _with_scales(Content(colour="speed", flow=FlowView(whirl)), looks)
    # The last is the fastest and windiest: speed 40 √2, and 1 + 3.9 times a steady whirl.
    assert content.particle_scale is not None
    assert content.flow_scale is not None
    assert content.particle_scale.vmax == pytest.approx(40.0 * math.sqrt(2.0))
    alone = flow_scale([sampled_flow(FlowView(whirl), looks[0])])
    assert content.flow_scale.vmax == pytest.approx(4.9 * alone.vmax)
    assert content.corners is None


def test_a_film_of_open_space_does_not_jump() -> None:
    kept = Looks(0.5)
    falling([kept]).run(until=2.0)
    corners = _with_scales(Content(), kept).corners
    assert corners is not None
    lower, upper = corners
    for look in kept:
        assert (look.particles.position - 0.5 >= lower).all()
        assert (look.particles.position + 0.5 <= upper).all()
    assert lower[1] <= 0.0


def test_a_film_with_the_flow_of_each_look(tmp_path: Path) -> None:
    """The flow is asked for during the run, and drawn afterwards."""
    asked = []

    def gust(points: Any, time: float) -> Any:
        asked.append(time)
        return np.full_like(points, 1.0 + time)

    particles, box = carom.packings.lattice(30, 0.2, dimension=2, seed=1)
    looks = Looks(0.5, FlowView(gust, lines="arrows"))
    carom.Simulation(carom.System(particles, box), observers=[looks]).run(until=1.0)
    assert asked == [0.0, 0.5, 1.0]
    film(tmp_path / "f.gif", looks, progress=False)
    assert len(asked) == 3
    frames = frames_of(tmp_path / "f.gif")
    # On one scale the colours of ever faster winds differ.
    corner = [tuple(frame[frame.shape[0] // 2, 70]) for frame in frames]
    assert len(set(corner)) == 3


def test_films_that_cannot_be_made_are_refused(tmp_path: Path, monkeypatch: Any) -> None:
    with pytest.raises(ValueError, match=r"a film is a \.gif or an \.mp4, not 'f\.avi'"):
        film(tmp_path / "f.avi", [still()])
    with pytest.raises(ValueError, match="one look or more"):
        film(tmp_path / "f.gif", Looks(1.0))
    with pytest.raises(ValueError, match="frames_per_second must be"):
        film(tmp_path / "f.gif", [still()], frames_per_second=0)
    monkeypatch.setattr(FFMpegWriter, "isAvailable", classmethod(lambda cls: False))
    with pytest.raises(ValueError, match=r"needs ffmpeg.*or make a \.gif"):
        writer_for(tmp_path / "f.mp4")
    monkeypatch.setattr(FFMpegWriter, "isAvailable", classmethod(lambda cls: True))
    assert isinstance(writer_for(tmp_path / "f.mp4"), FFMpegWriter)


def test_a_film_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "f.gif"
    path.write_text("old")

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(RuntimeError, match="no ink"):
        film(path, [still()])
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == ["f.gif"]


def test_names_of_films_may_be_in_capitals(tmp_path: Path) -> None:
    particles, box = carom.packings.lattice(4, 0.1, dimension=2, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    film(tmp_path / "FILM.GIF", [simulation])
    assert (tmp_path / "FILM.GIF").stat().st_size > 0
    with pytest.raises(TypeError, match="looks must be several"):
        film(tmp_path / "film.gif", simulation)  # type: ignore[arg-type]
