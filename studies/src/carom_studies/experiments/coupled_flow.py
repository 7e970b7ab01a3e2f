"""Particles and a fluid that act on each other: section 3 of Sigurgeirsson, Stuart & Wan 2001.

n disks at rest in a unit square that repeats, about as many nodes, and the step 1 / √n. "We use the
same parameter values as in section 2.3", says the paper, where it does not state them; see
``laden_flows`` and docs/flows/coupled-tried.md for those taken here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

import carom
from carom.errors import FlowNotSolved
from carom.fluids import DiffusionFlow, StochasticForcing, TaylorGreen, TaylorGreenForcing
from carom.particles import Array
from carom_studies.entry import Choice, Findings, Number, Statement, Tell
from carom_studies.experiments.laden_flows import (
    DURATION,
    FACTORS,
    FRACTION,
    SEED,
    TAYLOR_GREEN,
    TAYLOR_GREEN_CHOICES,
    TURBULENCE,
    TURBULENCE_CHOICES,
    printed_speed,
)
from carom_studies.experiments.laden_flows import VISCOSITY as TURBULENT_VISCOSITY
from carom_studies.experiments.processor_time import ProcessorTime

N = 10_814  # of Figs. 25 and 28
SIZES = (2500, 5184, 10_000, 20_736, 40_000)  # squares of numbers that suit transforms
# The force ∇⊥ψ, of amplitude 1, then holds the Taylor–Green flow of speed 1.
VISCOSITY = 1.0 / (8.0 * math.pi**2)
NEAR = 0.02  # a separatrix: less than this away
# The share of particles near one, if they were everywhere alike.
EVERYWHERE = 1.0 - (1.0 - 4.0 * NEAR) ** 2
N_COMPILING = 900  # in a run that compiles most of what another one needs

TAYLOR_GREEN_CHOICES_COUPLED = (
    *(replace(c, parameter=f"Taylor–Green: {c.parameter}") for c in TAYLOR_GREEN_CHOICES),
    Choice(
        "Taylor–Green: viscosity",
        VISCOSITY,
        "f = ∇⊥ψ then holds the Taylor–Green flow, as section 3.3 says",
    ),
    Choice(
        "Taylor–Green: start of the fluid",
        "the Taylor–Green flow",
        "the distribution is that of the laden case at t = 2 (section 3.3)",
    ),
)
CHOICES = (
    *TAYLOR_GREEN_CHOICES_COUPLED,
    *(replace(c, parameter=f"stochastic: {c.parameter}") for c in TURBULENCE_CHOICES),
    Choice("stochastic: start of the fluid", "at rest", '"zero initial kinetic energy"'),
)
TITLES = {TAYLOR_GREEN: "Taylor–Green forcing", TURBULENCE: "stochastic forcing"}
# What a run costs grows with this power of n, roughly: it tells how far a series has come.
COST = 1.7


class Setting(NamedTuple):
    """What a run is made of."""

    n: int
    scheme: str = "implicit"
    strength: float = 1.0  # α / r
    starts: str = "vortices"  # the fluid: as the Taylor–Green flow; or "at rest"
    forcing: str = TAYLOR_GREEN  # or TURBULENCE: stochastic
    fraction: float = FRACTION
    lengthened: float = 1.0  # the step, in units of 1 / √n
    relaxation: float = FACTORS[TAYLOR_GREEN]  # τ / r
    relaxation_time: float | None = None  # τ, where it is the same for all n
    viscosity: float = VISCOSITY
    realisation: int = 0  # of the stochastic force

    @property
    def nodes(self) -> int:
        """Along each axis."""
        return round(math.sqrt(self.n))

    @property
    def dt(self) -> float:
        """The time step."""
        return self.lengthened / self.nodes

    @property
    def radius(self) -> float:
        """Of the particles."""
        return math.sqrt(self.fraction / (math.pi * self.n))

    @property
    def tau(self) -> float:
        """The relaxation time of the particles."""
        return self.relaxation_time or self.relaxation * self.radius

    @property
    def name(self) -> str:
        """In words, what differs from the usual."""
        usual = Setting(self.n)
        differs = (
            f"{field}={value}"
            for field, value in self._asdict().items()
            if value != getattr(usual, field)
        )
        return ", ".join((f"{self.n:,}", *differs))

    def system(self) -> carom.System:
        """The particles, at rest."""
        particles, _ = carom.packings.random(
            self.n, self.fraction, dimension=2, radius=self.radius, temperature=0.0, seed=SEED
        )
        return carom.System(particles, carom.Periodic((1.0, 1.0)))

    def simulation(self) -> carom.Simulation:
        """The run, at its start."""
        method = carom.Coupled(self._fluid(), self.dt, self.tau)
        return carom.Simulation(self.system(), method=method)

    def one_way(self, **options: Any) -> carom.Simulation:
        """The run with the Taylor–Green flow itself, which does not feel the particles; the
        options are those of ``carom.Laden``."""
        usual: dict[str, Any] = {"fluid": TaylorGreen(), "dt": self.dt, "relaxation_time": self.tau}
        return carom.Simulation(self.system(), method=carom.Laden(**(usual | options)))

    def _fluid(self) -> DiffusionFlow:
        forcing: Any = TaylorGreenForcing()
        if self.forcing == TURBULENCE:
            forcing = StochasticForcing(
                speed=printed_speed(self.nodes), length_scale=1.0, seed=self.realisation
            )
        return DiffusionFlow(
            self.nodes,
            self.viscosity,
            forcing,
            scheme=self.scheme,
            exchange=self.strength * self.radius,
            start=TaylorGreen() if self.starts == "vortices" else None,
        )


def setting_of(forcing: str, n: int) -> Setting:
    """The run of the paper with this forcing."""
    if forcing == TAYLOR_GREEN:
        return Setting(n)
    return Setting(
        n,
        starts="at rest",
        forcing=TURBULENCE,
        relaxation=FACTORS[TURBULENCE],
        viscosity=TURBULENT_VISCOSITY,
    )


def near_separatrices(position: Array) -> float:
    """The share of particles near the lines between the vortices of the Taylor–Green flow."""
    away = np.abs(2.0 * position - np.round(2.0 * position)) / 2.0
    return float((away.min(axis=1) < NEAR).mean())


def steps_of(simulation: carom.Simulation, until: float) -> Iterator[int]:
    """Runs step by step and gives their numbers; fewer where the fluid has grown out of bounds."""
    dt = simulation.dt
    for step in range(1, round(until / dt) + 1):
        try:
            simulation.run(until=step * dt, progress=False)
        except FlowNotSolved:
            return
        yield step


def energies(setting: Setting, until: float) -> list[float]:
    """The energy of the fluid at the start and after each step."""
    simulation = setting.simulation()
    start = simulation.fluid.energy
    return [start, *(simulation.fluid.energy for _ in steps_of(simulation, until))]


def costs(setting: Setting, until: float = DURATION) -> dict[str, Any]:
    """Collisions, iterations in a step, and processor time for collisions and for the fluid."""
    setting._replace(n=N_COMPILING).simulation().run(until=until, progress=False)
    simulation = setting.simulation()
    engine: Any = simulation._engine  # only there can the steps of the fluid be timed
    stream = engine.fluid
    of_fluid = _Stopwatch(stream)
    with ProcessorTime() as clock:
        simulation.run(until=until, progress=False)
    return {
        "n": setting.n,
        "until": until,
        "collisions": simulation.counts.collisions,
        "fluid_seconds": of_fluid.clock.seconds,
        "collision_seconds": clock.seconds - of_fluid.clock.seconds,
        "iterations": stream.iterations / stream.steps,
    }


def series(
    sizes: Sequence[int], tell: Tell, realisations: int = 1
) -> dict[str, list[dict[str, Any]]]:
    """What runs with both forcings cost, for so many particles each; those with the stochastic
    one with so many realisations of it."""
    planned = [(TAYLOR_GREEN, n, 0) for n in sizes]
    planned += [(TURBULENCE, n, k) for n in sizes for k in range(realisations)]
    runs: dict[str, list[dict[str, Any]]] = {forcing: [] for forcing in TITLES}
    whole, done = sum(n**COST for _, n, _ in planned), 0.0
    for forcing, n, k in planned:
        tell(done / whole, f"{n:,} particles, {TITLES[forcing]}")
        runs[forcing].append(costs(setting_of(forcing, n)._replace(realisation=k)))
        done += n**COST
    return runs


def without_times(runs: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """What was counted in a series, and is the same on every machine."""
    return {
        forcing: [
            {name: value for name, value in run.items() if not name.endswith("_seconds")}
            for run in found
        ]
        for forcing, found in runs.items()
    }


def findings_of(
    runs: Mapping[str, Any],
    numbers: Sequence[Number] = (),
    statements: Sequence[Statement] = (),
) -> Findings:
    """What was found in a series."""
    n = [run["n"] for run in runs[TAYLOR_GREEN]]
    realisations = len(runs[TURBULENCE]) // len(n)
    return Findings(
        seed=SEED,
        parameters={
            "n = N": n,
            "realisations of the stochastic force": realisations,
            "Δt": "1 / √n",
            "time": DURATION,
            "α": "r",
            "tolerance": 1e-8,
        },
        data=runs,
        numbers=numbers,
        statements=statements,
        choices=CHOICES,
    )


class _Stopwatch:
    """Stands before the steps of a fluid and sums up their processor time."""

    def __init__(self, stream: Any) -> None:
        self.clock = ProcessorTime()
        self._step = stream.go_on
        stream.go_on = self._timed

    def _timed(self, *arguments: Any) -> None:
        with self.clock:
            self._step(*arguments)
