"""Time-stepped against event-driven hard disks in shear: the pictures of a lecture on DEM.

    python benchmarks/lecture_03.py                        everything: some twenty minutes
    python benchmarks/lecture_03.py --quick                small and short: some three minutes
    python benchmarks/lecture_03.py --only stress collapse theory time
    python benchmarks/lecture_03.py --pictures docs/pictures --markdown docs/shear.md

"DEM Modeling, Lecture 03: The Hard-Particle Algorithm" shows results of W. R. Ketterhagen, J. S.
Curtis & C. R. Wassgren, Phys. Rev. E 71, 061307 (2005): smooth disks in simple shear between
Lees-Edwards boundaries. Parts:

- stress: stresses against the step, their error, and the overlaps, for several solid fractions;
- collapse: which e and solid fractions end in an inelastic collapse, cooling freely and sheared;
- theory: disks and spheres against kinetic theory, at solid fraction 0.1;
- time: computing time of both methods at the step that errs by 2.5 %, which "stress" tells; one
  core, processor times of pieces that alternate; for a machine that does nothing else.

Results are kept in --out; what is there is not measured again but drawn anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import carom
import lecture_pictures
import lecture_tables
import shear_times
from shear_runs import (
    CONTACT_DURATION,
    Kept,
    aligned_strain,
    at_present,
    expected_temperature,
    flowing,
    measured,
    packing,
    sheared,
    steps_of,
)
from tables import Table, show, write_into

RESTITUTIONS = (0.9, 0.5)
FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
# The step: how far a particle of the thermal speed moves, in diameters.
MOVES = (0.0015, 0.003, 0.006, 0.0125, 0.025, 0.05, 0.1, 0.2)
N_DISKS = 2000
N_THEORY = 1000  # few enough that neither clusters nor bands of shear form
SIZES = (250, N_THEORY, 4000)  # of disks, to see what their number does
COLLAPSE_E = tuple(round(0.30 + 0.05 * k, 2) for k in range(14))
COLLAPSE_FRACTIONS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
N_COLLAPSE = 1000
# Collisions per particle after which a run counts as one without collapse. Dilute sheared disks
# take long for them, and cooling disks become slower than the rounding of their total momentum, so
# that nothing is left but transfers between cells.
COLLAPSE_LIMIT = {"cooling": 1000, "sheared": 300}
COLLAPSE_SEEDS = (1, 2)
MELTING = 30  # elastic collisions per particle before
SETTLING = 30.0  # strains before anything is measured
PARTS = ("stress", "collapse", "theory", "time")


class Scale:
    """How large and how long the runs are."""

    def __init__(self, quick: bool) -> None:
        self.n = 500 if quick else N_DISKS
        self.fractions = (0.1, 0.5) if quick else FRACTIONS
        self.moves = MOVES[1::2] if quick else MOVES
        # At most so many strains, and for small steps so many steps.
        self.strain, self.steps = (60.0, 20_000) if quick else (300.0, 250_000)
        self.exact_strain = 100.0 if quick else 1000.0
        self.collapse_e = COLLAPSE_E[::4] if quick else COLLAPSE_E
        self.collapse_fractions = COLLAPSE_FRACTIONS[1::3] if quick else COLLAPSE_FRACTIONS
        self.theory_strain = 200.0 if quick else 3000.0
        self.sizes = (N_THEORY,) if quick else SIZES


# Stresses


def run_stress(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """All flows of disks, event-driven and with every step; by name."""
    kept = Kept(folder / "stress.json")
    for e in RESTITUTIONS:
        for phi in scale.fractions:
            name = f"e {e:g}, fraction {phi:g}"
            exact = kept.result(name, lambda e=e, phi=phi: event_driven(scale, phi, e, folder))
            console.print(f"{name}: event-driven, −xy {-exact['stress'][0][1]:.4g}")
            for move in scale.moves:
                dt = move / np.sqrt(exact["temperature"])
                found = kept.result(
                    f"{name}, move {move:g}",
                    lambda e=e, phi=phi, dt=dt: time_stepped(scale, phi, e, dt, folder),
                )
                error = 100.0 * (found["stress"][0][1] / exact["stress"][0][1] - 1.0)
                console.print(f"{name}, γ dt {dt:.2e}: error of −xy {error:+.2f} %")
    return kept.results


def state_path(folder: Path, phi: float, e: float) -> Path:
    """Where the steady state is kept from which time-stepped runs start."""
    return folder / f"state_{phi:g}_{e:g}.npz"


def event_driven(scale: Scale, phi: float, e: float, folder: Path) -> dict[str, Any]:
    """One flow of disks, event-driven; its last state is kept.

    A flow that collapses is run anew with contacts that are elastic when they follow at once.
    """
    system = flowing(scale.n, phi, e, 2)
    strain = aligned_strain(system, SETTLING + scale.exact_strain) - SETTLING
    collapsed = False
    simulation = carom.Simulation(system)
    try:
        found = measured(simulation, SETTLING, strain)
    except carom.InelasticCollapse:
        collapsed = True
        law = carom.ContactDuration(system.law, CONTACT_DURATION)
        simulation = carom.Simulation(carom.System(system.particles, system.domain, law=law))
        found = measured(simulation, SETTLING, strain)
    state = at_present(simulation)
    state_path(folder, phi, e).parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        state_path(folder, phi, e),
        position=state.particles.position,
        velocity=state.particles.velocity,
        lengths=state.sides,
    )
    return found | {"phi": phi, "e": e, "n": scale.n, "dt": 0.0, "collapsed": collapsed}


def kept_state(folder: Path, phi: float, e: float) -> carom.System:
    """The steady state that the event-driven run has left."""
    state = np.load(state_path(folder, phi, e))
    domain = carom.LeesEdwards(tuple(float(length) for length in state["lengths"]), 1.0)
    particles = carom.Particles(state["position"], state["velocity"])
    return carom.System(particles, domain, law=carom.ConstantRestitution(e))


def time_stepped(scale: Scale, phi: float, e: float, dt: float, folder: Path) -> dict[str, Any]:
    """One flow of disks with a step."""
    system = kept_state(folder, phi, e)
    speed = np.sqrt(expected_temperature(2, phi, e))
    simulation = carom.Simulation(system, method=steps_of(dt, speed))
    strain = min(scale.strain, scale.steps * dt)
    found = measured(simulation, min(0.1 * strain, SETTLING), strain)
    return found | {"phi": phi, "e": e, "n": scale.n, "dt": dt}


# Inelastic collapse


def run_collapse(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Collisions per particle until the collapse, or NaN, for each flow; by name."""
    kept = Kept(folder / "collapse.json")
    for phi in scale.collapse_fractions:
        for kind in ("cooling", "sheared"):
            for e in scale.collapse_e:
                kept.result(
                    f"{kind}, fraction {phi:g}, e {e:g}",
                    lambda kind=kind, phi=phi, e=e: {
                        "kind": kind,
                        "phi": phi,
                        "e": e,
                        "limit": COLLAPSE_LIMIT[kind],
                        "until": [until_collapse(kind, phi, e, seed) for seed in COLLAPSE_SEEDS],
                    },
                )
            console.print(
                f"{kind}, fraction {phi:g}: {lecture_tables.onset(kept.results, kind, phi)}"
            )
    return kept.results


