"""Pictures of flows_2001.py, from the results that it keeps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom_studies.benchmarks.flow_missed import missed_picture
from carom_studies.benchmarks.flow_runs import places_path, series
from carom_studies.drawing import save_picture
from carom_studies.entries import laden_taylor_green, laden_turbulence
from carom_studies.experiments.laden_flows import TAYLOR_GREEN, TURBULENCE
from carom_studies.experiments.laden_panels import seen_places

MOST_DRAWN = 50_000  # disks, as in figure 16


def draw(part: str, results: Mapping[str, Any], kept_in: Path, folder: Path) -> None:
    """Save the picture of a part; places of particles are in ``kept_in``."""
    figure = _figure(part, results, kept_in)
    if figure is not None:
        folder.mkdir(parents=True, exist_ok=True)
        name = TAYLOR_GREEN if part == "large" else part
        save_picture(figure, folder / f"flow_{name.replace('-', '_')}.png")


def _figure(part: str, results: Mapping[str, Any], kept_in: Path) -> Figure | None:
    if part in (TAYLOR_GREEN, "large"):
        return laden_taylor_green.draw(_data(TAYLOR_GREEN, results, kept_in))
    if part == TURBULENCE:
        return laden_turbulence.draw(_data(TURBULENCE, results, kept_in))
    return missed_picture(results) if part == "missed" else None


def _data(flow: str, results: Mapping[str, Any], kept_in: Path) -> dict[str, Any]:
    """What the entry of this flow draws, from the results and places kept here."""
    schemes = ("fixed", "adaptive", "constant", "default")
    sizes = [run["n"] for run in series(results, "fixed") if run["n"] <= MOST_DRAWN]
    n = max(size for size in sizes if places_path(kept_in, flow, size).exists())
    places = np.load(places_path(kept_in, flow, n))
    return {
        "runs": {scheme: series(results, scheme) for scheme in schemes},
        "places": seen_places(places["start"], places["end"]),
    }
