"""``carom warm-up``: what scenes need is compiled ahead, side by side in several processes."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from time import perf_counter

from carom.cli.building import start_of
from carom.cli.scene_files import built_in_scenes, read_scene
from carom.cli.summary import say
from carom.compiled import cache
from carom.simulation import Simulation


class _Begun(Exception):
    """A run has gone through its first piece."""


def compile_ahead(scenes: list[str]) -> None:
    """Begin each of the scenes, or of all that are built in, until nothing is left to compile."""
    names = scenes or sorted(built_in_scenes())
    for name in names:
        read_scene(name)  # what is wrong with one is said before anything is compiled
    start = perf_counter()
    workers = min(len(names), os.cpu_count() or 1)
    # Processes of their own: the compiler does one thing at a time.
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawning) as pool:
        begun: dict[Future[float], str] = {pool.submit(begin, name): name for name in names}
        for future in as_completed(begun):
            say(f"{begun[future]}: {future.result():.1f} s")
    seconds = perf_counter() - start
    say(f"Compiled in {seconds:.1f} s, and kept in {cache.cache_base()}.")


def begin(name: str) -> float:
    """Run a scene for the first moment, and forget it; the seconds that it took."""
    start = perf_counter()
    file = read_scene(name)
    seed = file.scene.run.seed
    scene = start_of(file, seed)
    simulation = Simulation(scene.system, method=scene.method, actors=scene.actors, seed=seed)

    def stop() -> None:
        if simulation.time > 0.0:
            raise _Begun

    try:
        simulation.run(until=file.scene.run.until, progress=False, after_each_piece=stop)
    except _Begun:
        _ = simulation.particles  # to look at them is compiled, too
    return perf_counter() - start
