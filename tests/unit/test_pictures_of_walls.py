"""Pictures of walls: triangles and lines lie where a shape is, and are seen."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

import carom
from carom import walls
from carom.plotting import Look, picture
from carom.plotting.planar import view
from carom.plotting.walled import walls_between
from carom.view.scene import described_scene

TETRAHEDRON = (
    [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
)
LOWER, UPPER = np.full(3, -3.0), np.full(3, 3.0)
HALF = math.sqrt(0.5)

# Shapes with their areas, and the lengths of the lines that are drawn.
SURFACES: list[tuple[walls.Shape, float, float]] = [
    (walls.Sphere([1, 2, 3], 2.0), 16 * math.pi, 12 * math.pi),
    (walls.Cylinder([1, 2, 3], [0, 3, 4], 2.0, 5.0), 20 * math.pi, 8 * math.pi + 20),
    (walls.Cone([0, 0, 0], [0, 0, 4], (0.0, 3.0)), 15 * math.pi, 6 * math.pi + 20),
    (walls.Disk([0, 0, 1], [1, 0, 1], 2.0, 1.0), 3 * math.pi, 6 * math.pi),
    (walls.Disk([0, 0, 1], [1, 0, 1], 2.0), 4 * math.pi, 4 * math.pi),
    (walls.Rectangle([0, 0, 1], [[3, 0, 0], [0, 0, 4]]), 12.0, 14.0),
    (walls.Rectangle([0, 0, 1], [[3, 0, 0], [0, 0, 4]], 1.0), 12 - math.pi, 14 + 2 * math.pi),
    (walls.Rectangle([0, 0, 1], [[3, 0, 0], [0, 0, 4]], (2.0, 0.5)), 11.0, 19.0),
    (walls.Mesh(*TETRAHEDRON), 1.5 + 0.5 * math.sqrt(3), 3 + 3 * math.sqrt(2)),
    (walls.Circle([1, 2], 3.0), 0.0, 6 * math.pi),
    (walls.Arc([1, 2], 3.0, 0.5, 2.5), 0.0, 6.0),
    (walls.Segment([1, 2], [4, 6]), 0.0, 5.0),
]


@pytest.mark.parametrize(("shape", "area", "length"), SURFACES, ids=lambda one: type(one).__name__)
def test_surfaces_have_the_area_and_the_edges_of_their_shapes(
    shape: walls.Shape, area: float, length: float
) -> None:
    """A polygon of 64 corners lacks 1.6e-3 of a circle's area, 4e-4 of its length."""
    triangles, lines = shape.surface(LOWER, UPPER)
    a, b, c = triangles.transpose(1, 0, 2)
    found = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    assert found == pytest.approx(area, rel=3e-3)
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum() == pytest.approx(
        length, rel=1e-3
    )


def test_round_surfaces_lie_on_their_shapes() -> None:
    sphere = walls.Sphere([1, 2, 3], 2.0).surface(LOWER, UPPER)
    for points in (sphere.triangles, sphere.lines):
        away = np.linalg.norm(points.reshape(-1, 3) - [1, 2, 3], axis=1)
        np.testing.assert_allclose(away, 2.0, rtol=1e-14)
    tube = walls.Cylinder([1, 2, 3], [0, 3, 4], 2.0).surface(LOWER, UPPER).triangles.reshape(-1, 3)
    across = np.cross(tube - [1, 2, 3], [0, 0.6, 0.8])
    np.testing.assert_allclose(np.linalg.norm(across, axis=1), 2.0, rtol=1e-13)


