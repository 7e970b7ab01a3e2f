"""Films: that each look is in them, that browsers play them, and what happens on the way."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import carom
from carom.plotting import FlowView, Look, Looks, TrajectoryLooks, film
from carom.plotting.drawing import Content
from carom.plotting.film import _with_scales
from carom.plotting.flow import flow_scale, sampled_flow


def whirl(points: Any, time: float) -> Any:
    """Faster and faster about the middle of a box of side 4."""
    velocity = np.zeros_like(points)
    velocity[:, 0] = -(1.0 + time) * (points[:, 1] - 2.0)
    velocity[:, 1] = (1.0 + time) * (points[:, 0] - 2.0)
    return velocity


def still(n: int = 40) -> Look:
    random = np.random.default_rng(7)
    position = random.random((n, 2)) * 4.0
    particles = carom.Particles(position, random.normal(size=(n, 2)), radius=0.08)
    return Look(carom.System(particles, carom.Periodic(4.0)), 0.5, particles)


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


def test_names_of_films_may_be_in_capitals(tmp_path: Path) -> None:
    particles, box = carom.packings.lattice(4, 0.1, dimension=2, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    film(tmp_path / "FILM.GIF", [simulation])
    assert (tmp_path / "FILM.GIF").stat().st_size > 0
    with pytest.raises(TypeError, match="looks must be several"):
        film(tmp_path / "film.gif", simulation)  # type: ignore[arg-type]
