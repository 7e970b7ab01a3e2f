"""Walls of scene files: each shape is that of the library, and what is wrong is said."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom import walls
from carom.cli.building import start_of
from carom.cli.scene_files import checked_scene, read_scene
from carom.cli.scene_sweep import build_of, read_sweep_file

FLAT = "[particles]\nposition = [[0.0, 0.0]]\nradius = 0.1\n"
SOLID = "[particles]\nposition = [[0.0, 0.0, 0.0]]\nradius = 0.1\n"
RUN = "[run]\nuntil = 1.0\n"
VERTICES = np.array([[-1.0, -1, -1], [3, -1, -1], [-1, 3, -1], [-1, -1, 3]])
TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def walls_of(text: str, particles: str = SOLID) -> Any:
    file = checked_scene("scene.toml", particles + RUN + "[[walls]]\n" + text)
    return start_of(file, 1).system.walls


def complaint(text: str, particles: str = SOLID) -> str:
    with pytest.raises(carom.SceneError) as caught:
        walls_of(text, particles)
    return str(caught.value)


SHAPES: list[tuple[str, str, Any]] = [
    (
        FLAT,
        'shape = "circle"\ncentre = [0, 0.5]\nradius = 3\nside = "inside"\n',
        walls.Circle([0, 0.5], 3, "inside"),
    ),
    (
        FLAT,
        'shape = "arc"\ncentre = [0, 0]\nradius = 3\nstart = 0.5\nend = 2\nname = "rail"\n',
        walls.Arc([0, 0], 3, 0.5, 2, name="rail"),
    ),
    (FLAT, 'shape = "segment"\nstart = [0, 1]\nend = [1, 2]\n', walls.Segment([0, 1], [1, 2])),
    (
        SOLID,
        'shape = "sphere"\ncentre = [0, 0, 1]\nradius = 3\nrestitution = 0.5\n',
        walls.Sphere([0, 0, 1], 3, restitution=0.5),
    ),
    (
        SOLID,
        'shape = "cylinder"\npoint = [0, 0, 0]\naxis = [0, 0, 2]\nradius = 3\nlength = 4.0\n',
        walls.Cylinder([0, 0, 0], [0, 0, 1], 3, 4),
    ),
    (
        SOLID,
        'shape = "cone"\nstart = [0, 0, -1]\nend = [0, 0, 4]\nradii = [1, 0]\n',
        walls.Cone([0, 0, -1], [0, 0, 4], (1, 0)),
    ),
    (
        SOLID,
        'shape = "disk"\ncentre = [0, 0, 1]\nnormal = [0, 0, 1]\nradius = 3\nopening = 1.0\n',
        walls.Disk([0, 0, 1], [0, 0, 1], 3, 1),
    ),
    (
        SOLID,
        'shape = "rectangle"\ncorner = [1, 1, 1]\nsides = [[2, 0, 0], [0, 3, 0]]\n'
        "opening = [1, 2]\n",
        walls.Rectangle([1, 1, 1], [[2, 0, 0], [0, 3, 0]], (1.0, 2.0)),
    ),
]


@pytest.mark.parametrize(("particles", "text", "shape"), SHAPES, ids=lambda one: type(one).__name__)
def test_each_shape_is_that_of_the_library(particles: str, text: str, shape: Any) -> None:
    assert walls_of(text, particles) == (shape,)


def written_mesh(folder: Path) -> Path:
    trimesh = pytest.importorskip("trimesh")
    path = folder / "vessel.stl"
    trimesh.Trimesh(VERTICES, TRIANGLES, process=False).export(path)
    return path


def test_the_file_of_a_mesh_is_beside_its_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_mesh(tmp_path)
    text = '[[walls]]\nshape = "mesh"\nfile = "vessel.stl"\nscale = 0.5\nside = "inside"\n'
    (tmp_path / "scene.toml").write_text(SOLID + RUN + text)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (mesh,) = start_of(read_scene("../scene.toml"), 1).system.walls
    assert (mesh.name, mesh.side, mesh.health.triangles) == ("vessel", "inside", 4)
    assert sorted(map(tuple, mesh.vertices)) == sorted(map(tuple, 0.5 * VERTICES))


def test_points_of_a_sweep_find_the_mesh_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written_mesh(tmp_path)
    text = '[[walls]]\nshape = "mesh"\nfile = "vessel.stl"\n[sweep]\ngravity = [[0, 0, -1]]\n'
    (tmp_path / "scene.toml").write_text(SOLID + RUN + text)
    monkeypatch.chdir(tmp_path)
    build = build_of(read_sweep_file("scene.toml"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (mesh,) = build(np.random.default_rng(1), gravity=[0, 0, -1]).system.walls
    assert mesh.name == "vessel"


SPHERE = 'shape = "sphere"\ncentre = [0, 0, 0]\n'
WRONG: list[tuple[str, str, list[str]]] = [
    (SOLID, 'shape = "spere"\n', ["'walls[0].shape' is unknown: 'spere'", "'sphere'?"]),
    (SOLID, "shape = 3\n", ["'walls[0].shape' is unknown: '3'"]),
    (SOLID, SPHERE, ["'walls[0].radius' is missing"]),
    (SOLID, SPHERE + "radius = -1\n", ["'walls[0].radius'", "greater than 0, not -1"]),
    (SOLID, SPHERE + "radius = 1\nraduis = 2\n", ["unknown key 'walls[0].raduis'", "'radius'?"]),
    (SOLID, SPHERE + "radius = 1\nnormal = [0, 0, 1]\n", ["unknown key 'walls[0].normal'"]),
    (SOLID, SPHERE + 'radius = 1\nside = "in"\n', ["'walls[0].side' is unknown: 'in'"]),
    (SOLID, SPHERE + 'radius = 1\nname = ""\n', ["'walls[0].name'"]),
    (SOLID, SPHERE + "radius = 1\nrestitution = 2\n", ["'walls[0].restitution' must be", "not 2"]),
    (
        SOLID,
        'shape = "sphere"\ncentre = [0, 0]\nradius = 1\n',
        ["'walls[0]': Sphere: centre must be three finite numbers"],
    ),
    (
        SOLID,
        SPHERE + 'radius = 3\nside = "outside"\n',
        ["particle 0", "is not outside walls[0]"],
    ),
    (FLAT, SPHERE + "radius = 3\n", ["walls[0] is Sphere", "particles move in 2"]),
    (
        SOLID,
        'shape = "cone"\nstart = [0, 0, 0]\nend = [0, 0, 1]\nradii = 3\n',
        ["'walls[0].radii' must be two numbers", "not 3"],
    ),
    (
        SOLID,
        'shape = "rectangle"\ncorner = [1, 1, 1]\nsides = [[2, 0, 0]]\n',
        ["'walls[0].sides'", "at least 2"],
    ),
    (
        SOLID,
        'shape = "cylinder"\npoint = [0, 0, 0]\naxis = [0, 0, 0]\nradius = 3\n',
        ["'walls[0]': Cylinder: the axis", "has no direction"],
    ),
    (SOLID, 'shape = "mesh"\n', ["'walls[0].file' is missing"]),
    (SOLID, 'shape = "mesh"\nfile = "none.stl"\n', ["'walls[0]'", "there is no file none.stl"]),
]


@pytest.mark.parametrize(("particles", "text", "parts"), WRONG)
def test_what_is_wrong_with_a_wall_is_said(particles: str, text: str, parts: list[str]) -> None:
    if "file = " in text:
        pytest.importorskip("trimesh")
    said = complaint(text, particles)
    for part in parts:
        assert part in said


def test_a_damaged_mesh_is_named(tmp_path: Path) -> None:
    path = written_mesh(tmp_path)
    shutil.copy(path, tmp_path / "damaged.stl")
    (tmp_path / "damaged.stl").write_bytes(path.read_bytes()[:100])
    scene = SOLID + RUN + '[[walls]]\nshape = "mesh"\nfile = "damaged.stl"\n'
    (tmp_path / "scene.toml").write_text(scene)
    with pytest.raises(carom.SceneError, match=r"'walls\[0\]': .*damaged.stl"):
        start_of(read_scene(str(tmp_path / "scene.toml")), 1)


def test_packings_keep_clear_of_shapes() -> None:
    """In a sphere with a ball in it, 150 of radius 0.1 find room."""
    text = (
        '[particles]\npacking = "random"\nnumber = 150\nradius = 0.1\n'
        "region = { lower = [-1, -1, -1], upper = [1, 1, 1] }\n"
        '[domain]\nkind = "open"\n'
        '[[walls]]\nshape = "sphere"\ncentre = [0, 0, 0]\nradius = 1.1\nside = "inside"\n'
        '[[walls]]\nshape = "sphere"\ncentre = [0, 0, 0]\nradius = 0.3\nside = "outside"\n'
    )
    begun = start_of(checked_scene("scene.toml", text + RUN), 1)
    away = np.linalg.norm(begun.system.particles.position, axis=1)
    assert len(away) == 150
    assert away.min() >= 0.4
    assert away.max() <= 1.0
