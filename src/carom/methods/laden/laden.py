"""The method for particles in a given flow: its options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from carom.checks import check_one_of, check_positive, check_whole, is_one_of
from carom.drags import Stokes
from carom.drags.drag import check_drag
from carom.fluids import scales
from carom.methods.laden.engine import LadenEngine
from carom.methods.laden.relaxation import relaxation_times
from carom.particles import Array
from carom.representation import shown_as_call
from carom.system import System

INTEGRATORS = ("straight", "curved")
ALGORITHMS = ("auto", "cells", "lines")
SEARCHES = ("exact", "at_end", "without_transfers")


@shown_as_call
@dataclass(frozen=True)
class Laden:
    """Particles dragged by a given flow, τ ẍ = u(x, t) − ẋ, that collide exactly on their paths.

    - ``fluid``: the flow, one of ``carom.fluids`` or your own.
    - ``dt``: the time step, within which paths are straight (or parabolas).
    - ``relaxation_time``: τ, a number, one for each particle, or a rule in the radius such as
      ``carom.PowerOfRadius(35.0, 1.0)``.
    - ``drag``: ``carom.drags.SchillerNaumann(viscosity)`` for particles with a Reynolds number.
    - ``integrator``: ``"straight"`` paths, linearly implicit and stable for any τ, or ``"curved"``
      ones of constant acceleration, which need dt < 2 τ.
    - ``paths``: the number of time steps over which collisions are looked for at once.
    - ``algorithm``: ``"cells"`` with transfers from cell to cell, ``"lines"`` that are sorted by
      where particles are in the middle of the step, or ``"auto"``, which takes lines while few
      collide. Both miss nothing.
    - ``search``: ``"exact"``, or to see what simpler schemes miss: ``"at_end"`` of each step
      pairs that overlap collide, ``"without_transfers"`` pairs are seen that are in adjacent
      cells when the step begins.
    - ``cells_per_side``: a fixed number of cells along the longest side; else it is adapted by
      counted cost, or with ``adaptive="clock"`` by measured time, which makes runs not
      reproducible.
    - ``threads``: how many look for the contacts of a step side by side, with lines and from
      20,000 particles on. The result does not depend on it.
    """

    fluid: Any
    dt: float
    relaxation_time: Any
    drag: Any = field(default_factory=Stokes)
    integrator: str = "straight"
    paths: int = 1
    algorithm: str = "auto"
    search: str = "exact"
    cells_per_side: int | None = None
    adaptive: bool | str = True
    threads: int = 1

    def __post_init__(self) -> None:
        check_positive("dt", self.dt)
        for name, known in (
            ("integrator", INTEGRATORS),
            ("algorithm", ALGORITHMS),
            ("search", SEARCHES),
        ):
            check_one_of(name, getattr(self, name), known)
        if self.search != "exact" and self.algorithm == "cells":
            raise ValueError(f"search={self.search!r} goes with algorithm='lines'.")
        if self.integrator != "straight" and self.algorithm == "lines":
            raise ValueError("algorithm='lines' goes with integrator='straight'.")
        check_drag(self.drag)
        check_whole("paths", self.paths, 1)
        check_whole("threads", self.threads, 1)
        if self.paths > 1 and self.integrator != "straight":
            raise ValueError("paths > 1 are made of straight pieces; use integrator='straight'.")
        if not is_one_of(self.adaptive, (True, False, "clock")):
            raise ValueError(f"adaptive must be True, False or 'clock', not {self.adaptive!r}.")
        cells = self.cells_per_side
        if cells is not None:
            check_whole("cells_per_side", cells, 1)

    def stokes_report(self, system: System) -> str:
        """A sentence about the relaxation times, and the Stokes numbers where the flow has a time
        scale."""
        times = relaxation_times(self.relaxation_time, system.particles.radius)
        known = scales(self.fluid, system.sides, system.dimension)
        said = f"relaxation time {_span(times)}"
        if known is None:
            return said
        return f"{said}, Stokes number {_span(times / known.time)}"

    def engine(self, system: System) -> LadenEngine:
        """The engine that runs a system with this method."""
        return LadenEngine(system, self)


def _span(values: Array) -> str:
    """The number that all are, or the least and the largest."""
    least, largest = float(values.min()), float(values.max())
    return f"{least:.3g}" if least == largest else f"{least:.3g} to {largest:.3g}"
