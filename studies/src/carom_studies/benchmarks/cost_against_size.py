"""How the cost of a collision grows with the number of particles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from carom.plotting.style import DOTS_PER_INCH, PALETTE, soften
from carom_studies.benchmarks.fluids import Fluid, plain
from carom_studies.benchmarks.tables import Table
from carom_studies.timing import seconds_each

SIZES = (1_000, 4_000, 10_976, 32_000, 108_000, 318_028, 1_000_188)
QUICK_SIZES = (1_000, 4_000, 10_976)
PACKING_FRACTION = 0.30


def growth(sizes: tuple[int, ...], collisions: int, pieces: int, picture: Path | None) -> Table:
    """The cost per collision at all sizes, which take turns; also as a picture."""
    fluids = {str(n): Fluid(plain(n, PACKING_FRACTION)) for n in sizes}
    times = seconds_each(fluids, collisions, pieces)
    cost = np.array([1e6 * times[str(n)].min() for n in sizes])
    if picture is not None:
        draw(np.array(sizes), cost, picture)
    rows = [
        [f"{n:,}", f"{1.0 / each:.2f}", f"{each:.2f}", f"{each / cost.min():.2f}"]
        for n, each in zip(sizes, cost, strict=True)
    ]
    note = f"Best of {pieces} pieces of {collisions:,} collisions."
    headings = ("n", "million collisions/s", "µs per collision", "over the best")
    title = f"Cost against size, φ = {PACKING_FRACTION:.2f}"
    return Table("cost", title, headings, rows, note)


def draw(sizes: np.ndarray, cost: np.ndarray, path: Path) -> None:
    """Save the cost per collision over the number of particles."""
    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.add_subplot(xlabel="spheres", ylabel="µs per collision")
    axes.semilogx(sizes, cost, "o-", color=PALETTE[0], markersize=4)
    axes.set_ylim(0.0, 1.15 * cost.max())
    axes.spines[["top", "right"]].set_visible(False)
    soften(axes)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS_PER_INCH)
