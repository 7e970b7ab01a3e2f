"""The live view without a browser: runs, orders, refusals, safety."""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import signal
import socket as sockets
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack

import numpy as np
import pytest
from shows import still, until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import carom
from carom.view.colours import Painted, temperatures_around
from carom.view.contacts import contact_lines
from carom.view.live import LiveStage
from carom.view.show import _on_stage
from carom.view.speed_distribution import BINS, WIDEST, speed_distribution
from carom.view.stage import MOST_ERRANDS, Waiter

METHODS = {
    "events": carom.EventDriven(),
    "steps": carom.TimeStepped(dt=0.004),
    "springs": carom.SoftContacts(stiffness=1e4, friction=0.3),
    "flow": carom.Laden(fluid=carom.fluids.TaylorGreen(), dt=0.01, relaxation_time=1.0),
    "coupled": carom.Coupled(
        fluid=carom.fluids.NavierStokes2D(16, viscosity=0.1), dt=0.02, relaxation_time=1.0
    ),
}


def gas(method=None, law=None):
    box = carom.Periodic([13.0, 13.0])  # as wide as whole periods of the flow
    particles, _ = carom.packings.lattice(60, domain=box, temperature=1.0, seed=2)
    return carom.Simulation(carom.System(particles, box, law=law), method=method)


def dialled(show, **options):
    return connected(show.url, **options)


def connected(url, **options):
    address = url.replace("http", "ws") + "socket"
    origin = options.pop("origin", url.split("/")[0] + "//" + url.split("/")[2])
    return connect(address, origin=origin, max_size=None, **options)


def frames(socket, number, known=-1):
    """So many frames: time, count, rows."""
    found = []
    while len(found) < number:
        socket.send(json.dumps(["next", known]))
        while True:
            message = socket.recv(timeout=300)
            if isinstance(message, bytes) and message[4] in (2, 3):
                break
        _, _, _, count, known, at, _ = struct.unpack("<4sHHIIdd", message[:32])
        found.append((at, np.frombuffer(message[32:], "<f4")[: 4 * count].reshape(-1, 4)))
    return found


@pytest.mark.parametrize("kind", METHODS)
def test_what_is_painted_are_the_particles(kind):
    sim = gas(METHODS[kind])
    sim.run(0.313)
    painted = np.full((60, 6), np.nan, dtype=np.float32)
    sim.paint(painted)
    now = sim.particles
    sides = np.array(sim.system.sides)
    off = painted[:, :2] - now.position
    off -= sides * np.round(off / sides)
    assert np.abs(off).max() < 1e-5
    # Velocities of soft contacts are half a step old; a push of a step is far less than this.
    assert np.abs(painted[:, 3:5] - now.velocity).max() < (0.5 if kind == "springs" else 1e-5)
    assert (painted[:, [2, 5]] == 0.0).all()


def test_painting_in_a_sheared_box_wraps_rows():
    particles, box = carom.packings.lattice(64, 0.2, dimension=2, temperature=1.0, seed=2)
    domain = carom.LeesEdwards(box.lengths, 2.0)
    for method in (carom.EventDriven(), carom.TimeStepped(dt=0.004)):
        sim = carom.Simulation(carom.System(particles, domain), method=method)
        sim.run(1.7)
        painted = np.zeros((64, 6), dtype=np.float32)
        sim.paint(painted)
        off = painted[:, :2] - sim.particles.position
        off -= np.array(box.lengths) * np.round(off / np.array(box.lengths))
        assert np.abs(off).max() < 1e-4
        assert np.abs(painted[:, 3:5] - sim.particles.velocity).max() < 1e-4


@pytest.mark.parametrize("wrong", [np.zeros((60, 6)), np.zeros((3, 6), dtype=np.float32), None])
def test_painting_needs_a_fitting_array(wrong):
    with pytest.raises((TypeError, ValueError), match="paint needs an array"):
        gas().paint(wrong)


@pytest.mark.parametrize("kind", METHODS)
def test_a_run_that_is_looked_at_is_the_same_bit_for_bit(kind, shown):
    seen = gas(METHODS[kind])
    show = shown(seen, paused=False, rate=5.0)
    rng = random.Random(3)
    orders = [["paused", True], ["paused", False], ["step", show.stage.choices.offered["steps"][0]]]
    with dialled(show) as socket:
        frames(socket, 6)
        socket.send(json.dumps(["arrows", True]))
        socket.send(json.dumps(["colour", "temperature around"]))
        for _ in range(30):
            socket.send(json.dumps(rng.choice(orders)))
            frames(socket, 1)
        socket.send(json.dumps(["paused", False]))
        frames(socket, 6)
        until(lambda: seen.counts.collisions > 20)
    show.stop()
    unseen, end = gas(METHODS[kind]), math.ceil(seen.time) + 1.0
    for each in (unseen, seen):  # the show ended at an event, between two times
        each.run(end)
    assert unseen.counts.collisions == seen.counts.collisions > 0
    assert np.array_equal(unseen.particles.position, seen.particles.position)
    assert np.array_equal(unseen.particles.velocity, seen.particles.velocity)


