"""Computing time of sheared disks, event-driven and with the step that errs by a given limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

import carom
from carom_studies.benchmarks.kept import Kept
from carom_studies.benchmarks.measuring import circumstances
from carom_studies.experiments.steady_shear import aligned_strain, at_present, flowing
from carom_studies.experiments.stress_errors import allowed_step, by_system
from carom_studies.timing import seconds_each

RESTITUTION = 0.9
NUMBERS = (2000, 16_000)  # of disks
PIECES = 5
DISKS_TIMES_STRAINS = 20_000  # of a piece
# Lists of pairs that are tried; the fastest counts.
SKINS = (1.0, 2.0, 0.0)  # in diameters; 0 looks for pairs in each step


class Flow:
    """A flow whose computing time is measured, per strain."""

    def __init__(self, system: carom.System, method: Any) -> None:
        self._simulation = carom.Simulation(system, method=method)
        self.run(1)

    def begin(self) -> None:
        """It goes on from where it is."""

    def run(self, strains: int) -> None:
        """Go on for so many strains."""
        self._simulation.run(duration=float(strains), progress=False)


def run(
    quick: bool, stepped: list[dict[str, Any]], folder: Path, console: Console
) -> dict[str, Any]:
    """Seconds per strain of both methods, by number of disks and solid fraction.

    The steps follow from runs that were measured before.
    """
    kept = Kept(folder / "time.json")
    systems = by_system(stepped)
    for n in NUMBERS[:1] if quick else NUMBERS:
        for phi in sorted(phi for e, phi in systems if e == RESTITUTION):
            dt = allowed_step(systems[RESTITUTION, phi])
            name = f"{n} disks, fraction {phi:g}"
            found = kept.result(name, lambda n=n, phi=phi, dt=dt: timed(n, phi, dt))
            times = ", ".join(f"{m} {1e3 * s:.3g} ms" for m, s in found["seconds"].items())
            console.print(f"{name}, γ dt {dt:.2e}: {times} per strain")
    return kept.results


def timed(n: int, phi: float, dt: float) -> dict[str, Any]:
    """Seconds per strain of disks: event-driven and with several lists of pairs."""
    settled = carom.Simulation(flowing(n, phi, RESTITUTION, 2))
    settled.run(until=aligned_strain(settled.system, 5.0), progress=False)
    system = at_present(settled)
    flows = {"event-driven": Flow(system, carom.EventDriven())}
    flows["auto"] = Flow(system, carom.TimeStepped(dt=dt))
    for skin in SKINS:
        stepped = carom.TimeStepped(dt=dt, neighbours=carom.VerletList(skin=skin))
        flows[f"skin {skin:g}"] = Flow(system, stepped)
    times = seconds_each(flows, max(1, DISKS_TIMES_STRAINS // n), PIECES)
    seconds = {label: float(each.min()) for label, each in times.items()}
    return {"n": n, "phi": phi, "dt": dt, "seconds": seconds, "machine": circumstances()}