def test_walls_end_where_the_view_ends() -> None:
    """A tube along z through a cube: what is left has the length of the cube, and stays on it."""
    tube = walls.Cylinder([0, 0, 0], [0, 0, 1], 1.0)
    plate = walls.Rectangle([-9, 0, -9], [[18, 0, 0], [0, 0, 18]])
    one = carom.Particles([[0.0, 2.0, 0.0]])
    system = carom.System(one, walls=[tube, plate, carom.Plane([0, 0, 2.5], [0, 0, 1])])
    triangles, lines = walls_between(system, LOWER, UPPER)
    assert (np.abs(triangles) <= 3.0 + 1e-12).all()
    assert (np.abs(lines) <= 3.0 + 1e-12).all()
    a, b, c = triangles.transpose(1, 0, 2)
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    assert area == pytest.approx(2 * math.pi * 6 + 36 + 36, rel=1e-3)
    length = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum()
    assert length == pytest.approx(4 * 6)  # the struts of the tube; all other edges are outside


def test_open_space_shows_all_of_its_shapes() -> None:
    ring = carom.System(carom.Particles([[0.0, 0.0]]), walls=[walls.Circle([1.0, 0.0], 4.0)])
    lower, upper = view(ring, ring.particles)
    margin = 0.02 * 8.0
    np.testing.assert_allclose(
        [lower, upper], [[-3 - margin, -4 - margin], [5 + margin, 4 + margin]]
    )
    one = carom.Particles([[0.0, 0.0, 0.0]])
    tube = carom.System(one, walls=[walls.Cylinder([0, 0, 0], [0, 0, 1], 2.0)])
    assert (view(tube, one)[1] < 1.0).all()  # an endless one shows a part of itself


FLAT: list[Any] = [
    walls.Circle([0, 0], 4.0),
    walls.Arc([0, 0], 3.0, 0, 1),
    walls.Segment([-3, 2], [3, 2.5]),
]
SOLID: list[Any] = [shape for shape, area, _ in SURFACES if area > 0.0]


@pytest.mark.parametrize(
    ("shapes", "theme"),
    [(FLAT, "light"), (SOLID, "light"), (FLAT[:1], "dark"), (SOLID[:1], "dark")],
)
def test_shapes_are_seen(shapes: list[Any], theme: Any, tmp_path: Path) -> None:
    """Each of them changes pixels of the picture of the same region without it."""
    d = shapes[0].dimensions[0]
    particles = carom.Particles(np.full((1, d), -2.5))
    region = (np.full(d, -5.0), np.full(d, 5.0))

    def drawn(some: list[Any]) -> Any:
        look = Look(carom.System(particles, walls=some), 0.0, particles)
        picture(look, tmp_path / "p.png", region=region, theme=theme)
        return imread(tmp_path / "p.png")

    empty = drawn([])
    for shape in shapes:
        assert (np.abs(drawn([shape]) - empty).max(axis=-1) > 0.1).sum() > 300, shape


class Own(walls.Shape):
    """A shape of one's own that says nothing of its looks."""


def test_a_shape_that_says_nothing_of_its_looks_is_left_out(tmp_path: Path) -> None:
    particles = carom.Particles([[0.0, 0.0, 0.0]])
    look = Look(carom.System(particles, walls=[Own()]), 0.0, particles)
    picture(look, tmp_path / "p.png")
    assert described_scene(look_with_method(look), {})["walls"] == [{"kind": "lines", "ends": []}]


def look_with_method(look: Any) -> Any:
    """A look, and the method that a page names."""
    return type("Seen", (), {"system": look.system, "method": carom.EventDriven()})()


def test_pages_get_the_edges_of_shapes() -> None:
    ball = walls.Mesh(*TETRAHEDRON)
    particles = carom.Particles([[4.0, 4.0, 4.0], [5.0, 4.0, 4.0]])
    plane = carom.Plane([0, 0, -1], [0, 0, 1])
    look = Look(carom.System(particles, walls=[plane, ball]), 0.0, particles)
    scene = described_scene(look_with_method(look), {})
    assert [wall["kind"] for wall in scene["walls"]] == ["plane", "lines"]
    assert len(scene["walls"][1]["ends"]) == 12  # the two ends of six edges
    assert max(scene["lower"]) < 0.0  # all of the mesh is in the view
