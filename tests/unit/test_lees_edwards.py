"""The sheared box: what it refuses, its flow, and how scenes and observables know it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import carom
from carom.cli.building import start_of
from carom.cli.scene_files import read_scene
from carom.plotting.planar import with_images
from carom.trajectories.frame import frame_of
from carom.trajectories.gsd_frames import gsd_frame


def test_wrong_lengths_and_rates_are_refused() -> None:
    for rate in (math.nan, math.inf, "fast", None):
        with pytest.raises(ValueError, match=r"shear_rate must be a finite number"):
            carom.LeesEdwards([5.0, 5.0], rate)
    with pytest.raises(ValueError, match=r"length along y must be positive"):
        carom.LeesEdwards([5.0, -5.0], 1.0)


def sheared(particles: carom.Particles | None = None, **further: Any) -> carom.System:
    if particles is None:
        particles = carom.Particles([[1.0, 1.0], [3.0, 3.0]], [[1.0, 0.0], [0.0, 0.5]])
    return carom.System(particles, carom.LeesEdwards([5.0, 4.0], 1.0), **further)


def test_walls_and_forces_are_refused_and_told_why() -> None:
    for normal in ([1.0, 0.0], [0.0, 1.0]):
        with pytest.raises(ValueError, match=r"is periodic: the wall would have to repeat"):
            sheared(walls=[carom.Plane([0.0, 0.0], normal)])
    for force in ({"gravity": [0.0, -1.0]}, {"acceleration": np.zeros((2, 2))}):
        with pytest.raises(ValueError, match=r"gain speed without end"):
            sheared(**force)
    # At rest it is a periodic box, in which particles may fall.
    still = carom.LeesEdwards([5.0, 4.0], 0.0)
    carom.System(carom.Particles([[1.0, 1.0]]), still, gravity=[0.0, -1.0])


def test_a_particle_needs_a_gap_to_its_own_image() -> None:
    with pytest.raises(ValueError, match=r"no gap between a particle of diameter 4"):
        sheared(carom.Particles([[1.0, 1.0]], radius=2.0))


def test_heap_and_lists_refuse_boxes_that_are_too_narrow_to_lean() -> None:
    domain = carom.LeesEdwards([1.02, 1.1], 1.0)
    system = carom.System(carom.Particles([[0.5, 0.5]]), domain)
    with pytest.raises(ValueError, match=r"heap.*long along x.*leave algorithm out"):
        carom.Simulation(system, method=carom.EventDriven("heap"))
    with pytest.raises(ValueError, match=r"lists.*more if it is sheared.*algorithm='cells'"):
        carom.Simulation(system, method=carom.EventDriven("lists"))


def test_the_flow_is_linear_and_zero_in_the_middle() -> None:
    domain = carom.LeesEdwards([5.0, 4.0], -2.0)
    flow = domain.flow([[0.0, 2.0], [3.0, 3.0], [1.0, 0.0]])
    np.testing.assert_array_equal(flow, [[0.0, 0.0], [-2.0, 0.0], [4.0, 0.0]])


def test_a_start_in_another_row_has_the_velocity_of_its_image() -> None:
    """Given one row up: in the box it is slower by the velocity of that row, 4."""
    particles = carom.Particles([[1.0, 5.0]], [[3.0, 0.5]])
    seen = carom.Simulation(sheared(particles)).particles
    np.testing.assert_array_equal(seen.position, [[1.0, 1.0]])
    np.testing.assert_array_equal(seen.velocity, [[-1.0, 0.5]])
    np.testing.assert_array_equal(seen.unwrapped, [[1.0, 5.0]])


def test_temperature_is_that_of_motion_relative_to_the_flow() -> None:
    rng = np.random.default_rng(1)
    position, thermal = rng.uniform(0.0, 1.0, (6, 2)) * [0.2, 1.0], rng.normal(size=(6, 2))
    position += np.arange(6)[:, None] * [3.0, 2.0]
    domain = carom.LeesEdwards([18.0, 12.0], 0.8)
    mass = rng.uniform(1.0, 2.0, 6)
    # Some other velocity of all, which has nothing to do with temperature.
    velocity = thermal + domain.flow(position) + [7.0, 0.0]
    particles = carom.Particles(position, velocity, mass=mass)
    simulation = carom.Simulation(carom.System(particles, domain))
    relative = thermal - (mass[:, None] * thermal).sum(axis=0) / mass.sum()
    expected = (mass[:, None] * relative**2).sum() / (2 * 5)
    assert simulation.temperature == pytest.approx(expected, rel=1e-13)
    np.testing.assert_allclose(simulation.peculiar_velocity, relative, atol=1e-13)


def test_observables_before_time_has_passed_and_in_open_space() -> None:
    simulation = carom.Simulation(sheared())
    assert np.isnan(simulation.stress).all()
    assert math.isnan(simulation.shear_viscosity)
    assert simulation.shear_work == 0.0
    particle, law = carom.Particles([[0.0, 0.0]], [[1.0, 0.0]]), carom.ConstantRestitution(1.0)
    lone = carom.Simulation(carom.System(particle, law=law))
    lone.run(until=1.0)
    np.testing.assert_array_equal(lone.stress, np.zeros((2, 2)))
    assert lone.pressure == 0.0


def test_stress_of_two_particles_by_hand() -> None:
    """They meet head-on along (1, 1) with speed v each, once: an impulse of 2 v over a distance 1.

    Both kinetic and collisional part are along (1, 1), and the averages are taken over time T:
    m v² twice, and the impulse once.
    """
    v, side, time = 0.5, 10.0, 4.0
    along = np.array([1.0, 1.0]) / math.sqrt(2.0)
    particles = carom.Particles([[5.0, 5.0], [5.0, 5.0] + 2.0 * along], [v * along, -v * along])
    law = carom.ConstantRestitution(1.0)
    simulation = carom.Simulation(carom.System(particles, carom.Periodic(side), law=law))
    simulation.run(until=time)
    assert simulation.counts.collisions == 1
    direction = np.outer(along, along)
    np.testing.assert_allclose(
        simulation.kinetic_stress, 2.0 * v**2 * direction / side**2, atol=1e-15
    )
    np.testing.assert_allclose(
        simulation.collisional_stress, 2.0 * v * direction / (time * side**2), atol=1e-15
    )


def test_rough_contacts_add_the_impulse_along_the_surfaces() -> None:
    """One contact: the tensor is the impulse that a particle got times a separation of length 1."""
    particles = carom.Particles([[4.0, 5.0], [6.0, 4.2]], [[1.0, -0.5], [0.0, 0.0]])
    domain, law = carom.Periodic(10.0), carom.RoughRestitution(1.0, 1.0)
    simulation = carom.Simulation(carom.System(particles, domain, law=law))
    simulation.run(until=2.5)
    assert simulation.counts.collisions == 1
    tensor = simulation.collisional_stress * simulation.averaged_duration * 100.0
    impulse = simulation.particles.velocity[0] - [1.0, -0.5]
    separation = impulse @ tensor / (impulse @ impulse)
    assert np.linalg.norm(separation) == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(np.outer(impulse, separation), tensor, atol=1e-13)
    assert abs(tensor[0, 1] - tensor[1, 0]) > 0.05  # the impulse is not along the separation


def test_pictures_show_the_images_where_they_are() -> None:
    """Half a disk at the upper border; its image below is back by the offset, 4.5 less a box."""
    domain = carom.LeesEdwards([5.0, 4.0], 1.0)
    system = carom.System(carom.Particles([[1.0, 4.0]]), domain)
    offset = domain.offset(2, 1.125)
    assert offset == -0.5
    places, _ = with_images(system, system.particles.position, np.array([0.6]), offset)
    assert sorted(map(tuple, places)) == [(1.0, 4.0), (1.5, 0.0)]


def test_frames_hold_the_box_as_it_leans() -> None:
    """The same distances between images as in the run: a displacement of one row is a lattice
    vector of the frame's box."""
    particles, box = carom.packings.random(30, 0.2, dimension=2, temperature=1.0, seed=1)
    domain = carom.LeesEdwards(box.lengths, 2.0)
    law = carom.ConstantRestitution(0.9)
    simulation = carom.Simulation(carom.System(particles, domain, law=law))
    simulation.run(until=0.4)
    frame = gsd_frame(frame_of(simulation, 0))
    width, height, _, lean = frame.configuration.box[:4]
    offset = domain.offset(2, 0.4)
    assert lean * height == pytest.approx(offset, rel=1e-6)
    x, y = frame.particles.position[:, 0] / width, frame.particles.position[:, 1] / height
    assert (np.abs(x - lean * height * y / width) <= 0.5 + 1e-6).all()
    boxes = (frame.particles.position[:, :2] - simulation.particles.position) / [
        width,
        height,
    ] + 0.5
    np.testing.assert_allclose(boxes, np.rint(boxes), atol=1e-5)


