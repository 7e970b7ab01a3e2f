"""What can be changed while a simulation runs, and what was."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from carom.actors.actor import ActorsAtWork
from carom.checks import is_number
from carom.collisions import ConstantRestitution, Elastic
from carom.domains import LeesEdwards
from carom.methods import Coupled, EventDriven, Laden, SoftContacts
from carom.particles import LARGEST
from carom.system import System


class Change(NamedTuple):
    """What was changed during a run, and when: ``restitution``, ``gravity``, ``friction``,
    ``shear_rate`` or ``temperature``, that of the thermostats."""

    time: float
    name: str
    value: Any  # a number, or the components of a vector


class Changing:
    """The part of a ``Simulation`` that is about changes while it runs."""

    system: System
    method: Any
    _engine: Any
    _acting: ActorsAtWork
    _time: float
    _changes: list[Change]
    _seen: Any

    def reset_averages(self) -> None:
        """Take averages from now on."""
        raise NotImplementedError

    @property
    def changes(self) -> tuple[Change, ...]:
        """What ``change`` has changed since the start, with the times; checkpoints keep them."""
        return tuple(self._changes)

    @property
    def changeable(self) -> dict[str, Any]:
        """What ``change`` can change, with the present values."""
        found: dict[str, Any] = {}
        system, method = self.system, self.method
        by_law = not isinstance(method, SoftContacts) or (
            method.restitution is None and method.damping is None
        )
        if by_law and isinstance(system.law, Elastic | ConstantRestitution):
            found["restitution"] = float(getattr(system.law, "coefficient", 1.0))
        elif not by_law and method.restitution is not None:
            found["restitution"] = float(method.restitution)
        held = isinstance(method, EventDriven) and method.resting
        in_fluid = isinstance(method, Laden | Coupled)
        sheared = isinstance(system.domain, LeesEdwards) and system.domain.at_start.shear_rate != 0
        if not (held or in_fluid or system.acceleration is not None or sheared):
            gravity = np.zeros(system.dimension) if system.gravity is None else system.gravity
            found["gravity"] = gravity.tolist()
        if sheared:
            found["shear_rate"] = float(system.shear_rate)
        if isinstance(method, SoftContacts) and method.friction is not None:
            found["friction"] = float(method.friction)
        baths = [actor for actor in self._acting.actors if hasattr(actor, "temperature")]
        if baths:
            found["temperature"] = float(baths[0].temperature)
        return found

    def change(self, name: str, value: Any) -> None:
        """Change a number of the run at the present time: one of ``changeable``.

        The run goes on from the same positions and velocities; in ``sim.changes`` it is noted, and
        ``replay`` does the same again. ``reset_averages`` begins averages anew if that is wished;
        with another shear rate they begin anew by themselves. That moves the images from now on,
        and the particles follow as they feel it; in methods with steps it is from the present step.
        """
        offered = self.changeable
        if name not in offered:
            known = ", ".join(map(repr, offered)) or "nothing"
            raise ValueError(f"{name!r} cannot be changed in this simulation; {known} can.")
        plain = self._checked_value(name, value)
        makers: dict[str, Callable[[Any], None]] = {
            "restitution": self._change_restitution,
            "gravity": self._change_gravity,
            "friction": self._change_friction,
            "shear_rate": self._change_shear_rate,
            "temperature": self._change_temperature,
        }
        makers[name](plain)
        self._changes.append(Change(self._time, name, plain))

    def replay(self, changes: Iterable[Change], run: Callable[[float], None] | None = None) -> None:
        """Run to the time of each of these changes and make it: those of another run, say."""
        for time, name, value in changes:
            (run or self.run)(time)  # type: ignore[attr-defined]
            self.change(name, value)

    def _checked_value(self, name: str, value: Any) -> Any:
        if name == "gravity":
            try:
                vector = np.asarray(value, dtype=np.float64)
            except (ValueError, TypeError, OverflowError):  # no numbers, or beyond all floats
                vector = np.full(1, math.nan)
            fits = vector.shape == (self.system.dimension,) and np.isfinite(vector).all()
            if not fits or np.abs(vector).max() > LARGEST:
                raise ValueError(
                    f"gravity must be a vector of {self.system.dimension} finite numbers, not "
                    f"{value!r}."
                )
            return vector.tolist()
        if not (is_number(value) and math.isfinite(value)):
            raise ValueError(f"{name} must be a finite number, not {value!r}.")
        return float(value)

    def _change_restitution(self, value: float) -> None:
        if getattr(self.method, "restitution", None) is not None:
            method = dataclasses.replace(self.method, restitution=value)
            self._go_on_with(self.system, method)
            return
        self._go_on_with(system_with(self.system, law=ConstantRestitution(value)), self.method)

    def _change_gravity(self, value: list[float]) -> None:
        self._go_on_with(system_with(self.system, gravity=value), self.method)

    def _change_friction(self, value: float) -> None:
        self._go_on_with(self.system, dataclasses.replace(self.method, friction=value))

    def _change_shear_rate(self, value: float) -> None:
        # Steps know the images at steps alone.
        now = self._engine.time if hasattr(self._engine, "dt") else self._time
        assert isinstance(self.system.domain, LeesEdwards)
        domain = self.system.domain.with_rate(value, now)
        self._go_on_with(system_with(self.system, domain=domain), self.method, now)
        self.reset_averages()

    def _change_temperature(self, value: float) -> None:
        actors = [
            dataclasses.replace(actor, temperature=value)
            if hasattr(actor, "temperature")
            else actor
            for actor in self._acting.actors
        ]
        self._acting = ActorsAtWork(actors, self._acting.state())

    def _go_on_with(self, system: System, method: Any, time: float | None = None) -> None:
        self._engine.prepare()
        self._engine.change(self._time if time is None else time, system, method)
        # They stay as they are for everybody else.
        self.__dict__.update(system=system, method=method)
        self._seen = None


def at_start(system: System) -> System:
    """A system as it was made, in a box that was sheared as it was at first."""
    domain = system.domain
    if not isinstance(domain, LeesEdwards) or domain.at_start is domain:
        return system
    return system_with(system, domain=domain.at_start)


def system_with(system: System, **parts: Any) -> System:
    """The same system but for these parts."""
    names = ("domain", "law", "gravity", "acceleration", "walls", "force")
    return System(system.particles, **{name: getattr(system, name) for name in names} | parts)
