"""What a sweep costs beside its runs: 1,000 tiny ones, here and on Dask workers.

python -m carom_studies.benchmarks.sweep_overhead
"""

from __future__ import annotations

import argparse
import tempfile
from time import perf_counter
from typing import Any

import numpy as np

import carom

PARTICLES = 10
END = 0.1


def tiny(k: int, random: np.random.Generator) -> carom.System:
    particles, box = carom.packings.lattice(
        PARTICLES, 0.2, dimension=2, seed=int(random.integers(2**32))
    )
    return carom.System(particles, box)


def measure(simulation: carom.Simulation) -> dict[str, Any]:
    return {"T": simulation.temperature}


def loop(number: int) -> float:
    """Seconds for the runs one after the other, without a sweep."""
    start = perf_counter()
    for k in range(number):
        simulation = carom.Simulation(tiny(k, np.random.default_rng(k)), seed=k)
        simulation.run(END, progress=False)
        measure(simulation)
    return perf_counter() - start


def swept(number: int, **options: Any) -> float:
    """Seconds for the same as a sweep with a folder."""
    with tempfile.TemporaryDirectory() as folder:
        start = perf_counter()
        carom.sweep(
            tiny,
            {"k": range(number)},
            run={"until": END},
            measure=measure,
            folder=folder,
            progress=False,
            **options,
        )
        return perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2, help="processes of Dask")
    chosen = parser.parse_args()
    loop(3)  # compiled
    from distributed import LocalCluster

    with LocalCluster(n_workers=chosen.workers, threads_per_worker=1) as cluster:
        swept(2 * chosen.workers, client=cluster)
        ways = {"loop": {}, "threads": {"workers": 1}, "cluster": {"client": cluster}}
        for name, options in ways.items():
            spent = loop(chosen.number) if name == "loop" else swept(chosen.number, **options)
            print(f"{name:8} {1e3 * spent / chosen.number:6.2f} ms a run")


if __name__ == "__main__":
    main()
