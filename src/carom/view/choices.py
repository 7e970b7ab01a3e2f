"""What the pages have chosen to see, the same for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from carom.checks import is_number
from carom.types import Plain
from carom.view import colours, flow_grid

MOST_PLOTS = 4
MOST_PER_FRAME = 10**9
FASTEST, SLOWEST = 1e9, 1e-9  # simulated time per second


class Choices:
    """What is chosen among what is offered; each order gives a refusal, or nothing."""

    def __init__(self, offered: Plain, particles: int, colour: str = colours.SPEED) -> None:
        self.offered = offered
        self.particles = particles
        self.colour = colour
        self.arrows = False
        self.contacts = False
        self.flow = flow_grid.NONE
        self.plane = (2, 0.5)  # of a flow in space: across which axis, at which part of the box
        self.plots: list[str] = []
        self.picked: int | None = None
        self.rate = 1.0
        self.per_frame = 0  # collisions a frame; 0: by time

    def orders(self) -> dict[str, Callable[[Any], str]]:
        """The orders, by name."""
        return {
            "colour": self._set_colour,
            "arrows": self._set_arrows,
            "contacts": self._set_contacts,
            "flow": self._set_flow,
            "plane": self._set_plane,
            "plots": self._set_plots,
            "pick": self._pick,
            "rate": self._set_rate,
            "per_frame": self._set_per_frame,
        }

    def told(self) -> Plain:
        """What is chosen, for the pages."""
        return {
            "rate": self.rate,
            "per_frame": self.per_frame,
            "colour": self.colour,
            "arrows": self.arrows,
            "contacts": self.contacts,
            "flow": self.flow,
            "plots": self.plots,
        }

    def _set_colour(self, value: Any) -> str:
        if value not in self.offered["colours"]:
            return f"There is no colour {str(value)[:40]!r}."
        self.colour = value
        return ""

    def _set_arrows(self, value: Any) -> str:
        if not isinstance(value, bool):
            return "arrows is true or false."
        self.arrows = value
        return ""

    def _set_contacts(self, value: Any) -> str:
        if value is True and not self.offered["contacts"]:
            return "Particles of this method have no contacts that last."
        self.contacts = value is True
        return ""

    def _set_flow(self, value: Any) -> str:
        if value not in self.offered["flows"]:
            return f"There is no flow {str(value)[:40]!r}."
        self.flow = value
        return ""

    def _set_plane(self, value: Any) -> str:
        if not (
            isinstance(value, list)
            and len(value) == 2
            and type(value[0]) is int
            and 0 <= value[0] < 3
            and is_number(value[1])
            and 0.0 <= value[1] <= 1.0
        ):
            return "A plane is an axis from 0 to 2, and a part of the box from 0 to 1."
        self.plane = (value[0], float(value[1]))
        return ""

    def _set_plots(self, value: Any) -> str:
        if not (isinstance(value, list) and len(value) <= MOST_PLOTS):
            return f"At most {MOST_PLOTS} plots are shown; remove one."
        if any(name not in self.offered["plots"] for name in value):
            return "There is no such quantity to plot."
        self.plots = list(dict.fromkeys(value))
        return ""

    def _pick(self, value: Any) -> str:
        if value is not None and not (type(value) is int and 0 <= value < self.particles):
            return f"Particles are numbered from 0 to {self.particles - 1}."
        self.picked = value
        return ""

    def _set_rate(self, value: Any) -> str:
        if value is not None and not (is_number(value) and SLOWEST <= value <= FASTEST):
            return f"A rate is a number between {SLOWEST:g} and {FASTEST:g}."
        self.rate, self.per_frame = math.inf if value is None else float(value), 0
        return ""

    def _set_per_frame(self, value: Any) -> str:
        if not (type(value) is int and 0 < value <= MOST_PER_FRAME):
            return "Collisions a frame are a positive whole number."
        if not self.offered["per_frame"]:
            return "Collisions of this method do not happen one by one."
        self.per_frame = value
        return ""
