"""A simulation, or a trajectory, live in the browser: ``sim.view()`` and ``carom view``."""

from carom.view.show import Show, play, show

__all__ = ["Show", "play", "show"]
