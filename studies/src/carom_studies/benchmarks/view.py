"""What the live view costs: a frame, a run that is looked at, a browser without a graphics card.

``python -m carom_studies.benchmarks.view`` measures it all, in some four minutes; ``--markdown
docs/benchmarks.md`` writes the tables into the manual. Plain runs, runs that nobody looks at and
runs with a client take turns of seconds, and what counts are the medians of their ratios. The
clock is the processor time of the process, server and run together: only one of them holds Python
at a time, so that on a quiet machine it is that of the wall, and on a busy one it does not suffer.
The client, which takes 20 frames a second and draws nothing, is a process on the other core. The
part with a browser needs chromium and playwright, and is left out where they are not.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import carom
from carom.view.live import LiveStage
from carom.view.server import Server
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.benchmarks.tables import Table, show, write_into

PARTICLES, PACKING_FRACTION = 100_000, 0.30
FRAMES_PER_SECOND = 20.0
SECONDS, ROUNDS = 2.0, 9
FRAMES = 40
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
KINDS = ("plain", "nobody looks", "a client takes frames")


def spheres(n: int = PARTICLES) -> carom.Simulation:
    particles, box = carom.packings.lattice(n, PACKING_FRACTION, temperature=1.0, seed=1)
    sim = carom.Simulation(carom.System(particles, box))
    sim.run(collisions=n, progress=False)
    return sim


def disks(n: int) -> carom.Simulation:
    particles, box = carom.packings.lattice(n, 0.2, dimension=2, temperature=1.0, seed=1)
    return carom.Simulation(carom.System(particles, box))


class Watched:
    """A stage with a server, on which a simulation is run for some seconds at a time."""

    def __init__(self, sim: carom.Simulation) -> None:
        self.sim = sim
        self.stage = LiveStage(sim, math.inf, "speed", math.inf, {})
        self.server = Server(self.stage)

    def run(self, seconds: float) -> float:
        """Collisions per second while it is on."""
        self.stage._ended = False
        timer = threading.Timer(seconds, self.stage.end)
        before, start = self.sim.counts.collisions, time.process_time()
        timer.start()
        self.stage.play()
        return (self.sim.counts.collisions - before) / (time.process_time() - start)


def plain(sim: carom.Simulation, seconds: float, piece: int) -> float:
    """Collisions per second without a view, in pieces of a quarter of a second."""
    before, start, end = sim.counts.collisions, time.process_time(), time.monotonic() + seconds
    while time.monotonic() < end:
        sim.run(collisions=piece, progress=False)
    return (sim.counts.collisions - before) / (time.process_time() - start)


def client(url: str, looking: Any, received: Any, core: int | None) -> None:
    """Another process: takes frames while it is looking, and leaves while it is not."""
    from websockets.sync.client import connect
    from websockets.typing import Origin

    if core is not None:
        os.sched_setaffinity(0, {core})
    address = url.replace("http", "ws") + "socket"
    origin = Origin("/".join(url.split("/")[:3]))
    while True:
        looking.wait()
        with connect(address, origin=origin, max_size=None) as socket:
            known, due = -1, time.perf_counter()
            while looking.is_set():
                socket.send(json.dumps(["next", known]))
                while True:
                    message = socket.recv()
                    if isinstance(message, bytes) and message[4] in (2, 3):
                        break
                known = int.from_bytes(message[12:16], "little")
                with received.get_lock():
                    received.value += 1
                due = max(due + 1.0 / FRAMES_PER_SECOND, time.perf_counter() - 0.1)
                time.sleep(max(0.0, due - time.perf_counter()))


@contextmanager
def on_the_other_core(url: str) -> Iterator[tuple[Any, Any]]:
    """A client on another core than this process; what starts it, and how much it has got."""
    context = multiprocessing.get_context("spawn")
    looking, received = context.Event(), context.Value("q", 0)
    other = None
    mine = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    if len(mine) > 1:
        other = max(mine)
        os.sched_setaffinity(0, {min(mine)})
    process = context.Process(target=client, args=(url, looking, received, other), daemon=True)
    process.start()
    try:
        yield looking, received
    finally:
        process.terminate()
        if other is not None:
            os.sched_setaffinity(0, mine)


def slowdowns(seconds: float, rounds: int, console: Console) -> Table:
    sim = spheres()
    watched = Watched(sim)
    start = time.perf_counter()
    sim.run(collisions=PARTICLES, progress=False)
    piece = int(PARTICLES * 0.25 / (time.perf_counter() - start))
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    frames = []
    with on_the_other_core(watched.server.url) as (looking, received):
        looking.set()
        watched.run(4.0)  # everything is compiled, and the pace is known
        looking.clear()
        for number in range(rounds):
            order = KINDS if number % 2 == 0 else KINDS[::-1]
            for kind in order:
                if kind == "plain":
                    rates[kind].append(plain(sim, seconds, piece))
                elif kind == "nobody looks":
                    rates[kind].append(watched.run(seconds))
                else:
                    looking.set()
                    watched.run(0.5)
                    before = received.value
                    rates[kind].append(watched.run(seconds))
                    frames.append((received.value - before) / seconds)
                    looking.clear()
                    watched.run(0.5)
            console.print(f"round {number + 1} of {rounds}", style="dim")
    watched.server.stop()
    reference = np.array(rates["plain"])
    rows = []
    for kind in KINDS:
        ratio = 1.0 - np.array(rates[kind]) / reference
        spread = np.percentile(ratio, [25.0, 75.0])
        middle, low, high = (f"{100.0 * each:.1f} %" for each in (np.median(ratio), *spread))
        slower = ["", ""] if kind == "plain" else [middle, f"{low} to {high}"]
        seen = f"{np.median(frames):.0f}" if kind == KINDS[2] else "0"
        rows.append([kind, f"{np.median(rates[kind]) / 1e3:.0f}", seen, *slower])
    heading = [
        "run",
        "thousand collisions per second of the processor",
        "frames a second",
        "slower by",
        "half of the turns",
    ]
    return Table("view-run", f"{PARTICLES:,} spheres that are looked at", heading, rows)


def frame_costs() -> Table:
    """Milliseconds of the run's thread for a frame, in the middle of a run."""
    rows = []
    for n in (10_000, PARTICLES, 1_000_000):
        sim = spheres(n)
        stage = LiveStage(sim, math.inf, "speed", math.inf, {})
        stage._messages()
        for what, fact in (
            ("a frame", False),
            ("with the numbers beside it, 10 times a second", True),
        ):
            costs = []
            for _ in range(FRAMES):
                sim.run(collisions=max(1, n // 20), progress=False)
                stage._facts_at = -math.inf if fact else math.inf
                start = time.thread_time()
                messages = stage._messages()
                costs.append(time.thread_time() - start)
            size = len(messages[0]) / 1e6
            rows.append([f"{n:,}", what, f"{1e3 * np.median(costs):.2f}", f"{size:.2f}"])
    heading = ["spheres", "what", "ms of the processor", "MB"]
    return Table("view-frame", "What a frame costs the run", heading, rows)


def in_a_browser(console: Console) -> Table | None:
    """Frames a second in chromium, which draws without a graphics card."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        console.print("The browser's part is left out: it needs chromium and playwright.")
        return None
    rows = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for sim in (disks(10_000), spheres(10_000), spheres(100_000), spheres(1_000_000)):
            rows.append(_drawn(sim, browser))
    heading = ["particles", "frames a second", "ms to draw one"]
    return Table("view-browser", "Drawn by software, 900 x 700 pixels", heading, rows)


def _drawn(sim: carom.Simulation, browser: Any) -> list[str]:
    watched = Watched(sim)
    runner = threading.Thread(target=watched.stage.play, daemon=True)
    runner.start()
    page = browser.new_page(viewport={"width": 1210, "height": 700})
    page.goto(watched.server.url)
    while not page.evaluate("globalThis.carom?.state.rows ? 1 : 0"):
        time.sleep(0.1)
    time.sleep(3.0)
    seconds = 10.0 if len(sim.system.particles) < 1_000_000 else 30.0
    before = page.evaluate("carom.state.drawn")
    time.sleep(seconds)
    rate = (page.evaluate("carom.state.drawn") - before) / seconds
    draw = page.evaluate(
        "(() => { const start = performance.now(); for (let k = 0; k < 3; k++) { carom.draw();"
        " carom.drawing.gl.finish(); } return (performance.now() - start) / 3; })()"
    )
    page.close()
    watched.stage.end()
    runner.join()
    watched.server.stop()
    kind = "disks" if sim.system.dimension == 2 else "spheres"
    return [f"{len(sim.system.particles):,} {kind}", f"{rate:.1f}", f"{draw:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of a turn")
    parser.add_argument("--no-browser", action="store_true")
    parser.add_argument("--markdown", type=Path, help="a document to write the tables into")
    options = parser.parse_args()
    console = Console()
    tables = [frame_costs(), slowdowns(options.seconds, options.rounds, console)]
    if not options.no_browser and (drawn := in_a_browser(console)) is not None:
        tables.append(drawn)
    facts = circumstances()
    about = f"Measured on {facts['processor']}, {facts['date'][:10]}, Python {facts['python']}."
    for table in tables:
        show(table, console)
        if options.markdown is not None:
            write_into(options.markdown, table, about)


if __name__ == "__main__":
    main()
