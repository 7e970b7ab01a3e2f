"""How long a step of a fluid takes, next to the transforms that it cannot do without.

Bare transforms are those of SciPy, two real ones or a complex one, whichever is faster. A step of
``DiffusionFlow`` needs a transform there and back in each iteration of the solver, and
one more at its beginning; a step of ``NavierStokes2D`` nine transforms, and a pair for each
iteration. All of both components. Times are the shortest of many, taken in turns: processor time
of all threads, and time by the clock, which tells what threads are worth if nothing else runs.

    python -m carom_studies.benchmarks.fluid_solvers --grid 512 --markdown table.md
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
from scipy import fft

from carom.fluids import DiffusionFlow, NavierStokes2D, TaylorGreen, TaylorGreenForcing
from carom.fluids import coupled_stream as prepared
from carom.fluids.solved.bands import CORES
from carom_studies.benchmarks.measuring import circumstances

VISCOSITY = 1.0 / (8.0 * np.pi**2)
FILLING, FACTOR = 0.05, 35.0  # volume fraction, and relaxation time over radius
NAVIER_STOKES_TRANSFORMS = 9


class Case(NamedTuple):
    name: str
    fluid: type
    scheme: str
    particles: str  # "none", "in order" or "at random"


CASES = [
    Case("diffusion, explicit", DiffusionFlow, "explicit", "none"),
    Case("diffusion, explicit", DiffusionFlow, "explicit", "in order"),
    Case("diffusion, implicit", DiffusionFlow, "implicit", "in order"),
    Case("diffusion, implicit", DiffusionFlow, "implicit", "at random"),
    Case("diffusion, conserving", DiffusionFlow, "conserving", "in order"),
    Case("Navier–Stokes", NavierStokes2D, "implicit", "none"),
    Case("Navier–Stokes, implicit", NavierStokes2D, "implicit", "in order"),
]


class Run:
    """A fluid on so many nodes along each side, with as many particles as nodes, and Δt = Δx."""

    def __init__(self, case: Case, grid: int) -> None:
        self._case = case
        fluid = case.fluid(
            grid, VISCOSITY, TaylorGreenForcing(), scheme=case.scheme, start=TaylorGreen()
        )
        self.stream = prepared(fluid, (1.0, 1.0), 2)
        self._dt = 1.0 / grid
        number = grid**2 if case.particles != "none" else 0
        rng = np.random.default_rng(1)
        self._position = rng.random((number, 2))
        if case.particles == "in order":
            cell = np.floor(self._position * grid)
            self._position = self._position[np.lexsort((cell[:, 1], cell[:, 0]))]
        self._velocity = np.zeros((number, 2))
        self._strength = float(np.sqrt(FILLING / (np.pi * grid**2)))
        self._rate = 1.0 / (FACTOR * self._strength)

    def __call__(self) -> None:
        """One step; the particles stay where they are."""
        self.stream.go_on(self._dt, self._position, self._velocity, self._strength, self._rate)

    def transforms(self) -> float:
        """How many transforms of both components a step has needed, on average."""
        pairs = 2.0 * (self.stream.iterations / self.stream.steps + 1.0)
        if self._case.fluid is DiffusionFlow:
            return pairs
        return NAVIER_STOKES_TRANSFORMS + (pairs if len(self._position) else 0.0)


def pair_of_transforms(grid: int, kind: str) -> Callable[[], Any]:
    """A transform of both components, there and back, with all threads."""
    rng = np.random.default_rng(2)
    if kind == "complex":
        numbers = rng.normal(size=(grid, grid)) + 1j * rng.normal(size=(grid, grid))

        def there_and_back() -> None:
            there = fft.fft2(numbers, overwrite_x=True, workers=CORES)
            fft.ifft2(there, overwrite_x=True, workers=CORES)

        return there_and_back
    field = rng.normal(size=(2, grid, grid))
    return lambda: fft.irfft2(
        fft.rfft2(field, workers=CORES), (grid, grid), overwrite_x=True, workers=CORES
    )


def seconds(subjects: dict[Any, Callable[[], Any]], rounds: int) -> dict[Any, np.ndarray]:
    """The shortest processor time and time by the clock of each, taken in turns: (2,)."""
    times: dict[Any, list[tuple[float, float]]] = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, subject in subjects.items():
            start = process_time(), perf_counter()
            subject()
            times[name].append((process_time() - start[0], perf_counter() - start[1]))
    return {name: np.min(np.array(values), axis=0) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--grid", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    runs = {case: Run(case, options.grid) for case in CASES}
    subjects: dict[Any, Callable[[], Any]] = dict(runs)
    for kind in ("complex", "real"):
        subjects[kind] = pair_of_transforms(options.grid, kind)
    for subject in subjects.values():
        subject()  # compiled and warm
    times = seconds(subjects, options.rounds)
    pair = np.minimum(times["complex"], times["real"])
    lines = [
        f"{options.grid}² nodes and as many particles; {CORES} threads; times in ms.",
        "",
        "| step | particles | iterations | transforms | processor | bare | × | clock | bare | × |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for case, run in runs.items():
        needed = run.transforms()
        cells = [case.name, case.particles, f"{run.stream.budget.iterations}", f"{needed:.1f}"]
        for of_step, of_pair in zip(times[case], pair, strict=True):
            bare = of_pair * needed / 2.0
            cells += [f"{1e3 * of_step:.1f}", f"{1e3 * bare:.1f}", f"{of_step / bare:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
    processor, clock = 1e3 * times["real"]
    lines += [
        "",
        f"Two real transforms there and back: processor {processor:.1f}, clock {clock:.1f};",
    ]
    processor, clock = 1e3 * times["complex"]
    lines += [f"a complex one of both components: processor {processor:.1f}, clock {clock:.1f}."]
    lines += ["", *(f"- {key}: {value}" for key, value in circumstances().items())]
    print("\n".join(lines))
    if options.markdown is not None:
        options.markdown.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
