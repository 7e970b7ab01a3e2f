"""The Python that makes a view again."""

from __future__ import annotations

import math
from typing import Any

from carom.checks import is_number
from carom.types import Plain
from carom.view import colours, flow_grid
from carom.view.choices import Choices


def spelled_view(simulation: Any, choices: Choices, start: float, camera: Plain | None) -> str:
    """The lines that bring a simulation from a time to the present, and show it as it is shown."""
    lines = []
    rest = [each for each in simulation.changes if each.time >= start]
    if rest:
        made = ", ".join(f"carom.Change{tuple(each)!r}" for each in rest)
        lines.append(f"sim.replay([{made}])")
    if simulation.time > start:
        lines.append(f"sim.run({simulation.time!r})")
    words = []
    if choices.colour != colours.SPEED:
        words.append(f"colour={choices.colour!r}")
    rate = choices.rate
    words.append("rate=math.inf" if math.isinf(rate) else f"rate={float(f'{rate:.4g}')!r}")
    for name in ("arrows", "contacts"):
        if getattr(choices, name):
            words.append(f"{name}=True")
    if choices.flow != flow_grid.NONE:
        words.append(f"flow={choices.flow!r}")
    if choices.plots:
        words.append(f"plots={choices.plots!r}")
    if camera:
        words.append(f"camera={camera!r}")
    lines.append(f"sim.view({', '.join(words)})")
    imports = ["import math"] if any("math." in line for line in lines) else []
    imports += ["import carom"] if any("carom." in line for line in lines) else []
    return "\n".join(imports + lines)


CAMERA = {"yaw": 1, "pitch": 1, "zoom": 1, "middle": 3}


def checked_camera(camera: Any) -> str:
    """Why something is no camera; nothing if it is one."""
    if not isinstance(camera, dict) or not camera.keys() <= CAMERA.keys():
        return f"A camera has {', '.join(CAMERA)}."
    for name, value in camera.items():
        numbers = value if isinstance(value, list | tuple) else [value]
        fits = len(numbers) == CAMERA[name] and all(
            is_number(each) and math.isfinite(each) for each in numbers
        )
        if not fits:
            return f"{name} of a camera is {CAMERA[name]} finite number(s)."
    if not camera.get("zoom", 1.0) > 0.0:
        return "zoom of a camera is positive."
    return ""