SCENE = """
[particles]
packing = "random"
number = 40
{fraction}
dimension = 2
{domain}
[run]
until = 1.0
"""


def start(tmp_path: Any, domain: str) -> Any:
    path = tmp_path / "scene.toml"
    fraction = "" if "lengths" in domain else "packing_fraction = 0.2"
    path.write_text(SCENE.format(domain=f"[domain]\n{domain}\n", fraction=fraction))
    return start_of(read_scene(str(path)), 1)


def test_a_scene_begins_with_the_flow(tmp_path: Any) -> None:
    begun = start(tmp_path, 'kind = "lees_edwards"\nshear_rate = 3.0').system
    still = start(tmp_path, 'kind = "periodic"').system
    assert begun.domain == carom.LeesEdwards(still.sides, 3.0)
    flow = begun.domain.flow(still.particles.position)
    np.testing.assert_array_equal(begun.particles.velocity, still.particles.velocity + flow)
    with_lengths = start(tmp_path, 'kind = "lees_edwards"\nshear_rate = -3.0\nlengths = 20.0')
    assert with_lengths.system.domain == carom.LeesEdwards(20.0, -3.0)


def test_a_scene_needs_a_rate_for_this_box_and_for_no_other(tmp_path: Any) -> None:
    for domain in ('kind = "lees_edwards"', 'kind = "periodic"\nshear_rate = 1.0'):
        with pytest.raises(carom.SceneError, match=r"lees_edwards.*shear_rate"):
            start(tmp_path, domain)


def test_boxes_passed_by_the_billion_are_counted() -> None:
    # Carried along by the flow of a row that is far away, so that the boxes passed along x are more
    # than 32 bits can count.
    speed = 4e9 + 5.0
    particles = carom.Particles([[5.0, speed], [2.0, 2.0]], [[speed, 0.0], [0.0, 0.0]])
    simulation = carom.Simulation(carom.System(particles, carom.LeesEdwards([10.0, 10.0], 1.0)))
    simulation.run(until=37.0)
    moved = simulation.particles.unwrapped[0] - particles.position[0]
    assert moved.tolist() == pytest.approx([37.0 * speed, 0.0], rel=1e-12)
