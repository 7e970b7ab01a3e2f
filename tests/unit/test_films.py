"""Films: that each look is in them, that browsers play them, and what happens on the way."""

from __future__ import annotations

import math
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import carom
from carom.files import replacing
from carom.plotting import FlowView, Look, Looks, TrajectoryLooks, film
from carom.plotting.drawing import Content, Drawing
from carom.plotting.encoders import encoder_for
from carom.plotting.film import _with_scales
from carom.plotting.flow import draw_flow, flow_scale, sampled_flow
from carom.plotting.gif import palette_of


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


def test_a_steady_flow_is_drawn_once(monkeypatch: Any) -> None:
    """And one that changes in each frame; the axes stay as they are."""
    drawn = []

    def counted(*arguments: Any) -> Any:
        drawn.append(arguments)
        return draw_flow(*arguments)

    monkeypatch.setattr("carom.plotting.drawing.draw_flow", counted)
    for flow, times in ((lambda points, _: whirl(points, 0.0), 1), (whirl, 4)):
        figure = Figure()
        axes = figure.add_subplot()
        look = still()
        drawing = Drawing(figure, axes, look, Content(flow=FlowView(flow)))
        limits, number = axes.axis(), len(axes.get_children())
        for k in range(1, 4):
            drawing.show(look._replace(time=float(k)))
        assert len(drawn) == times
        assert len(axes.get_children()) == number
        assert axes.axis() == limits
        drawn.clear()


