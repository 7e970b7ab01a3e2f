"""Shapes of walls: what is refused at the door, what meshes say of themselves, and what is kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom import walls

CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = np.array([three for a, b, c, d in QUADS for three in ((a, b, c), (a, c, d))])
ONE = carom.Particles([[0.5, 0.5, 0.5]], [[1.0, 0.2, 0.3]], 0.1)
FLAT = carom.Particles([[0.5, 0.5]], [[1.0, 0.2]], 0.1)

WRONG: list[tuple[Any, str]] = [
    (lambda: walls.Sphere([0, 0, 0], -1.0), "radius must be a finite number above 0, not -1.0"),
    (lambda: walls.Sphere([0, 0], 1.0), "centre must be three finite numbers"),
    (lambda: walls.Circle([0, np.nan], 1.0), "centre must be two finite numbers"),
    (lambda: walls.Sphere([0, 0, 0], 1.0, side="in"), "side"),
    (lambda: walls.Sphere([0, 0, 0], 1.0, restitution=1.5), "between 0 and 1, not 1.5"),
    (lambda: walls.Sphere([0, 0, 0], 1.0, name=3), "name must be a text"),
    (lambda: walls.Cylinder([0, 0, 0], [0, 0, 0], 1.0), "has no direction"),
    (lambda: walls.Cone([0, 0, 0], [0, 0, 1], (1, 1)), "use carom.walls.Cylinder"),
    (lambda: walls.Cone([0, 0, 0], [0, 0, 0], (1, 2)), "a flat one is carom.walls.Disk"),
    (lambda: walls.Cone([0, 0, 0], [0, 0, 1], (1, -2)), "two numbers from 0 on"),
    (lambda: walls.Disk([0, 0, 0], [0, 0, 1], 1.0, 1.0), "leaves nothing of a disk"),
    (lambda: walls.Rectangle([0, 0, 0], [[1, 0, 0], [1, 1, 0]]), "is 45 degrees"),
    (
        lambda: walls.Rectangle([0, 0, 0], [[1, 0, 0], [0, 1, 0]], 0.5),
        "does not fit into 1 times 1",
    ),
    (lambda: walls.Rectangle([0, 0, 0], [[1, 0, 0], [0, 1, 0]], (2, 0.1)), "does not fit"),
    (lambda: walls.Rectangle([0, 0, 0], [[1, 0, 0], [0, 0, 0]]), "has no length"),
    (lambda: walls.Segment([0, 0], [0, 0]), "it has no length"),
    (lambda: walls.Arc([0, 0], 1.0, 1.0, 0.5), "less than a full turn"),
    (lambda: walls.Mesh(CORNERS, [[0, 1, 9]]), "numbered from 0 to 7"),
    (lambda: walls.Mesh(CORNERS, [[0.0, 1.0, 2.0]]), "whole numbers of shape (t, 3)"),
    (lambda: walls.Mesh(CORNERS[:, :2], TRIANGLES), "shape (v, 3)"),
    (lambda: walls.Mesh(CORNERS, TRIANGLES[1:], side="inside"), "3 edges are open"),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_shapes_that_cannot_be_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_a_system_refuses_shapes_that_do_not_fit_it() -> None:
    with pytest.raises(ValueError, match="particles move in 3"):
        carom.System(ONE, walls=[walls.Circle([0, 0], 1.0)])
    with pytest.raises(ValueError, match="would have to repeat along x"):
        carom.System(ONE, carom.Periodic(4.0), walls=[walls.Sphere([2, 2, 2], 1.0)])
    with pytest.raises(
        ValueError, match=r"particle 0 at \[0.5 0.5 0.5\] is not outside walls\[0\]"
    ):
        carom.System(ONE, walls=[walls.Sphere([0, 0, 0], 2.0, side="outside", name="drum")])
    with pytest.raises(ValueError, match="is not outside"):
        carom.System(ONE, walls=[walls.Mesh(CORNERS, TRIANGLES, side="outside")])
    carom.System(ONE, walls=[walls.Mesh(CORNERS, TRIANGLES, side="inside")])
    endless = walls.Cylinder([2, 2, 0], [0, 0, 1], 1.9)
    carom.System(ONE, carom.Box(4.0, periodic="z"), walls=[endless])


@pytest.mark.parametrize(
    "method",
    [
        carom.TimeStepped(dt=0.01),
        carom.SoftContacts(stiffness=1e4),
        carom.EventDriven(detection="naive"),
        carom.EventDriven(resting=True),
    ],
)
def test_methods_that_know_planes_only_say_so(method: Any) -> None:
    planes, shape = [carom.Plane([0, 0], [0, 1])], walls.Circle([0.5, 0.5], 3.0, name="ring")
    system = carom.System(FLAT, walls=[*planes, shape], gravity=[0, -1])
    with pytest.raises(ValueError, match="'ring'"):
        carom.Simulation(system, method=method)


def test_a_particle_in_a_wall_is_named() -> None:
    sphere = walls.Sphere([0.0, 0.5, 0.5], 0.45, name="obstacle")
    with pytest.raises(ValueError, match=r"particle 0 .* overlaps 'obstacle'.* by 0.05 "):
        carom.Simulation(carom.System(ONE, walls=[sphere]))


def test_a_mesh_says_what_is_wrong_with_it() -> None:
    """Of seven triangles one has no area, and one is there twice, turned."""
    some = np.vstack([TRIANGLES, [[0, 0, 1]], [TRIANGLES[3][::-1]]])
    with pytest.warns(carom.CaromWarning, match="1 without an area were left out; 1 that were"):
        mesh = walls.Mesh(CORNERS, some)
    assert mesh.health.is_closed
    assert mesh.health == (12, 1, 1, 0, 0, 0)
    turned = TRIANGLES.copy()
    turned[0] = turned[0][::-1]
    assert walls.Mesh(CORNERS, turned).health.inverted == 3
    assert "3 edges are open" in str(walls.Mesh(CORNERS, TRIANGLES[1:]).health)


def test_edges_within_a_plane_are_no_edges() -> None:
    """Of the 18 edges of a cube of triangles six are diagonals, and not felt."""
    patches = {kind.__name__: rows for kind, rows in walls.Mesh(CORNERS, TRIANGLES).patches()}
    assert {name: len(rows) for name, rows in patches.items()} == {
        "Faces": 12,
        "Edges": 12,
        "Corners": 8,
    }


@pytest.mark.parametrize("kind", ["stl", "obj", "ply"])
def test_meshes_are_read_from_files(kind: str, tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / f"cube.{kind}"
    trimesh.Trimesh(CORNERS, TRIANGLES, process=False).export(path)
    mesh = walls.Mesh.read(path, scale=2.0)
    assert mesh.name == "cube"
    assert mesh.health == (12, 0, 0, 0, 0, 0)
    assert sorted(map(tuple, mesh.vertices)) == sorted(map(tuple, 2.0 * CORNERS))
    path.write_bytes(b"no mesh at all")
    with pytest.raises(ValueError, match=f"cube.{kind}"):
        walls.Mesh.read(path)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        walls.Mesh.read(tmp_path / "other.stl")


def test_a_run_among_shapes_goes_on_from_a_checkpoint_bit_for_bit(tmp_path: Path) -> None:
    shapes = [walls.Mesh(CORNERS, TRIANGLES, side="inside"), walls.Sphere([0, 0, 0], 0.2)]
    sim = carom.Simulation(carom.System(ONE, walls=shapes))
    sim.run(until=20.3)
    sim.save(tmp_path / "state.carom")
    again = carom.load(tmp_path / "state.carom")
    assert repr(again.system.walls[1]) == repr(shapes[1])
    for one in (sim, again):
        one.run(until=50.0)
    assert again.counts == sim.counts
    assert again.particles.position.tobytes() == sim.particles.position.tobytes()


def test_each_wall_has_its_own_restitution_and_number_in_the_log() -> None:
    inner = walls.Circle([0.0, 0.0], 1.0, restitution=0.5)
    planes = [carom.Plane([0, -3], [0, 1])]
    start = carom.Particles([[2.0, 0.0]], [[-1.0, 0.0]], 0.5)
    log = carom.CollisionLog()
    system = carom.System(start, walls=[inner, *planes])
    sim = carom.Simulation(system, observers=[log])
    sim.run(until=1.0)
    assert log["time"].tolist() == [0.5]
    assert log["j"].tolist() == [-2]  # planes come first
    assert sim.particles.velocity[0] == pytest.approx([0.5, 0.0])
