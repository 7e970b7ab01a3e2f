"""GSD files: what other programs compute from them is what happened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import freud
import gsd.hoomd
import numpy as np
import pytest

import carom

# Positions are kept in single precision.
ROUND_OFF = 2e-6


def written(path: Path, system: carom.System, until: float) -> tuple[list[Any], list[Any]]:
    """The frames of a run, and its unwrapped positions at the same times."""
    paths: list[Any] = []
    observers = [
        carom.Trajectory(path / "t.gsd", 0.5),
        carom.Call(0.5, lambda simulation: paths.append(simulation.particles.unwrapped)),
    ]
    carom.Simulation(system, observers=observers).run(until=until)
    with gsd.hoomd.open(str(path / "t.gsd"), "r") as file:
        return list(file), paths


def unwrapped(frame: Any) -> Any:
    """Positions and so many vectors of the box, from what is in the frame alone."""
    lx, ly, lz, xy, xz, yz = frame.configuration.box.astype(np.float64)
    vectors = np.array([[lx, 0.0, 0.0], [xy * ly, ly, 0.0], [xz * lz, yz * lz, lz]])
    return frame.particles.position + frame.particles.image @ vectors


def fast_disks(shear_rate: float = 0.0) -> carom.System:
    particles, box = carom.packings.random(20, 0.1, dimension=2, temperature=100.0, seed=2)
    if shear_rate == 0.0:
        return carom.System(particles, box)
    domain = carom.LeesEdwards(box.lengths, shear_rate)
    particles.velocity += domain.flow(particles.position)
    return carom.System(particles, domain)


@pytest.mark.parametrize("shear_rate", [0.0, 0.7])
def test_images_lead_along_the_whole_path(tmp_path: Path, shear_rate: float) -> None:
    system = fast_disks(shear_rate)
    frames, paths = written(tmp_path, system, 5.0)
    assert len(frames) == 11
    assert np.ptp([frame.particles.image[:, :2] for frame in frames]) > 4  # they went far
    middle = 0.5 * np.array(system.sides)
    for frame, path in zip(frames, paths, strict=True):
        size = np.abs(path).max()
        found = unwrapped(frame)[:, :2] + middle
        np.testing.assert_allclose(found, path, rtol=0, atol=ROUND_OFF * size)
        assert (frame.particles.image[:, 2] == 0).all()


def test_freud_finds_the_mean_square_displacement(tmp_path: Path) -> None:
    frames, paths = written(tmp_path, fast_disks(), 5.0)
    box = freud.box.Box.from_box(frames[0].configuration.box, dimensions=2)
    displacement = freud.msd.MSD(box, mode="direct").compute(
        np.array([frame.particles.position for frame in frames]),
        np.array([frame.particles.image for frame in frames]),
    )
    expected = [((path - paths[0]) ** 2).sum(axis=1).mean() for path in paths]
    np.testing.assert_allclose(displacement.msd, expected, rtol=1e-4, atol=1e-4)
    assert expected[-1] > 2.0 * frames[0].configuration.box[0] ** 2


def test_each_size_is_a_type(tmp_path: Path) -> None:
    particles, box = carom.packings.random(20, 0.1, dimension=2, seed=2)
    particles.radius[::2] *= 0.5
    frames, _ = written(tmp_path, carom.System(particles, box), 0.0)
    assert frames[0].particles.types == ["A", "B"]
    assert frames[0].particles.typeid.tolist() == [0, 1] * 10
    alone, _ = written(tmp_path, fast_disks(), 0.0)
    assert alone[0].particles.types == ["A"]
    particles.radius[:] *= np.linspace(0.5, 1.0, 20)
    particles.mass[:] = np.arange(1, 21)
    many, _ = written(tmp_path, carom.System(particles, box), 0.0)
    assert len(many[0].particles.types) == 20


def test_open_space_does_not_move_under_the_particles(tmp_path: Path) -> None:
    particles = carom.Particles([[0.0, 0.0], [5.0, 0.0]], [[0.0, 1.0], [3.0, 0.0]])
    frames, paths = written(tmp_path, carom.System(particles), 2.0)
    for frame, path in zip(frames, paths, strict=True):
        moved = unwrapped(frame) - unwrapped(frames[0])
        np.testing.assert_allclose(moved[:, :2], path - paths[0], rtol=0, atol=1e-5)
        inside = np.abs(frame.particles.position[:, :2]) + 0.5
        assert (inside <= 0.5 * frame.configuration.box[:2] + 1e-5).all()