def until_collapse(kind: str, phi: float, e: float, seed: int) -> float | None:
    """Collisions per particle until disks collapse; None if that does not happen."""
    temperature = 1.0 if kind == "cooling" else expected_temperature(2, phi, e)
    particles, box = packing(N_COLLAPSE, phi, 2, temperature, seed)
    melting = carom.Simulation(carom.System(particles, box))
    melting.run(collisions=MELTING * N_COLLAPSE // 2, progress=False)
    law = carom.ConstantRestitution(e)
    if kind == "cooling":
        system = carom.System(melting.particles, box, law=law)
    else:
        system = sheared(melting.particles, box.lengths, law)
    simulation = carom.Simulation(system)
    try:
        simulation.run(collisions=COLLAPSE_LIMIT[kind] * N_COLLAPSE // 2, progress=False)
    except carom.InelasticCollapse:
        return 2.0 * simulation.counts.collisions / N_COLLAPSE
    return None


# Kinetic theory


def run_theory(scale: Scale, folder: Path, console: Console) -> dict[str, Any]:
    """Event-driven disks and spheres at solid fraction 0.1; by name."""
    kept = Kept(folder / "theory.json")
    systems = [(2, n) for n in scale.sizes] + [(3, N_THEORY)]
    for dimension, n in systems:
        strain = scale.theory_strain * min(1.0, N_THEORY / n)
        for e in (0.98, 0.9):
            name = f"{n} {'disks' if dimension == 2 else 'spheres'}, e {e:g}"
            found = kept.result(
                name, lambda d=dimension, n=n, e=e, strain=strain: against_theory(d, n, e, strain)
            )
            console.print(f"{name}: −xy {-found['stress'][0][1]:.4g}, T {found['temperature']:.4g}")
    return kept.results


def against_theory(dimension: int, n: int, e: float, strain: float) -> dict[str, Any]:
    """One flow at solid fraction 0.1, event-driven."""
    simulation = carom.Simulation(flowing(n, 0.1, e, dimension))
    found = measured(simulation, 2.0 * SETTLING, strain)
    return found | {"phi": 0.1, "e": e, "n": n, "dimension": dimension}


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small and short")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--out", type=Path, help="folder for the results; out/lecture_03 if not")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    parser.add_argument("--pictures", type=Path, help="folder for the pictures")
    return parser.parse_args(words)


def report(tables: Sequence[Table], arguments: argparse.Namespace, console: Console) -> None:
    """Print tables and put them into the document, if there is one."""
    for table in tables:
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, "")


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 130)
    scale = Scale(arguments.quick)
    folder = arguments.out or Path("out", "lecture_03_quick" if arguments.quick else "lecture_03")
    runs = {"stress": run_stress, "collapse": run_collapse, "theory": run_theory}
    for part in arguments.only:
        if part == "time":
            results = shear_times.run(arguments.quick, folder, console)
        else:
            results = runs[part](scale, folder, console)
        report(lecture_tables.TABLES[part](results), arguments, console)
        if arguments.pictures:
            lecture_pictures.draw(part, results, arguments.pictures)


if __name__ == "__main__":
    main()
