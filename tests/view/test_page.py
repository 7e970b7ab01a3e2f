"""The live view in a real browser: pixels, orders, keys."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from shows import still, until

import carom
from carom import walls

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


def test_the_outline_of_a_wall_is_where_the_wall_is(shown, opened):
    """In open space all of it is in the view."""
    particles = carom.Particles([[4.0, 5.0]], None, 0.5)
    ring = walls.Circle([5.0, 5.0], 4.0)
    page = opened(shown(carom.Simulation(carom.System(particles, walls=[ring]))).url)
    seen = covered(page.pixels())
    for angle in range(8):
        y, x = place_of(page, [5.0 + 4.0 * math.cos(angle), 5.0 + 4.0 * math.sin(angle), 0.0])
        assert seen[y - 2 : y + 3, x - 2 : x + 3].any()
    y, x = place_of(page, [7.0, 5.0, 0.0])
    assert not seen[y - 2 : y + 3, x - 2 : x + 3].any()


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
    page.page.mouse.click(
        column / ratio, page.of("carom.drawing.gl.canvas.clientHeight") - row / ratio
    )
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


def test_a_run_that_is_gone_is_said_to_be(shown, opened):
    show = shown(still([[5.0, 5.0]], [1.0], carom.Open()))
    page = opened(show.url)
    show.stop()
    until(lambda: "The run has ended" in page.page.text_content("#notice"))
    page.page.close()
    page.complaints.clear()  # of the browser, which could not connect again


def test_help_opens_and_closes_by_keyboard_and_mouse(shown, opened):
    page = opened(shown(still([[5.0, 5.0]], [1.0], carom.Open())).url)
    page.page.focus("#scene")
    page.page.keyboard.press("?")
    until(lambda: page.page.is_visible("#help"))
    assert "full stop" in page.page.text_content("#help")
    page.page.keyboard.press("Escape")
    until(lambda: not page.page.is_visible("#help"))
    page.page.click("#ask")
    page.page.click("#helped")
    until(lambda: not page.page.is_visible("#help"))


@pytest.mark.parametrize("width", [400, 1280])
def test_nothing_lies_on_the_picture_and_all_can_be_read(shown, opened, width):
    page = opened(shown(flow_in(2)).url, width=width, height=800)
    page.page.select_option("#flow", "vorticity")
    until(lambda: page.page.is_visible("#flow-scale"))
    until(lambda: page.page.text_content("#flow-top"))
    of = "document.getElementById('{}').getBoundingClientRect().toJSON()"
    scene, legend = page.of(of.format("scene")), page.of(of.format("legend"))
    assert scene["bottom"] <= legend["top"] + 0.5
    assert legend["bottom"] <= 800
    smallest = """(() => { const all = document.querySelectorAll("p, label, output, select");
        return Math.min(...[...all].map((each) => parseFloat(getComputedStyle(each).fontSize)));
      })()"""
    assert page.of(smallest) >= 14.0
    cut = """[...document.querySelectorAll("aside select, aside button, aside span")].filter(
        (each) => each.offsetWidth && each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
        .map((each) => each.id || each.textContent)"""
    assert page.of(cut) == []


def test_whoever_waits_long_is_told_why(shown, opened, monkeypatch):
    sim = still([[5.0, 5.0]], [1.0], carom.Box([10.0, 10.0]), [[1.0, 0.0]])
    show = shown(sim, paused=False)
    page = opened(show.url)
    until(lambda: page.of("carom.state.time") > 0.0)
    compiled, go_on = threading.Event(), show.stage._go_on
    monkeypatch.setattr(show.stage, "_go_on", lambda single: (compiled.wait(60.0), go_on(single)))
    until(lambda: "compiled at its first use" in page.page.text_content("#notice"))
    compiled.set()
    until(lambda: page.page.text_content("#notice") == "")


def test_two_choices_made_before_either_is_answered_both_hold(shown, opened):
    particles, box = carom.packings.lattice(
        20, domain=carom.Box([10.0, 10.0]), temperature=1.0, seed=2
    )
    sim = carom.Simulation(carom.System(particles, box))
    page = opened(shown(sim).url, height=900)
    until(lambda: page.of("document.querySelectorAll('#changes input').length") == 3)
    page.of("""(() => {
        const chosen = (id, value) => {
          const each = document.getElementById(id);
          each.value = value; each.dispatchEvent(new Event("change"));
        };
        chosen("add-plot", "energy"); chosen("add-plot", "temperature");
        chosen("change-gravityx", "0.5"); chosen("change-gravityy", "-1");
      })()""")
    until(lambda: page.of("carom.state.settings.plots") == ["energy", "temperature"])
    until(lambda: len(sim.changes) == 2)
    assert sim.changes[-1].value == pytest.approx([0.5, -1.0], abs=0.02)


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


def test_spheres_are_where_they_must_be_before_and_after_a_turn(shown, opened):
    places = [[2.0, 3.0, 7.0], [8.0, 6.0, 2.0], [5.0, 9.0, 5.0]]
    page = opened(shown(still(places, [0.5, 0.8, 0.6], carom.Periodic([10.0] * 3))).url)
    for turn in ("({})", "({ yaw: 2.1, pitch: -0.6, zoom: 1.4 })"):
        page.of(f"Object.assign(carom.camera, {turn})")
        seen = covered(page.pixels())
        for place in places:
            row, column = place_of(page, place)
            assert seen[row - 1 : row + 2, column - 1 : column + 2].all()


def coloured(image, red_over_green):
    """Where orange is: much more red than blue."""
    return (image[..., 0] > image[..., 2] + red_over_green) & (image[..., 0] > 0.5)


def test_velocities_are_arrows_with_heads(shown, opened):
    sim = still([[5.0, 5.0], [2.0, 2.0]], 0.5, carom.Open(), [[2.0, 0.0], [0.0, 0.0]])
    show = shown(sim)
    page = opened(show.url)
    before = page.pixels()
    page.page.check("#arrows")
    until(lambda: page.of("carom.state.velocities ? 1 : 0"))
    changed = np.abs(page.pixels() - before).max(axis=2) > 0.2
    _, start = place_of(page, [5.0, 5.0, 0.0])
    _, end = place_of(page, [7.0, 5.0, 0.0])  # the fastest is four radii long
    columns = np.flatnonzero(changed.any(axis=0))
    assert columns[0] == pytest.approx(start, abs=3)
    assert columns[-1] == pytest.approx(end, abs=3)
    thickness = changed[:, end - 8 : end].sum(axis=0).max(), changed[:, start + 5].sum()
    assert thickness[0] > 2 * thickness[1]  # its head
    page.page.uncheck("#arrows")
    until(lambda: page.of("carom.state.velocities === null"))


def flow_in(dimension):
    particles, box = carom.packings.lattice(
        30, domain=carom.Periodic([1.0] * dimension), radius=0.01, seed=1
    )
    fluid = carom.fluids.TaylorGreen() if dimension == 2 else carom.fluids.ABC()
    method = carom.Laden(fluid=fluid, dt=0.01, relaxation_time=1.0)
    return carom.Simulation(carom.System(particles, box), method=method)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_flow_is_a_picture_or_arrows(shown, opened, dimension):
    sim = flow_in(dimension)
    page = opened(shown(sim).url, height=800)
    page.page.select_option("#flow", "vorticity")
    until(lambda: page.of("carom.state.flow ? 1 : 0"))
    for sign in (1.0, -1.0):
        # Where the vorticity about z is greatest, of one sign and of the other.
        width = page.of("carom.state.flow.width")
        values = np.array(page.of("[...carom.state.flow.values]")).reshape(-1, width)
        y, x = np.unravel_index((sign * values.astype(float)).argmax(), values.shape)
        height = 0.0 if dimension == 2 else 0.5
        place = [float(x + 0.5) / width, float(y + 0.5) / len(values), height]
        if dimension == 3:
            page.of("Object.assign(carom.camera, { yaw: 0, pitch: 1.5 })")
        else:
            step = 1e-4
            d = np.array([[step, 0.0], [0.0, step]])
            near = [np.array(place[:2]) + each for each in (d[0], -d[0], d[1], -d[1])]
            u = sim.fluid.velocity(near)
            curl = (u[0, 1] - u[1, 1] - u[2, 0] + u[3, 0]) / (2.0 * step)
            assert curl * sign > 0.0
        red, _, blue = page.pixels()[place_of(page, place)]
        assert (red - blue) * sign > 0.2
    page.page.select_option("#flow", "arrows")
    until(lambda: page.of("carom.state.flowArrows ? 1 : 0"))
    page.page.select_option("#flow", "none")
    until(lambda: page.of("carom.state.flow === null && carom.state.flowArrows === null"))


def test_contacts_are_lines_where_particles_touch(shown, opened):
    particles = carom.Particles([[5.0, 5.0], [5.95, 5.0], [5.0, 7.0]], radius=0.5)
    system = carom.System(particles, carom.Periodic([10.0, 10.0]))
    sim = carom.Simulation(system, method=carom.SoftContacts(stiffness=1e3))
    page = opened(shown(sim).url)
    page.page.check("#contacts")
    until(lambda: page.of("carom.state.contacts ? 1 : 0"))
    image = page.pixels()
    orange = coloured(image, 0.4)
    assert orange[place_of(page, [5.5, 5.0, 0.0])]
    assert not orange[place_of(page, [5.0, 6.0, 0.0])]


def test_a_slab_leaves_out_the_rest(shown, opened):
    sim = still([[5.0, 5.0, 1.0], [5.0, 5.0, 9.0]], 1.0, carom.Periodic([10.0] * 3))
    page = opened(shown(sim).url)
    page.of("Object.assign(carom.camera, { yaw: 0, pitch: 0 })")
    page.page.select_option("#slab-axis", "2")
    page.page.focus("#slab-at")
    page.page.keyboard.press("End")
    until(lambda: page.of("carom.state.slab.at") == 10.0)
    seen = covered(page.pixels())
    assert seen[place_of(page, [5.0, 5.0, 9.0])]
    assert not seen[place_of(page, [5.0, 5.0, 1.0])]


def test_what_cannot_be_changed_is_not_offered_and_a_shear_rate_can(shown, opened):
    particles, box = carom.packings.lattice(64, 0.2, dimension=2, temperature=1.0, seed=2)
    sim = carom.Simulation(carom.System(particles, carom.LeesEdwards(box.lengths, 0.5)))
    page = opened(shown(sim, paused=False).url, height=900)
    until(lambda: page.of("document.querySelectorAll('#changes input').length") == 2)
    assert not page.page.is_visible("#contacts-row")
    assert not page.page.is_visible("#flow-row")
    page.page.focus("#change-shear_rate")
    page.page.keyboard.press("End")
    until(lambda: sim.system.shear_rate == 2.0)
    until(lambda: page.of("carom.state.changeable.shear_rate") == 2.0)


def test_a_particle_is_picked_and_let_go_by_the_keyboard_alone(shown, opened):
    sim = still([[2.0, 2.0], [7.0, 7.0]], [0.5, 1.0], carom.Box([10.0, 10.0]), [[1.0, 0.0]] * 2)
    page = opened(shown(sim, paused=False).url, height=900)
    page.page.focus("#pick")
    page.page.keyboard.type("1")
    page.page.keyboard.press("Enter")
    until(lambda: "Particle 1" in page.page.text_content("#picked"))
    until(lambda: page.of("carom.state.path?.length ?? 0") > 16)
    page.page.focus("#let-go")
    page.page.keyboard.press("Enter")
    until(lambda: page.of("carom.state.path === null"))


def test_plots_are_drawn_and_removed(shown, opened):
    particles, box = carom.packings.lattice(64, 0.2, dimension=2, temperature=1.0, seed=2)
    page = opened(shown(carom.Simulation(carom.System(particles, box)), paused=False).url)
    page.page.select_option("#add-plot", "energy")
    ink = """(() => { const canvas = document.querySelector("#plots canvas");
        const data = canvas?.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        return data ? data.filter((each, k) => k % 4 === 3 && each > 0).length : 0; })()"""
    until(lambda: page.of(ink) > 300)
    page.page.click("#plots button")
    until(lambda: page.of("document.querySelectorAll('#plots canvas').length") == 0)


def test_a_film_of_the_browser_and_one_of_the_server(shown, opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    particles, box = carom.packings.lattice(20, 0.2, dimension=2, temperature=1.0, seed=2)
    page = opened(shown(carom.Simulation(carom.System(particles, box)), paused=False).url)
    page.page.click("#record")
    frame = page.of("carom.state.drawn")
    until(lambda: page.of("carom.state.drawn") > frame + 10)
    with page.page.expect_download() as download:
        page.page.click("#record")
    download.value.save_as("seen.webm")
    assert (tmp_path / "seen.webm").read_bytes()[:4] == b"\x1a\x45\xdf\xa3"  # EBML
    page.page.select_option("#film-kind", "gif")
    page.page.click("#record")
    until(lambda: page.page.text_content("#record") == "Stop")
    frame = page.of("carom.state.drawn")
    until(lambda: page.of("carom.state.drawn") > frame + 8)
    page.page.click("#record")
    until(lambda: list(tmp_path.glob("view-t*.gif")))
    assert next(tmp_path.glob("view-t*.gif")).read_bytes()[:6] == b"GIF89a"


def test_the_python_that_is_copied_makes_the_same_view(shown, opened):
    particles, box = carom.packings.lattice(20, 0.2, dimension=2, temperature=1.0, seed=2)
    law = carom.ConstantRestitution(0.9)
    sim = carom.Simulation(carom.System(particles, box, law=law))
    sim.run(0.5)
    show = shown(sim)
    page = opened(show.url, permissions=["clipboard-read", "clipboard-write"])
    page.page.focus("#change-restitution")
    page.page.keyboard.press("Home")
    until(lambda: sim.changes)
    page.page.check("#arrows")
    page.page.focus("#scene")
    page.page.keyboard.press("+")
    until(lambda: page.of("carom.state.settings.arrows"))
    page.page.click("#copy")
    until(lambda: "Copied" in page.page.text_content("#notice"))
    text = page.of("navigator.clipboard.readText()")
    calls = {}
    again = carom.Simulation(carom.System(particles, box, law=law))
    again.run(0.5)
    again.view = calls.update
    exec(text, {"sim": again, "carom": carom})
    assert again.changes == sim.changes
    assert calls["arrows"] is True
    assert calls["camera"]["zoom"] == pytest.approx(1.15)


def test_ten_pages_see_the_same(shown, opened):
    particles, box = carom.packings.lattice(50, 0.2, dimension=2, temperature=1.0, seed=2)
    show = shown(carom.Simulation(carom.System(particles, box)), paused=False)
    pages = [opened(show.url, width=500, height=300) for _ in range(10)]
    for page in pages:
        frame = page.of("carom.state.frame")
        until(lambda page=page, frame=frame: page.of("carom.state.frame") > frame)
    pages[3].page.click("#pause")
    for page in pages:
        until(lambda page=page: page.of("carom.state.settings.paused"))
    until(lambda: len({page.of("carom.state.time") for page in pages}) == 1)
