"""Sheared disks, event-driven and with steps of several lengths.

The lecture shows results of W. R. Ketterhagen, J. S. Curtis & C. R. Wassgren, Phys. Rev. E 71,
061307 (2005): smooth disks in simple shear between Lees–Edwards boundaries.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import carom
from carom_studies.experiments.steady_shear import (
    CONTACT_DURATION,
    aligned_strain,
    at_present,
    expected_temperature,
    flowing,
    measured,
    steps_of,
)

SEED = 1
# The step: how far a particle of the thermal speed moves, in diameters.
MOVES = (0.0015, 0.003, 0.006, 0.0125, 0.018, 0.025, 0.05, 0.1, 0.2)
SETTLING = 30.0  # strains before anything is measured
DIGITS = 7  # that are kept


class Scale(NamedTuple):
    """How large and how long the runs are."""

    n: int
    exact_strain: float  # event-driven
    strain: float  # with a step, but for the shortest:
    shortest_strain: float
    shortest: float  # step; those that are shorter would need too many of them for good means


def flow(scale: Scale, phi: float, e: float) -> list[dict[str, Any]]:
    """What is measured of disks at a solid fraction: event-driven first, then with every step.

    Runs with a step start from the state in which the event-driven one has ended.
    """
    exact, state = _event_driven(scale, phi, e)
    runs = [exact]
    steps = [move / math.sqrt(exact["temperature"]) for move in MOVES]
    shortest, *others = [dt for dt in steps if dt >= scale.shortest]
    runs.append(_time_stepped(scale, state, phi, e, shortest, scale.shortest_strain))
    runs += [_time_stepped(scale, state, phi, e, dt, scale.strain) for dt in others]
    return [_shortened(run) for run in runs]


def _event_driven(scale: Scale, phi: float, e: float) -> tuple[dict[str, Any], carom.System]:
    """One flow, event-driven, and the system that goes on from its end.

    A flow that collapses is run anew with contacts that are elastic when they follow at once.
    """
    system = flowing(scale.n, phi, e, 2, SEED)
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
    state = carom.System(state.particles, state.domain, law=system.law)
    return found | {"phi": phi, "e": e, "n": scale.n, "dt": 0.0, "collapsed": collapsed}, state


def _time_stepped(
    scale: Scale, state: carom.System, phi: float, e: float, dt: float, strain: float
) -> dict[str, Any]:
    """One flow with a step."""
    speed = math.sqrt(expected_temperature(2, phi, e))
    simulation = carom.Simulation(state, method=steps_of(dt, speed))
    found = measured(simulation, min(0.1 * strain, SETTLING), strain)
    return found | {"phi": phi, "e": e, "n": scale.n, "dt": dt}


def _shortened(found: dict[str, Any]) -> dict[str, Any]:
    """What is needed of a run, with so many digits as mean something."""
    kept = ("phi", "e", "n", "dt", "strain", "overlap", "collapsed", "temperature")
    tensors = ("kinetic", "collisional", "stress")
    names = (*kept, "temperature_error", *tensors, *(f"{name}_error" for name in tensors))
    return {name: _rounded(found[name]) for name in names if name in found}


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
