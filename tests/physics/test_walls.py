"""Walls of any shape in event-driven runs: nothing gets through, billiards keep their constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from wall_distances import cuboid, distances, icosphere

import carom
from carom import walls

TETRAHEDRON = (
    [[0.0, 0.0, 0.9], [0.8, 0.0, -0.5], [-0.4, 0.7, -0.5], [-0.4, -0.7, -0.5]],
    [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]],
)
# Two of its corners pushed in.
DENTED = np.array(icosphere(1, 0.95)[0])
DENTED[[0, 3]] *= 0.3

RADIUS = 0.07
APART = 3.0  # one shape from the next


def spatial() -> list[Any]:
    """A shape of each kind, in two rows."""
    at = (np.array([APART * (k % 5), APART * (k // 5), 0.0]) for k in range(10))
    _, triangles = icosphere(1)
    corner, sides = np.array([-0.8, -0.7, 0.0]), [[1.6, 0, 0], [0, 1.2, 0.9]]
    return [
        walls.Sphere(next(at) + np.array([0.1, 0.2, -0.1]), 0.9),
        walls.Cylinder(next(at) + np.array([0, 0.1, -0.7]), [1, 2, 3], 0.6, 1.5),
        walls.Cone(
            (c := next(at)) + np.array([0, 0, -1]), c + np.array([0.3, 0.2, 0.8]), (0.2, 0.9)
        ),
        walls.Cone(
            (c := next(at)) + np.array([0, 0, -0.8]), c + np.array([0.1, 0, 0.6]), (0.0, 0.7)
        ),
        walls.Disk(next(at) + np.array([0, 0, 0.2]), [0.2, 0.1, 1.0], 0.9, 0.35),
        walls.Rectangle(next(at) + corner, sides, 0.3),
        walls.Rectangle(next(at) + corner, sides, (0.6, 0.5)),
        walls.Mesh(next(at) + np.array(TETRAHEDRON[0]), TETRAHEDRON[1]),
        walls.Mesh(next(at) + DENTED, triangles),
        walls.Mesh(next(at) + np.array([[-1, -1, 0], [1, -1, 0.1], [0, 1, 0]]), [[0, 1, 2]]),
    ]


def planar() -> list[Any]:
    """The same in the plane; the last two are an acute wedge."""
    return [
        walls.Circle([0.1, 0.2], 0.9),
        walls.Arc([APART, 0], 1.0, 0.5, 5.0),
        walls.Segment([2 * APART - 0.8, -0.5], [2 * APART + 0.7, 0.4]),
        walls.Segment([2 * APART - 0.8, -0.5], [2 * APART + 0.9, 0.1]),
    ]


def simulation(shapes: list[Any], dimension: int, gravity: Any, **options: Any) -> Any:
    """Particles among shapes in a box of planes, on both sides of what has sides."""
    rng = np.random.default_rng(1)
    rows = 1 if len(shapes) < 10 else 2
    low = -1.5 * np.ones(dimension)
    high = low + [APART * min(len(shapes), 5), APART * rows, APART][:dimension]
    candidates = rng.uniform(low, high, (400 * len(shapes), dimension))
    away = np.min([distances(shape, candidates) for shape in shapes], axis=0)
    position: list[Any] = []
    for place in candidates[away > 1.001 * RADIUS]:
        others = [np.linalg.norm(place - other) for other in position]
        if min(others, default=1.0) > 2.0 * RADIUS and len(position) < 25 * len(shapes):
            position.append(place)
    normals = np.eye(dimension)
    planes = [carom.Plane(low - 0.1, n) for n in normals]
    planes += [carom.Plane(high + 0.1, -n) for n in normals]
    particles = carom.Particles(position, rng.normal(size=(len(position), dimension)), RADIUS)
    system = carom.System(particles, walls=[*planes, *shapes], gravity=gravity)
    return carom.Simulation(system, method=carom.EventDriven(**options))


LONG = pytest.mark.slow
CASES = [
    pytest.param(planar(), False, id="planar"),
    pytest.param(planar(), True, id="planar, falling", marks=LONG),
    pytest.param(spatial(), False, id="spatial"),
    pytest.param(spatial(), True, id="spatial, falling", marks=LONG),
]


@pytest.mark.parametrize(("shapes", "falls"), CASES)
def test_nothing_gets_into_a_wall_or_through_it(shapes: list[Any], falls: bool) -> None:
    dimension = shapes[0].dimensions[0]
    sim = simulation(shapes, dimension, [0.1, -1.0, 0.2][:dimension] if falls else None)
    before = sim.energy
    # Who gets into a wall at these speeds is there for longer than from one look to the next.
    for time in np.linspace(0.1, 4.0, 40):
        sim.run(until=time)
        place = sim.particles.position
        for shape in shapes:
            assert distances(shape, place).min() > RADIUS - 1e-13, shape
    on_shapes = sim._engine.wall_impulse[len(sim.system.planes) :]
    assert (on_shapes > 0.0).all()
    assert sim.energy == pytest.approx(before, rel=1e-13)


BILLIARDS = {
    "circle": walls.Circle([0.25, -0.5], 1.0, side="inside"),
    "sphere": walls.Sphere([0.25, -0.5, 0.125], 1.0, side="inside"),
    "cylinder": walls.Cylinder([0.25, -0.5, 0.0], [0, 0, 1], 1.0, side="inside"),
}


@pytest.mark.parametrize("name", BILLIARDS)
def test_billiards_keep_their_constants_over_a_million_hits(name: str) -> None:
    wall = BILLIARDS[name]
    dimension = wall.dimensions[0]
    start = np.array([0.5, -0.25, 0.25])[:dimension]
    velocity = np.array([1.0, 0.7, 0.0 if name == "cylinder" else 0.3])[:dimension]
    # Nobody meets the plane; with one, a circle and a sphere are compiled already.
    far = carom.Plane(np.full(dimension, -9.0), np.eye(dimension)[0])
    system = carom.System(carom.Particles([start], [velocity], 0.125), walls=[far, wall])
    sim = carom.Simulation(system)
    centre = np.array(wall.point if name == "cylinder" else wall.centre)

    def angular_momentum() -> Any:
        x, v = sim.particles.position[0] - centre, sim.particles.velocity[0]
        return np.cross(np.append(x, 0.0)[:3], np.append(v, 0.0)[:3])

    energy, turning = sim.energy, angular_momentum()
    sim.run(until=1.5e6)
    assert sim.counts.wall_collisions > 1_000_000
    assert sim.energy == pytest.approx(energy, rel=1e-12)
    axes = slice(2, 3) if name == "cylinder" else slice(0, 3)
    assert angular_momentum()[axes] == pytest.approx(turning[axes], rel=1e-12, abs=1e-12)


def test_time_between_hits_in_a_circle_is_that_of_a_chord() -> None:
    """2 (R − r) cos θ / v."""
    wall = walls.Circle([0.0, 0.0], 2.0)
    far = carom.Plane([-9.0, 0.0], [1.0, 0.0])
    system = carom.System(carom.Particles([[1.5, 0.0]], [[0.6, 0.8]], 0.5), walls=[far, wall])
    log = carom.CollisionLog()
    sim = carom.Simulation(system, observers=[log])
    sim.run(until=100.0)
    assert np.diff(log["time"]) == pytest.approx(2.0 * 1.5 * 0.6, rel=1e-13)


def one(shape: Any, start: Any, velocity: Any, radius: float, until: float, **system: Any) -> Any:
    """A single particle and a wall, run up to a time."""
    particles = carom.Particles([start], [velocity], radius)
    sim = carom.Simulation(carom.System(particles, walls=[shape], **system))
    sim.run(until=until)
    return sim


def test_a_ball_on_the_axis_of_an_orifice_too_narrow_for_it_comes_back() -> None:
    """It touches all of the rim at once, at a double root of the torus."""
    disk = walls.Disk([0, 0, 0], [0, 0, 1], 2.0, 0.6)
    sim = one(disk, [0, 0, 5.0], [0, 0, -1.0], 1.0, 8.0)
    # Centre at √(r² − R²) = 0.8 at contact.
    assert sim.particles.position[0] == pytest.approx([0, 0, 0.8 + 8.0 - 4.2], abs=1e-12)


@pytest.mark.slow
def test_a_ball_that_falls_on_the_axis_of_an_orifice_comes_back() -> None:
    disk = walls.Disk([0, 0, 0], [0, 0, 1], 2.0, 0.6)
    falling = one(disk, [0, 0, 5.0], [0, 0, 0.0], 1.0, 2.0 * (2 * 4.2) ** 0.5, gravity=[0, 0, -1.0])
    assert falling.particles.position[0] == pytest.approx([0, 0, 5.0], abs=1e-11)


def test_a_ball_on_the_axis_of_an_orifice_wide_enough_falls_through() -> None:
    disk = walls.Disk([0, 0, 0], [0, 0, 1], 2.0, 0.6)
    sim = one(disk, [0, 0, 5.0], [0, 0, -1.0], 0.59, 8.0)
    assert sim.particles.position[0] == pytest.approx([0, 0, -3.0])
    assert sim.counts.wall_collisions == 0


@pytest.mark.parametrize("gravity", [None, pytest.param([0, 0, -1.0], marks=LONG)])
def test_a_ball_on_the_axis_of_a_funnel_comes_back(gravity: Any) -> None:
    funnel = walls.Cone([0, 0, 0], [0, 0, 2.0], (0.0, 2.0))
    # Its surface is at 45°: it touches at the height r √2 of its centre.
    touch = 0.5 * 2.0**0.5
    speed = -1.0 if gravity is None else 0.0
    until = 2.0 * (1.5 - touch) if gravity is None else 2.0 * (2.0 * (1.5 - touch)) ** 0.5
    sim = one(funnel, [0, 0, 1.5], [0, 0, speed], 0.5, until, gravity=gravity)
    assert sim.counts.wall_collisions == 1
    assert sim.particles.position[0] == pytest.approx([0, 0, 1.5], abs=1e-11)


@pytest.mark.parametrize("offset", [0.0, 1e-17, 1e-12, -1e-9])
def test_hits_on_shared_edges_and_corners_are_single_ones(offset: float) -> None:
    vertices, triangles = cuboid([1.0, 1.0, 1.0])
    mesh = walls.Mesh(vertices, triangles)
    # The diagonal of a face, an edge from outside, a corner from outside.
    for start, direction, gap in (
        ([0.3 + offset, 0.3, 3.0], [0, 0, -1.0], 1.5),
        ([3.0 + offset, 0.2, 3.0], np.array([-1, 0, -1.0]) / 2**0.5, 8**0.5 - 0.5),
        ([3.0 + offset, 3.0, 3.0], -np.ones(3) / 3**0.5, 12**0.5 - 0.5),
    ):
        sim = one(mesh, start, direction, 0.5, 2.0 * gap)
        assert sim.counts.wall_collisions == 1
        assert sim.particles.velocity[0] == pytest.approx(-np.array(direction), abs=1e-6)
        assert sim.particles.position[0] == pytest.approx(start, abs=1e-6)


def test_an_acute_wedge_gives_back_what_enters() -> None:
    """⌈π/α⌉ hits at most in a wedge of the angle α, and exactly π/α along its bisector."""
    angle = np.pi / 9.0
    up = [10.0 * np.cos(angle / 2), 10.0 * np.sin(angle / 2)]
    shapes = [walls.Segment([0, 0], up), walls.Segment([0, 0], [up[0], -up[1]])]
    radius = 1e-3
    particles = carom.Particles([[5.0, 0.01]], [[-1.0, 0.0]], radius)
    far = [carom.Plane([0, -90.0], [0, 1]), walls.Circle([0, 50.0], 1.0)]  # as compiled above
    sim = carom.Simulation(carom.System(particles, walls=[*far, *shapes]))
    sim.run(until=9.0)
    assert sim.counts.wall_collisions in (9, 10)
    assert sim.particles.velocity[0, 0] > 0.9
    assert sim.energy == pytest.approx(0.5 * sim.particles.mass[0], rel=1e-13)


def test_a_mesh_and_planes_are_the_same_box() -> None:
    """The same collisions in the same order, while rounding has not yet grown."""
    particles, box = carom.packings.lattice(n=200, packing_fraction=0.2, temperature=1.0, seed=3)
    side = box.lengths[0] + 1e-9
    moved = carom.Particles(
        particles.position * (side - 1.01) / side + 0.505, particles.velocity, 0.45
    )
    mesh = walls.Mesh(*cuboid([side / 2] * 3, [side / 2] * 3), side="inside")
    log, other = carom.CollisionLog(), carom.CollisionLog()
    carom.Simulation(carom.System(moved, carom.Box(side)), observers=[log]).run(until=0.5)
    carom.Simulation(carom.System(moved, walls=[mesh]), observers=[other]).run(until=0.5)
    assert len(log["time"]) > 100
    assert other["time"] == pytest.approx(log["time"], rel=1e-9)
    assert (np.maximum(other["j"], -1) == np.maximum(log["j"], -1)).all()


ALGORITHMS = ("heap", *(pytest.param(name, marks=LONG) for name in ("lists", "simple")))


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_all_algorithms_agree(algorithm: str) -> None:
    _, triangles = icosphere(1)
    times = []
    for chosen in ("cells", algorithm):
        sim = simulation([walls.Mesh(DENTED, triangles)], 3, None, algorithm=chosen)
        log = carom.CollisionLog()
        sim = carom.Simulation(sim.system, method=sim.method, observers=[log])
        sim.run(until=2.0)
        times.append(log["time"])
    assert len(times[0]) > 50
    assert times[1] == pytest.approx(times[0], rel=1e-10)


@pytest.mark.slow
def test_nothing_leaves_a_closed_mesh_in_a_hundred_million_events() -> None:
    mesh = walls.Mesh(*icosphere(2, 1.0), side="inside")
    rng = np.random.default_rng(2)
    ring = np.arange(40)
    place = 0.7 * np.stack([np.cos(ring), np.sin(ring), (ring - 20) / 40.0], axis=1)
    keep = [0]
    for k in ring[1:]:
        if np.linalg.norm(place[keep] - place[k], axis=1).min() > 0.13:
            keep.append(k)
    particles = carom.Particles(place[keep], rng.normal(size=(len(keep), 3)), 0.06)
    sim = carom.Simulation(carom.System(particles, walls=[mesh]))
    before = sim.energy
    while sim.counts.wall_collisions + sim.counts.collisions < 100_000_000:
        sim.run(duration=5000.0)
        assert not mesh.on_wrong_side(sim.particles.position).any()
        assert distances(mesh, sim.particles.position).min() > 0.06 - 1e-12
    assert sim.energy == pytest.approx(before, rel=1e-11)