def test_ten_pages_at_once(shown):
    show = shown(gas(), paused=False)
    with ExitStack() as stack:
        sockets = [stack.enter_context(dialled(show)) for _ in range(10)]
        times = [frames(socket, 3)[-1][0] for socket in sockets]
    assert min(times) > 0.0


def test_nobody_who_does_not_know_the_address_gets_in(shown):
    show = shown(gas())
    host = show.url.split("/")[2]
    for address in (f"http://{host}/", f"http://{host}/guess/", show.url + "../live.py"):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address, timeout=10)
    request = urllib.request.Request(show.url, headers={"Host": "elsewhere.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request, timeout=10)
    with pytest.raises(InvalidStatus, match="403"):
        dialled(show, origin="http://elsewhere.example")
    with urllib.request.urlopen(show.url, timeout=10) as page:
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert b"<canvas" in page.read()


@pytest.mark.parametrize(
    "message",
    [
        "nonsense",
        "[]",
        "{}",
        '["paused", 3]',
        '["rate", -1]',
        '["rate", "fast"]',
        '["colour", "no such"]',
        '["pick", 1000]',
        '["pick", true]',
        '["plots", ["no such"]]',
        '["change", ["law", 1]]',
        '["change", 7]',
        '["step", "back"]',
        '["flow", "vorticity"]',
        '["plane", [3, 0.5]]',
        '["plane", [0, NaN]]',
        '["film", "avi"]',
        '["python", {"zoom": "x"}]',
        '["per_frame", 0]',
        '["per_frame", true]',
        '["arrows", 1]',
        '["contacts", true]',
        '["__init__", 0]',
        "[" * 1000,
        '["python", {"zoom": 1%s}]' % ("0" * 400),
        '["pick", 1%s]' % ("0" * 400),
        '["rate", 1%s]' % ("0" * 400),
    ],
)
def test_orders_that_cannot_be_carried_out_are_refused_and_nothing_else_happens(shown, message):
    show = shown(gas())
    with dialled(show) as socket:
        socket.send(message)
        while True:
            answer = socket.recv(timeout=300)
            if isinstance(answer, str) and json.loads(answer)["kind"] == "refused":
                break
        assert frames(socket, 1)


@pytest.mark.parametrize("value", ["1%s" % ("0" * 400), "NaN", "[]", '{"a": 1}', '"x"', "null"])
@pytest.mark.parametrize("name", ["restitution", "gravity"])
def test_a_change_to_nonsense_is_told_and_the_show_goes_on(shown, name, value):
    sim = gas()
    show = shown(sim)
    with dialled(show) as socket:
        for wanted in (value, f"[{value}, {value}]"):
            said = show.stage._notice[0]
            socket.send(f'["change", ["{name}", {wanted}]]')
            until(lambda said=said: show.stage._notice[0] > said)
            assert show.stage.last_words.startswith(f"{name} stays as it is")
        assert frames(socket, 1)
    assert sim.changes == ()


def test_a_film_without_frames_is_told_of_and_not_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stage = LiveStage(gas(), math.inf, "speed", 1.0, {})
    for order in ("gif", None):
        assert stage.order("film", order) == ""
    stage._run_errands()
    assert "no frame" in stage.last_words
    assert list(tmp_path.iterdir()) == []


def test_an_errand_that_fails_is_told_and_too_many_are_refused(shown, monkeypatch):
    show = shown(gas())
    monkeypatch.setattr(show.stage, "_save_checkpoint", lambda: 1 / 0)
    with dialled(show) as socket:
        socket.send('["save", null]')
        until(lambda: "ZeroDivisionError" in show.stage.last_words)
        assert frames(socket, 1)
    show.stop()
    answers = [show.stage.order("save", None) for _ in range(MOST_ERRANDS + 1)]
    assert set(answers[:-1]) == {""}
    assert "Too many" in answers[-1]


def test_a_page_that_asks_without_end_while_paused_waits_its_turn():
    stage = LiveStage(gas(), math.inf, "speed", 1.0, {})
    loop = asyncio.new_event_loop()
    waiter = Waiter(-1, loop.create_future())
    stage._waiting = [waiter]
    stage._shown, stage._cost = time.perf_counter(), 60.0  # as if showing were that dear
    stage._rest()
    assert stage._waiting == [waiter]
    stage._cost = 0.0
    stage._rest()
    assert stage._waiting == []
    loop.close()


@pytest.mark.parametrize(
    "knock",
    [
        b"nonsense\r\n\r\n",
        b"GET /\xff/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"GET /token/socket HTTP/1.1\r\nHost: x\r\nOrigin: x\r\nOrigin: y\r\n\r\n",
        b"POST / HTTP/1.1\r\n\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HT",
    ],
)
def test_whoever_knocks_with_nonsense_gets_nothing_and_nobody_hears_of_it(shown, capfd, knock):
    show = shown(gas())
    address = ("127.0.0.1", int(show.url.split("/")[2].split(":")[1]))
    token = show.url.split("/")[3].encode()
    slow = [sockets.create_connection(address) for _ in range(50)]  # that never say more
    with sockets.create_connection(address, timeout=30) as stranger:
        stranger.sendall(knock.replace(b"token", token))
        if knock.endswith(b"\r\n\r\n"):
            answer = stranger.recv(100)
            assert not answer or answer.split()[1] in (b"400", b"403", b"414")
    with dialled(show) as socket:
        assert frames(socket, 1)
    for each in slow:
        each.close()
    show.stop()
    assert capfd.readouterr().err == ""


def test_too_long_an_order_ends_the_connection_only(shown):
    show = shown(gas())
    with dialled(show) as socket, pytest.raises(ConnectionClosed):
        socket.send("x" * 10_000)
        while True:
            socket.recv(timeout=300)
    with dialled(show) as socket:
        assert frames(socket, 1)


def test_a_collapse_is_told_and_the_show_goes_on(shown):
    chain = still(
        [[1.0, 5.0], [2.2, 5.0], [3.6, 5.0], [5.0, 5.0]],
        0.5,
        carom.Box([6.0, 10.0]),
        [[3.0, 0.0], [1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]],
        law=carom.ConstantRestitution(0.05),
    )
    show = shown(chain, paused=False, rate=math.inf)
    until(lambda: show.error is not None)
    with dialled(show) as socket:
        assert frames(socket, 1)
    assert isinstance(show.error, carom.CaromError)


def test_a_checkpoint_is_saved_where_python_runs(shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    show = shown(gas(), paused=False)
    with dialled(show) as socket:
        frames(socket, 3)
        socket.send('["save", null]')
        until(lambda: list(tmp_path.glob("view-t*.carom")))
    assert carom.load(next(tmp_path.glob("view-t*.carom"))).time > 0.0


def test_a_trajectory_is_played(tmp_path):
    from carom.view.played import PlayedStage
    from carom.view.server import Server
    from carom.view.show import Show

    path = tmp_path / "gas.gsd"
    particles, box = carom.packings.lattice(60, 0.2, dimension=2, temperature=1.0, seed=2)
    sim = carom.Simulation(
        carom.System(particles, box), observers=[carom.Trajectory(path, every=0.1)]
    )
    sim.run(1.0)
    stage = PlayedStage(path)
    show = Show(stage, Server(stage))
    show.play_aside()
    try:
        with dialled(show) as socket:
            socket.send('["seek", 10]')
            until(lambda: stage.paused)
            at, rows = frames(socket, 1)[0]
            assert at == pytest.approx(1.0)
            assert rows[:, :2] == pytest.approx(sim.particles.position, abs=1e-4)
    finally:
        show.stop()


@pytest.mark.posix
@pytest.mark.apart
def test_ctrl_c_ends_the_command_and_a_taken_port_is_no_error():
    command = [sys.executable, "-m", "carom.cli", "view", "cooling", "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    first = subprocess.Popen([*command, "--port", "0"], **pipes)
    started = [first]
    try:
        url = next(line for line in first.stdout if "http://" in line)
        port = url.split(":")[2].split("/")[0]
        second = subprocess.Popen([*command, "--port", port], **pipes)
        started.append(second)
        other = next(line for line in second.stdout if "http://" in line)
        assert f":{port}/" not in other
    finally:
        for process in started:
            process.send_signal(signal.SIGINT)
        said = [process.communicate(timeout=300)[0] for process in started]
    assert all("Stopped at t =" in each and "Traceback" not in each for each in said)
    assert [process.returncode for process in started] == [0, 0]


@pytest.mark.posix
@pytest.mark.apart
def test_a_checkpoint_goes_on_and_the_files_of_its_run_stay_as_they_are(tmp_path):
    file, saved = tmp_path / "gas.gsd", tmp_path / "state.carom"
    sim = gas()
    sim.add_observer(carom.Trajectory(file, every=0.1))
    sim.run(0.5)
    sim.save(saved)
    written = file.read_bytes()
    command = [sys.executable, "-m", "carom.cli", "view", str(saved), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(command, cwd=tmp_path, **pipes)
    try:
        url = next(line for line in process.stdout if "http://" in line).split()[2]
        with connected(url) as socket:
            until(lambda: frames(socket, 1)[0][0] > 0.5)
    finally:
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)[0]
    assert "Stopped at t =" in said
    assert process.returncode == 0
    assert file.read_bytes() == written


def test_other_addresses_are_warned_of():
    sim = gas()
    with pytest.warns(carom.CaromWarning, match="can be seen"):
        threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
        sim.view(host="localhost", browser=False)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"colour": "no such"}, "There are: speed"),
        ({"rate": -1.0}, "rate must be"),
        ({"until": -1.0}, "until=-1.0"),
        ({"colours": {"mine": 3}}, "must be a function"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_anything_runs(wrong, words):
    with pytest.raises((ValueError, TypeError), match=words):
        gas().view(browser=False, **wrong)


def test_a_colour_of_ones_own_that_fails_is_told_and_left(shown):
    def broken(simulation):
        raise RuntimeError("not today")

    show = shown(gas(), mine=broken)
    with dialled(show) as socket:
        socket.send('["colour", "mine"]')
        frames(socket, 1)
        until(lambda: show.stage.choices.colour == "speed")


def test_the_temperature_around_is_that_of_hot_and_cold_halves():
    rng = np.random.default_rng(1)
    rows = np.zeros((20_000, 6), dtype=np.float32)
    rows[:, :2] = rng.uniform(0.0, 10.0, (20_000, 2))
    hot = rows[:, 0] > 5.0
    rows[:, 3:5] = rng.normal(size=(20_000, 2)) * np.where(hot, 2.0, 1.0)[:, None] + 7.0
    ones = np.ones(20_000)
    around = temperatures_around(Painted(rows, ones, ones, ones, 2))
    # Cells of some eight particles: the mean over 10,000 is known to about 1 %.
    assert around[rows[:, 0] > 5.2].mean() == pytest.approx(4.0, rel=0.05)
    assert around[rows[:, 0] < 4.8].mean() == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_distribution_of_speeds_is_maxwells_whatever_the_masses(dimension):
    rng, n = np.random.default_rng(1), 200_000
    mass = rng.choice([1.0, 9.0], n)
    rows = np.zeros((n, 6), dtype=np.float32)
    rows[:, 3 : 3 + dimension] = rng.normal(size=(n, dimension)) * np.sqrt(2.5 / mass)[:, None]
    temperature, density = speed_distribution(Painted(rows, mass, mass, mass, dimension))
    u = (np.arange(BINS) + 0.5) * WIDEST / BINS
    front = u if dimension == 2 else math.sqrt(2.0 / math.pi) * u**2
    assert temperature == pytest.approx(2.5, rel=0.01)
    assert density == pytest.approx(front * np.exp(-0.5 * u**2), abs=0.01)


def test_contacts_are_lines_between_those_that_overlap():
    places = [[0.4, 5.0], [9.7, 5.0], [5.0, 5.0], [5.9, 5.0], [7.5, 5.0]]
    system = carom.System(carom.Particles(places, radius=0.5), carom.Periodic([10.0, 10.0]))
    rows = np.zeros((5, 6), dtype=np.float32)
    rows[:, :2] = places
    painted = Painted(rows, np.ones(5), np.full(5, 0.5), np.zeros(5), 2)
    lines = contact_lines(painted, system, 0.0)
    middles = sorted({round(float(x) % 10.0, 3) for x in 0.5 * (lines[:, 0] + lines[:, 4])})
    assert middles == [0.05, 5.45]


def test_collisions_so_far_are_counted_from_when_they_are_shown(shown):
    sim = gas()
    sim.run(0.5)
    show = shown(sim, paused=False)
    with dialled(show) as socket:
        socket.send('["colour", "collisions"]')
        frames(socket, 30)
        socket.send('["paused", true]')
        until(lambda: show.stage.paused)
        _, rows = frames(socket, 1)[0]
    show.stop()
    assert rows[:, 3].sum() > 0.0
    assert show.stage._counted.counts.sum() == rows[:, 3].sum()
    # Each collision has two partners; some had happened before anybody counted.
    assert rows[:, 3].sum() <= 2 * sim.counts.collisions
    unseen = gas()
    for each in (unseen, sim):
        each.run(math.ceil(sim.time) + 1.0)
    assert np.array_equal(unseen.particles.position, sim.particles.position)


def test_so_many_collisions_a_frame_are_so_many(shown):
    sim = gas()
    show = shown(sim, paused=False)
    with dialled(show) as socket:
        socket.send('["per_frame", 7]')
        until(lambda: show.stage.choices.per_frame == 7)
        frames(socket, 3)
        show.stage.paused = True
    show.stop()
    before = sim.counts.collisions
    show.stage._go_on("")
    assert sim.counts.collisions == before + 7


def test_one_simulation_has_one_show(shown, monkeypatch):
    sim = gas()
    show = shown(sim)
    monkeypatch.setitem(_on_stage, sim, show)
    with pytest.raises(RuntimeError, match="shown already"):
        sim.view(browser=False)
    show.stop()
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    sim.view(browser=False)


def test_a_view_in_a_thread_runs_and_ends(capsys):
    sim = gas()
    found = []
    thread = threading.Thread(target=lambda: found.append(sim.view(browser=False)), daemon=True)
    thread.start()
    until(lambda: "http://" in capsys.readouterr().out)
    until(lambda: sim.time > 0.0)
    _on_stage[sim].stop()
    thread.join(30.0)
    assert not thread.is_alive()
    assert found[0].error is None


def test_without_websockets_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "websockets", None)
    with pytest.raises(carom.CaromError, match=r"carom\[view\]"):
        gas().view(browser=False)


def test_where_the_browser_is_elsewhere_a_notebook_is_refused_in_words(monkeypatch):
    from carom.view.where import elsewhere

    assert elsewhere({}) == ""
    assert elsewhere({"JUPYTERHUB_SERVICE_PREFIX": "/user/me/"}) == "JupyterHub"
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/me/")

    class IPython:
        @staticmethod
        def get_ipython():
            return type("Shell", (), {"kernel": True})()

    monkeypatch.setitem(sys.modules, "IPython", IPython)
    with pytest.raises(carom.CaromError, match=r"JupyterHub.*picture and film.*port="):
        gas().view()
    show = gas().view(port=1)  # somebody has forwarded one; that it is taken is no error
    show.stop()
    assert "iframe" in show._repr_html_()


def test_an_observer_that_fails_pauses_the_show(shown):
    class Failing(carom.Observer):
        def observe(self, simulation):
            raise RuntimeError("not this time")

    sim = gas()
    sim.add_observer(Failing(0.5))
    show = shown(sim, paused=False, rate=math.inf)
    until(lambda: show.error is not None)
    with dialled(show) as socket:
        assert frames(socket, 1)
    assert show.stage.paused


def test_a_picture_that_fails_is_told_and_the_run_goes_on(shown, monkeypatch):
    sim = gas()
    show = shown(sim, paused=False)
    monkeypatch.setattr(show.stage, "_values", lambda painted: 1 / 0)
    with dialled(show) as socket:
        socket.send('["next", -1]')
        while True:
            message = socket.recv(timeout=300)
            if isinstance(message, str) and json.loads(message)["kind"] == "trouble":
                break
    before = sim.time
    until(lambda: sim.time > before)


def test_a_trajectory_that_grows_is_followed(tmp_path):
    from carom.view.played import PlayedStage

    path = tmp_path / "gas.gsd"
    particles, box = carom.packings.lattice(30, 0.2, dimension=2, temperature=1.0, seed=2)
    trajectory = carom.Trajectory(path, every=0.1)
    sim = carom.Simulation(carom.System(particles, box), observers=[trajectory])
    sim.run(0.05)
    stage = PlayedStage(path)
    assert len(stage._frames) == 1  # one frame alone is shown, too
    assert stage._messages()
    sim.run(0.5)
    stage._looked_at = -math.inf
    stage._look_for_more()
    assert len(stage._frames) == 6
    assert stage.order("seek", 5) == ""
    stage._run_errands()
    assert json.loads(stage._messages()[-1])["time"] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"camera": {"zoom": 0.0}}, "zoom"),
        ({"camera": {"roll": 1.0}}, "yaw, pitch, zoom, middle"),
        ({"flow": "vorticity"}, "There are: none"),
        ({"contacts": True}, "no contacts that last"),
        ({"plots": ["no such"]}, "no such quantity"),
        ({"arrows": 1}, "true or false"),
    ],
)
def test_choices_that_cannot_be_are_refused_before_anything_runs(wrong, words):
    with pytest.raises(ValueError, match=words):
        gas().view(browser=False, **wrong)
