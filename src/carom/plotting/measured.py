"""What an observer has measured, drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.diagram import diagram


def measured(observer: Any, path: str | Path | None = None) -> Figure:
    """What an observer such as ``MeanSquareDisplacement`` has measured, with standard errors as
    bands; saved when a path is given.

    ``figure.axes[0]`` takes more lines: a theory, say.
    """
    if not hasattr(observer, "curve"):
        raise TypeError(
            f"measured draws observers that have a curve, such as carom.StructureFactor, not "
            f"{observer!r}."
        )
    x, rows, errors, labels, names, logarithmic = observer.curve()
    figure, axes = diagram(labels)
    if logarithmic:
        axes.loglog()
    several = np.atleast_2d(rows)
    for row, error, name in zip(several, np.atleast_2d(errors), names or [None], strict=True):
        (line,) = axes.plot(x, row, lw=1.5, label=name)
        band = np.where(np.isfinite(error), error, 0.0)
        axes.fill_between(x, row - band, row + band, color=line.get_color(), alpha=0.3, lw=0.0)
    if names:
        axes.legend(frameon=False, fontsize=8)
    if path is not None:
        figure.savefig(path)
    return figure