def test_names_of_films_may_be_in_capitals(tmp_path: Path) -> None:
    particles, box = carom.packings.lattice(4, 0.1, dimension=2, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    film(tmp_path / "FILM.GIF", [simulation])
    assert (tmp_path / "FILM.GIF").stat().st_size > 0
    with pytest.raises(TypeError, match="looks must be several"):
        film(tmp_path / "film.gif", simulation)  # type: ignore[arg-type]


def test_films_that_cannot_be_made_are_refused(tmp_path: Path, monkeypatch: Any) -> None:
    look = still()
    with pytest.raises(ValueError, match=r"a film is a \.gif, \.mp4 or \.webm, not 'f\.avi'"):
        film(tmp_path / "f.avi", [look])
    with pytest.raises(ValueError, match="one look or more"):
        film(tmp_path / "f.gif", Looks(1.0))
    with pytest.raises(ValueError, match="frames_per_second must be from 1 to 100, not 0"):
        film(tmp_path / "f.gif", [look], frames_per_second=0)
    with pytest.raises(ValueError, match="at most 50 frames per second, not 60"):
        film(tmp_path / "f.gif", [look], frames_per_second=60)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        film(tmp_path / "none" / "f.gif", [look])
    with pytest.raises(ValueError, match="has nothing of the box"):
        film(tmp_path / "f.gif", [look], region=((5, 5), (6, 6)))
    ball = carom.Simulation(carom.System(carom.Particles([[1.0, 1.0, 1.0]])))
    with pytest.raises(ValueError, match="look 1 is in 3 dimensions and the first one in 2"):
        film(tmp_path / "f.gif", [look, ball])
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("carom.plotting.encoders.ffmpeg", lambda: None)
    with pytest.raises(ValueError, match=r'needs ffmpeg.*pip install "carom\[film\]"; or make a'):
        encoder_for(tmp_path / "f.mp4", 20)


def test_looks_that_fail_leave_the_old_film(tmp_path: Path) -> None:
    def looks() -> Any:
        yield still()
        raise RuntimeError("the disk of the looks is gone")

    class Broken(list[Any]):
        def __getitem__(self, k: Any) -> Any:
            if k == 7:
                raise RuntimeError("the disk of the looks is gone")
            return super().__getitem__(k)

    for suffix in (".gif", ".mp4"):
        path = tmp_path / f"f{suffix}"
        path.write_text("old")
        for several in (looks(), Broken([still()] * 40)):
            with pytest.raises(RuntimeError, match="the disk of the looks is gone"):
                film(path, several)
        assert path.read_text() == "old"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["f.gif", "f.mp4"]


def test_a_program_that_stops_is_told_with_what_it_said(tmp_path: Path) -> None:
    """A device that is full, as ffmpeg sees it."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no device that is always full")
    begin = encoder_for(tmp_path / "f.webm", 20)
    with Path("/dev/full").open("wb") as full:
        encoder = begin(full, (64, 48), [])
        noise = np.random.default_rng(1).integers(0, 255, (48, 64, 3), dtype=np.uint8)
        with pytest.raises(OSError, match=r"ffmpeg could not write /dev/full: .*[Nn]o space"):
            for _ in range(3000):
                encoder.append(noise)
            encoder.finish()
        encoder.abandon()


@pytest.mark.posix
@pytest.mark.parametrize("suffix", ["gif", "mp4"])
def test_a_film_without_room_leaves_the_old_one(tmp_path: Path, suffix: str) -> None:
    """Files may be of 10 kB, as where a disk is nearly full."""
    script = """
import resource, sys, carom
from carom.plotting import film
particles, box = carom.packings.lattice(500, 0.3, dimension=2, temperature=1.0, seed=1)
look = carom.Simulation(carom.System(particles, box))
film("warm.gif", [look])
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
film(sys.argv[1], [look] * 3)
"""
    path = tmp_path / f"f.{suffix}"
    path.write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", script, path.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    said = {"gif": "f.gif cannot be written: File too large", "mp4": "ffmpeg could not write"}
    assert said[suffix] in last
    assert sorted(found.name for found in tmp_path.iterdir()) == [path.name, "warm.gif"]
    assert path.read_text() == "old"


@pytest.mark.posix
def test_ctrl_c_leaves_the_old_film_and_no_program(tmp_path: Path) -> None:
    script = """
import os, signal, sys, carom
from carom.plotting import film
particles, box = carom.packings.lattice(50, 0.3, dimension=2, temperature=1.0, seed=1)
look = carom.Simulation(carom.System(particles, box))
class Endless(list):
    def __getitem__(self, k):
        if k == 30:
            os.kill(os.getpid(), signal.SIGINT)
        return look
film(sys.argv[1], Endless([look] * 100))
"""
    path = tmp_path / "f.mp4"
    path.write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in done.stderr
    assert [found.read_text() for found in tmp_path.iterdir()] == ["old"]


def test_a_cell_plays_a_film(tmp_path: Path) -> None:
    short = film(tmp_path / "f.gif", [still()] * 3, progress=False)
    assert repr(short) == f"<Film {tmp_path / 'f.gif'}: 3 frames, 0.15 s>"
    assert '<img src="data:image/gif;base64,' in short._repr_html_()
    assert film(tmp_path / "f.gif", [still()]).length == "1 frame, 0.05 s"
    video = film(tmp_path / "f.mp4", [still()] * 3, frames_per_second=10)
    assert video.seconds == pytest.approx(0.3)
    assert '<video src="data:video/mp4;base64,' in video._repr_html_()
    assert " controls " in video._repr_html_()
    (tmp_path / "f.mp4").unlink()
    assert "the file is gone" in video._repr_html_()


def test_colours_of_a_gif_are_those_of_its_images() -> None:
    """Few colours stay as they are, to the six bits by which they are looked up."""
    image = np.full((40, 40, 3), 255, dtype=np.uint8)
    image[3, 5], image[20:30, 20:30] = (253, 0, 0), (0, 0, 129)
    assert {tuple(colour) for colour in palette_of([image])} == {
        (255, 255, 255),
        (255, 0, 0),
        (0, 0, 129),
    }
    ramp = np.zeros((64, 4096, 3), dtype=np.uint8)
    ramp[..., 0], ramp[..., 1] = np.arange(4096) // 16, np.arange(64)[:, None] * 4
    assert len(palette_of([ramp])) == 255


def test_a_gif_holds_every_image_where_little_changes(tmp_path: Path) -> None:
    """One pixel, nothing, a corner: what is left out is transparent."""
    images = [np.full((30, 50, 3), 255, dtype=np.uint8) for _ in range(4)]
    images[1][7, 9] = images[2][7, 9] = (255, 0, 0)
    images[3][20:, 40:] = (0, 0, 255)
    with replacing(tmp_path / "f.gif") as file:
        encoder = encoder_for(tmp_path / "f.gif", 30)(file, (50, 30), images)
        for image in images:
            encoder.append(image)
        encoder.finish()
    for made, drawn in zip(frames_of(tmp_path / "f.gif"), images, strict=True):
        np.testing.assert_array_equal(made, drawn)
    with Image.open(tmp_path / "f.gif") as picture:
        durations = []
        for k in range(4):
            picture.seek(k)
            durations.append(picture.info["duration"])
    assert durations == [30, 40, 30, 30]  # a thirtieth of a second each, in hundredths
    assert sum(durations) == 130


def test_frames_of_a_film_are_pictures(tmp_path: Path) -> None:
    """What is drawn once and what is drawn for each frame make one picture."""
    looks = [still(n) for n in (10, 40, 25)]
    film(tmp_path / "f.gif", looks, colour="plain", title="a whirl", flow=FlowView(whirl))
    frames = frames_of(tmp_path / "f.gif")
    film(tmp_path / "last.gif", looks[2:], colour="plain", title="a whirl", flow=FlowView(whirl))
    alone = frames_of(tmp_path / "last.gif")[0]
    # Palettes differ by a few steps of six bits; other particles are elsewhere.
    assert np.abs(frames[2] - alone).mean() < 0.5
    assert np.abs(frames[1] - alone).mean() > 1.0


def test_trajectories_of_any_system_are_filmed(tmp_path: Path) -> None:
    """The box is that of the file: sheared here, and leaning; of XYZ with a radius."""
    particles, box = carom.packings.random(30, 0.2, dimension=2, temperature=1.0, seed=1)
    domain = carom.LeesEdwards(box.lengths, 2.0)
    kept = Looks(0.2)
    system = carom.System(particles, domain, law=carom.ConstantRestitution(0.9))
    observers = [kept, carom.Trajectory(tmp_path / "t.xyz", 0.2)]
    carom.Simulation(system, observers=observers).run(until=0.4)
    read = TrajectoryLooks(tmp_path / "t.xyz")
    assert read[2].system.offset(0.4) == pytest.approx(system.offset(0.4))
    apart = read[2].particles.position - kept[2].particles.position
    apart -= np.round(apart / np.array(system.sides)) * system.sides
    assert np.abs(apart).max() < 1e-9
    assert len(read[1:]) == 2
    assert [look.time for look in read[::-2]] == pytest.approx([0.4, 0.0])
    assert film(tmp_path / "f.gif", read).frames == 3
    (tmp_path / "plain.xyz").write_text("1\n\nA 1.0 2.0 0.0\n")
    with pytest.raises(ValueError, match="says nothing of radii"):
        film(tmp_path / "p.gif", TrajectoryLooks(tmp_path / "plain.xyz"))
    assert film(tmp_path / "p.gif", TrajectoryLooks(tmp_path / "plain.xyz", radius=0.5)).frames == 1


@pytest.mark.parametrize("name", ["film", "movie", "video", "animation", "animate"])
def test_other_words_lead_to_films(name: str) -> None:
    with pytest.raises(AttributeError, match=r"see carom\.plotting\.film"):
        getattr(carom, name)
    if name != "film":
        with pytest.raises(AttributeError, match=r"see carom\.plotting\.film"):
            getattr(carom.plotting, name)
