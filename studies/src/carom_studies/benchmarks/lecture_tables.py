"""Tables of lecture_03.py, from the results that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from carom import theory
from carom_studies.benchmarks.tables import Table
from carom_studies.experiments.steady_shear import BLOCKS, SOLID_MASS_DENSITY
from carom_studies.experiments.stress_errors import (
    COMPONENTS,
    LIMIT,
    SMALL_OVERLAP,
    Flows,
    allowed_step,
    by_system,
    errors,
    fitted,
    overlap_exponent,
    overlap_per_dt,
    remainder,
)


def stress_tables(runs: Sequence[dict[str, Any]]) -> list[Table]:
    """Stresses of the event-driven runs, and the steps that may be taken."""
    systems = by_system(runs)
    return [exact_table(systems), step_table(systems)]


def exact_table(systems: Mapping[tuple[float, float], Flows]) -> Table:
    """Event-driven stresses in units of the lecture."""
    rows = []
    for (e, phi), flows in systems.items():
        exact = flows.exact
        cells = []
        for i, j in COMPONENTS.values():
            sign = -1.0 if i != j else 1.0
            for part in ("kinetic", "collisional"):
                value = sign * exact[part][i][j] / SOLID_MASS_DENSITY
                error = exact[f"{part}_error"][i][j] / SOLID_MASS_DENSITY
                cells.append(with_error(value, error))
        star = " *" if exact["collapsed"] else ""
        temperature = with_error(exact["temperature"], exact["temperature_error"])
        rows.append([f"{e:g}", f"{phi:g}{star}", temperature, *cells])
    parts = [f"{name} {part}" for name in COMPONENTS for part in ("kin.", "coll.")]
    strain = next(iter(systems.values())).exact["strain"]
    note = (
        f"{next(iter(systems.values())).exact['n']:,} disks, some {strain:,.0f} strains in "
        f"{BLOCKS} blocks, event-driven. T in m (γ d)², stresses over ρ_p d² γ². * collapses: "
        "contacts within a strain of 10⁻⁶ of the one before are elastic."
    )
    headings = ("e", "φ", "T", *parts)
    return Table("lecture stresses", "Stresses, event-driven", headings, rows, note)


def with_error(value: float, error: float) -> str:
    """A value with so many digits as its error allows."""
    digits = max(0, 1 - math.floor(math.log10(error))) if error > 0.0 else 3
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def step_table(systems: Mapping[tuple[float, float], Flows]) -> Table:
    """How errors grow with the step."""
    rows = []
    for (e, phi), flows in systems.items():
        slopes = [fitted(errors(flows, name))[0] for name in COMPONENTS]
        speed = math.sqrt(flows.exact["temperature"])
        dt = allowed_step(flows)
        per_dt = overlap_per_dt(flows)
        rows.append(
            [
                f"{e:g}",
                f"{phi:g}",
                *(f"{slope / speed:+.0f}" for slope in slopes),
                "{:+.1f} ± {:.1f} %".format(*remainder(errors(flows, "−xy"))),
                f"{dt:.1e}",
                f"{dt * speed:.3f}",
                f"{100.0 * per_dt * dt:.1f} %",
                f"{overlap_exponent(flows).exponent:.3f}",
                f"{per_dt / speed:.3f}",
            ]
        )
    headings = (
        "e", "φ", *(f"{name}, % per v dt/d" for name in COMPONENTS), "−xy, dt → 0",
        f"γ dt at {LIMIT:g} %", "v dt/d", "overlap", "exponent", "overlap/(v dt)",
    )  # fmt: skip
    note = (
        "First-order slopes of the errors of the three stresses in percent for a step in which a "
        "particle of the thermal speed v = √(T/m) moves one diameter, from fits a dt + b dt²; "
        "what a constant in this fit leaves of the error of −xy at dt = 0; the "
        f"step at which the first stress errs by {LIMIT:g} %, and the mean relative overlap there; "
        f"exponent p of overlap ∝ dt^p below {SMALL_OVERLAP:g}; overlap over v dt / d, which is "
        "√π/2 = 0.886 for uncorrelated Maxwellian velocities."
    )
    return Table("lecture steps", "Errors against the step", headings, rows, note)


# Kinetic theory

THEORIES = ("isotropic", "anisotropic", "dilute model")
COMPARED = 1000  # particles


def expectations(dimension: int, phi: float, e: float) -> Sequence[Any]:
    """Steady states by the isotropic, the anisotropic and the dilute theory."""
    isotropic = theory.jenkins_richman_1985 if dimension == 2 else theory.lun_1984
    theories = (isotropic, theory.anisotropic_maxwellian, theory.santos_2004)
    gas = theory.Gas(dimension, phi, restitution=e)
    return [each.simple_shear(gas, 1.0) for each in theories]


def theory_tables(results: Mapping[str, Any]) -> list[Table]:
    """Measured quantities and how far they are from the theories; balances."""
    rows, balances = [], []
    main = [found for found in results.values() if found["n"] == COMPARED]
    for found in main:
        kind = "disks" if found["dimension"] == 2 else "spheres"
        states = expectations(found["dimension"], found["phi"], found["e"])
        names = ("T", "−xy", "xx", "yy", "zz")[: 4 if found["dimension"] == 2 else 5]
        for name in names:
            value, error = quantity(found, name)
            gaps = [percent(value, error, quantity(state._asdict(), name)[0]) for state in states]
            rows.append([kind, f"{found['e']:g}", name, with_error(value, error), *gaps])
        imbalance = 100.0 * (found["work"] / found["lost"] - 1.0)
        drift = found["momentum"] / (found["n"] * math.sqrt(found["temperature"]))
        balances.append(f"{kind}, e = {found['e']:g}: {imbalance:+.3f} % and {drift:.0e}")
    one = main[0]
    note = (
        f"{one['n']:,} particles, φ = {one['phi']:g}, {one['strain']:,.0f} strains in {BLOCKS} "
        "blocks; units of mass, diameter and shear rate. Percent by which the simulation is above "
        "the theory. Shear work against dissipation, and the largest change of a component of the "
        f"momentum relative to the flow, over n m v: {'; '.join(balances)}."
    )
    headings = ("", "e", "", "event-driven", *(f"against {name}" for name in THEORIES))
    table = Table("lecture theory", "Kinetic theory", headings, rows, note)
    return [table, size_table(results)]


def size_table(results: Mapping[str, Any]) -> Table:
    """What the number of disks does to the gap from the anisotropic theory."""
    rows = []
    planar = [found for found in results.values() if found["dimension"] == 2]
    for found in sorted(planar, key=lambda one: (-one["e"], one["n"])):
        _, state, _ = expectations(2, found["phi"], found["e"])
        gaps = [
            percent(*quantity(found, name), quantity(state._asdict(), name)[0])
            for name in ("T", "−xy", "xx", "yy")
        ]
        stress, expected = np.array(found["stress"]), state.stress
        differences = [
            f"{(each[0, 0] - each[1, 1]) / (0.5 * np.trace(each)):.3f}"
            for each in (stress, expected)
        ]
        rows.append([f"{found['e']:g}", f"{found['n']:,}", *gaps, *differences])
    headings = ("e", "disks", "T", "−xy", "xx", "yy", "(xx − yy)/p", "theory")
    note = "Percent by which the simulation is above the anisotropic theory."
    return Table("lecture size", "Number of disks", headings, rows, note)


def quantity(found: Mapping[str, Any], name: str) -> tuple[float, float]:
    """A measured quantity and its standard error, or that of a theory and zero."""
    if name == "T":
        return found["temperature"], found.get("temperature_error", 0.0)
    at = {"−xy": (0, 1), "xx": (0, 0), "yy": (1, 1), "zz": (2, 2)}[name]
    sign = -1.0 if name == "−xy" else 1.0
    if "stress" in found:
        stress, error = found["stress"], found["stress_error"][at[0]][at[1]]
    else:
        stress, error = found["kinetic_stress"] + found["collisional_stress"], 0.0
    return sign * float(stress[at[0]][at[1]]), float(error)


def percent(value: float, error: float, expected: float) -> str:
    """How far a value is above what is expected, in percent."""
    return f"{100.0 * (value / expected - 1.0):+.1f} ± {100.0 * error / expected:.1f} %"


# Computing time


def time_tables(results: Mapping[str, Any]) -> list[Table]:
    """Seconds per strain, and where the methods cross."""
    rows = []
    for found in results.values():
        seconds = found["seconds"]
        exact, fastest = seconds["event-driven"], fastest_stepped(found)
        label = next(name for name, value in seconds.items() if value == fastest)
        cells = (f"{1e3 * value:.3g}" for value in (exact, seconds["auto"], fastest))
        ratio = f"{fastest / exact:.2f}"
        rows.append(
            [f"{found['n']:,}", f"{found['phi']:g}", f"{found['dt']:.1e}", *cells, label, ratio]
        )
    headings = ("n", "φ", "γ dt", "event-driven", "stepped, auto", "fastest", "with", "ratio")
    machine = next(iter(results.values()))["machine"]
    note = (
        "Milliseconds per strain at e = 0.9, the step with an error of "
        f"{LIMIT:g} %; time-stepped with the automatic choice of neighbours and with the fastest "
        "of some; ratio of the fastest to event-driven. "
        + " ".join(crossing_of(results, n) for n in sorted({one["n"] for one in results.values()}))
        + f" Processor {machine['processor']}, {machine['date']}, numba {machine['numba']}."
    )
    return [Table("lecture time", "Computing time", headings, rows, note)]


def fastest_stepped(found: Mapping[str, Any]) -> float:
    """Seconds per strain of the fastest time-stepped run."""
    return min(value for name, value in found["seconds"].items() if name != "event-driven")


def crossing(results: Mapping[str, Any], n: int) -> float:
    """The solid fraction from which on time-stepping is faster, or NaN.

    The logarithm of the ratio of the times is taken as linear between two fractions.
    """
    here = sorted((one for one in results.values() if one["n"] == n), key=lambda one: one["phi"])
    phi = [one["phi"] for one in here]
    ratio = [math.log(fastest_stepped(one) / one["seconds"]["event-driven"]) for one in here]
    for k in range(len(phi) - 1):
        if ratio[k] > 0.0 >= ratio[k + 1]:
            return phi[k] + (phi[k + 1] - phi[k]) * ratio[k] / (ratio[k] - ratio[k + 1])
    return math.nan


def crossing_of(results: Mapping[str, Any], n: int) -> str:
    """Where the methods cross, in words."""
    where = crossing(results, n)
    if math.isnan(where):
        return f"With {n:,} disks the methods do not cross."
    return f"With {n:,} disks they cross at φ = {where:.2f}."


TABLES: dict[str, Callable[[Any], list[Table]]] = {
    "stress": stress_tables,
    "theory": theory_tables,
    "time": time_tables,
}
