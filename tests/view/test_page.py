"""The live view in a real browser: pixels, orders, keys."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shows import still, until

import carom

pytestmark = pytest.mark.apart


def covered(image):
    """Where something else than the ground is."""
    return np.abs(image - image[2, 2]).max(axis=2) > 0.25


def place_of(page, point):
    """The pixel of a point of the system."""
    x, y, _ = page.of(f"carom.camera.seen({list(point)}, carom.drawing.aspect)")
    height, width = page.pixels().shape[:2]
    return int((1.0 + y) / 2.0 * height), int((x / (width / height) + 1.0) / 2.0 * width)


def test_disks_are_where_they_must_be_and_as_large(shown, opened):
    sim = still([[5.0, 5.0], [2.0, 8.0]], [2.0, 0.7], carom.Open())
    page = opened(shown(sim).url)
    seen = covered(page.pixels())
    per_length = seen.shape[0] / 2.0 / page.of("carom.camera.reach(carom.drawing.aspect)")
    area = math.pi * (2.0**2 + 0.7**2) * per_length**2
    assert seen.sum() == pytest.approx(area, rel=0.02)
    for point in ([5.0, 5.0, 0.0], [6.8, 5.0, 0.0], [2.0, 8.0, 0.0]):
        assert seen[place_of(page, point)]
    for point in ([7.2, 5.0, 0.0], [2.0, 6.9, 0.0]):
        assert not seen[place_of(page, point)]


def test_zoomed_in_the_part_of_a_disk_is_seen_whose_middle_is_not(shown, opened):
    page = opened(shown(still([[5.0, 5.0], [2.0, 8.0]], [2.0, 0.7], carom.Open())).url)
    page.of("(carom.camera.zoom = 20, carom.camera.middle = [6.9, 5.0, 0], 1)")
    image = page.pixels()
    row = image[image.shape[0] // 2]
    assert np.abs(row[5] - row[-5]).max() > 0.25


def test_what_leaves_a_periodic_box_comes_in_on_the_other_side(shown, opened):
    page = opened(shown(still([[0.0, 5.0]], [1.0], carom.Periodic([10.0, 10.0]))).url)
    seen = covered(page.pixels())
    assert seen[place_of(page, [0.5, 5.0, 0.0])]
    assert seen[place_of(page, [9.5, 5.0, 0.0])]
    assert not seen[place_of(page, [-0.5, 5.0, 0.0])]
    assert not seen[place_of(page, [10.5, 5.0, 0.0])]


def test_the_nearer_sphere_hides_the_other_before_and_after_a_turn(shown, opened):
    particles = carom.Particles(
        [[5.0, 2.0, 5.0], [5.0, 8.0, 5.0]], radius=1.0, species=["first", "second"]
    )
    sim = carom.Simulation(carom.System(particles, carom.Periodic([10.0] * 3)))
    page = opened(shown(sim, colour="species").url)
    until(lambda: page.of("carom.state.classes"))
    page.of("Object.assign(carom.camera, { yaw: 0, pitch: 0 })")

    def middle():
        image = page.pixels()
        return image[image.shape[0] // 2, image.shape[1] // 2]

    assert middle()[2] > middle()[0]  # blue in front
    page.of("carom.camera.yaw = Math.PI")
    assert middle()[0] > middle()[2]  # orange from behind


def test_spheres_are_round_and_lit(shown, opened):
    page = opened(shown(still([[5.0] * 3], [2.0], carom.Open())).url)
    page.of("Object.assign(carom.camera, { yaw: 0, pitch: 0 })")
    image = page.pixels()
    seen = covered(image)
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    height, width = np.ptp(rows) + 1, np.ptp(columns) + 1
    assert height == pytest.approx(width, abs=2)
    assert seen.sum() == pytest.approx(math.pi * height * width / 4.0, rel=0.02)
    upper, lower = image[rows[-1] - height // 6], image[rows[0] + height // 6]
    middle = (columns[0] + columns[-1]) // 2
    assert upper[middle].sum() > 1.3 * lower[middle].sum()  # the light comes from above


def test_buttons_keys_and_sliders_give_orders(shown, opened):
    sim = still(
        [[2.0, 5.0], [7.0, 5.0]],
        0.5,
        carom.Box([10.0, 10.0]),
        [[1.0, 0.0], [-1.0, 0.0]],
        law=carom.ConstantRestitution(0.9),
    )
    show = shown(sim)
    page = opened(show.url, height=900)
    page.page.click("#step")
    until(lambda: page.of("carom.state.time") == 2.0)  # they touch
    assert sim.counts.collisions == 1
    page.page.focus("#scene")
    page.page.keyboard.press("Space")
    until(lambda: page.of("carom.state.time") > 2.2)
    page.page.keyboard.press("Space")
    until(lambda: show.stage.paused)
    page.page.keyboard.press(".")
    until(lambda: sim.counts.wall_collisions + sim.counts.collisions >= 2)
    zoom = page.of("carom.camera.zoom")
    page.page.keyboard.press("+")
    assert page.of("carom.camera.zoom") > zoom
    page.page.keyboard.press("0")
    assert page.of("carom.camera.zoom") == 1
    # By the keyboard alone.
    page.page.focus("#change-restitution")
    page.page.keyboard.press("Home")
    until(lambda: [change.name for change in sim.changes] == ["restitution"])
    assert sim.system.law == carom.ConstantRestitution(0.0)
    page.page.focus("#colour")
    page.page.select_option("#colour", "size")
    until(lambda: page.of("carom.state.settings.colour") == "size")
    page.page.select_option("#add-plot", "energy")
    until(lambda: page.of("document.querySelectorAll('#plots canvas').length") == 1)


def test_dragging_turns_and_the_wheel_zooms(shown, opened):
    page = opened(shown(still([[5.0] * 3], [1.0], carom.Periodic([10.0] * 3))).url)
    before = page.of("[carom.camera.yaw, carom.camera.pitch, carom.camera.zoom]")
    page.page.mouse.move(150, 200)
    page.page.mouse.down()
    page.page.mouse.move(250, 150, steps=4)
    page.page.mouse.up()
    page.page.mouse.wheel(0, -300)
    until(lambda: page.of("carom.camera.zoom") > before[2])
    after = page.of("[carom.camera.yaw, carom.camera.pitch, carom.camera.zoom]")
    assert after[0] < before[0] and after[1] < before[1]


def test_a_click_picks_a_particle_and_shows_its_numbers(shown, opened):
    sim = still([[2.0, 2.0], [7.0, 7.0]], [0.5, 1.0], carom.Box([10.0, 10.0]))
    page = opened(shown(sim).url)
    row, column = place_of(page, [7.0, 7.0, 0.0])
    ratio = page.of("devicePixelRatio")
    page.page.mouse.click(column / ratio, 400 - row / ratio)
    until(lambda: "Particle 1" in page.page.text_content("#picked"))
    assert "radius 1" in page.page.text_content("#picked")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(shown, opened, scheme):
    page = opened(shown(still([[5.0, 5.0]], [1.0], carom.Open())).url, color_scheme=scheme)
    ground = page.pixels()[2, 2, 0]
    assert ground > 0.9 if scheme == "light" else ground < 0.2


def test_on_a_phone_nothing_is_wider_than_the_screen(shown, opened):
    show = shown(still([[5.0] * 3], [1.0], carom.Periodic([10.0] * 3)))
    page = opened(show.url, width=400, height=800, has_touch=True)
    beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.of(beyond) <= 0
    assert page.of("document.getElementById('scene').clientHeight") > 300


def test_nothing_is_asked_of_other_addresses(shown, opened):
    show = shown(still([[5.0, 5.0]], [1.0], carom.Open()))
    page = opened(show.url)
    assert all(url.startswith((show.url, "data:")) for url in page.asked)


def test_a_lost_connection_comes_back(shown, opened):
    show = shown(still([[5.0, 5.0]], [1.0], carom.Open()), paused=False)
    page = opened(show.url)
    show._server._loop.call_soon_threadsafe(
        lambda: [connection.transport.abort() for connection in show._server._listening.connections]
    )
    until(lambda: page.of("carom.state.losses") == 1)
    until(lambda: page.of("carom.state.connected"))
    frame = page.of("carom.state.frame")
    until(lambda: page.of("carom.state.frame") > frame)


def test_every_control_has_a_name(shown, opened):
    page = opened(shown(still([[5.0, 5.0]], [1.0], carom.Open())).url)
    nameless = """[...document.querySelectorAll("button, input, select, canvas")].filter((each) =>
        !(each.ariaLabel || each.textContent.trim() || each.closest("label")))
        .map((each) => each.id)"""
    assert page.of(nameless) == []


def test_the_speeds_are_shown_beside_maxwells(shown, opened):
    particles, box = carom.packings.lattice(400, 0.2, dimension=2, temperature=1.0, seed=1)
    page = opened(shown(carom.Simulation(carom.System(particles, box))).url, height=900)
    drawn = """(() => { const canvas = document.getElementById("speeds");
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        return data.filter((each, k) => k % 4 === 3 && each > 0).length; })()"""
    until(lambda: page.of(drawn) > 1000)
