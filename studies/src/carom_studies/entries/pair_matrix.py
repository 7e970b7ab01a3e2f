"""The sparse matrix of bodies whose bounding boxes collide, before and after they have mixed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

import carom
from carom.neighbours.pairs import LinkedLinearList
from carom.particles import Array
from carom.plotting.style import FAINT, INK
from carom_studies.drawing import OURS, label, panels
from carom_studies.entry import Choice, Entry, Findings, Size, Statement, Tell
from carom_studies.experiments.muth_systems import PLANAR, mass_of, thermal_speed
from carom_studies.experiments.neighbour_search import NeighbourSearch
from carom_studies.sources import MUTH_2007

N = 300
DURATION = 2.0  # s
GRAVITY = (0.0, -9.81)  # m/s²
SEED = 1
LOOKS = 20  # at which the matrix is found, the lists sorted on from the last one
DT: dict[Size, float | str] = {Size.QUICK: "auto", Size.PAPER: PLANAR.dt}
# In radii. Neighbours in a zigzag do not touch, but their boxes overlap; those of rows do not.
ACROSS, UP, BETWEEN_ROWS, MARGIN = 1.5, 1.4, 5.0, 1.5
IN_ROW = 30  # bodies
FIGURE = (5.0, 4.7)  # inches
SPARSE = 0.02  # of all pairs: three for each body


def places() -> tuple[Array, tuple[float, float]]:
    """Zigzag rows, numbered along them, and the sides of the container; in metres."""
    number = np.arange(N)
    row, place = number // IN_ROW, number % IN_ROW
    position = np.stack([ACROSS * place, BETWEEN_ROWS * row + UP * (place % 2)], axis=1)
    sides = position.max(axis=0) + 2.0 * MARGIN
    return PLANAR.radius * (position + MARGIN), tuple(PLANAR.radius * sides)


def measure(size: Size, tell: Tell) -> Findings:
    """The pairs of colliding boxes while the bodies fall and bounce."""
    position, sides = places()
    radius = np.full(N, PLANAR.radius)
    velocity = thermal_speed(PLANAR) * np.random.default_rng(SEED).standard_normal(position.shape)
    particles = carom.Particles(position, velocity, radius, mass_of(PLANAR, radius))
    system = carom.System(particles, carom.Box(sides), gravity=GRAVITY)
    method = carom.SoftContacts(stiffness=PLANAR.stiffness, damping=0.0, dt=DT[size])
    simulation = carom.Simulation(system, method=method)
    search = NeighbourSearch(LinkedLinearList(), position, PLANAR.radius)
    first = search.stored_pairs()
    numbers = [len(first)]
    for k in range(1, LOOKS + 1):
        tell((k - 1) / LOOKS, f"{simulation.time:.1f} s")
        simulation.run(until=DURATION * k / LOOKS, progress=False)
        search.look(simulation.particles.position)
        numbers.append(len(search.stored_pairs()))
    last = search.stored_pairs()
    share = max(numbers) / (N * (N - 1) / 2)
    apart = float(np.median([j - i for i, j in last]))
    return Findings(
        seed=SEED,
        parameters={"n": N, "duration": DURATION, "gravity": -GRAVITY[1], "dt": DT[size]},
        data={
            "sides": sides,
            "radius": PLANAR.radius,
            "positions": [np.round(p, 6) for p in (position, simulation.particles.position)],
            "pairs": [first, last],
        },
        statements=[
            Statement(
                "at the beginning only bodies with successive numbers have colliding boxes",
                len(first) > 0 and all(j - i == 1 for i, j in first),
            ),
            Statement(
                "later this is not so: in half of the pairs the numbers are more than a row apart "
                f"({IN_ROW}; here {apart:.0f})",
                apart > IN_ROW,
            ),
            Statement(
                f"the matrix is for all times quite sparse: at {len(numbers)} times it holds at "
                f"most {SPARSE:.0%} of all pairs (here {share:.2%})",
                share <= SPARSE,
            ),
        ],
        choices=[
            Choice(
                "sizes, stiffness, density",
                f"{PLANAR.radius:g} m, {PLANAR.stiffness:g} N/m, {PLANAR.density:g} kg/m²",
                "those of the planar series of section 3.1, without the spread of the sizes",
            ),
            Choice(
                "places and numbers",
                f"zigzag rows of {IN_ROW}, numbered along them",
                "entries right next to the diagonal only, as is said of Fig. 10, left",
            ),
            Choice(
                "speeds at the beginning",
                f"{thermal_speed(PLANAR):.2g} m/s",
                "that of the entry neighbours-2d",
            ),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Above: the bodies (Fig. 9); below: the matrix (Fig. 10); left and right: first and last."""
    figure, axes = panels(2, 2)
    figure.set_size_inches(FIGURE)
    titles = ("at the beginning", f"after {DURATION:g} s")
    for panel, position, title in zip(axes[:2], data["positions"], titles, strict=True):
        _draw_bodies(panel, np.array(position), data["radius"], data["sides"])
        panel.set_title(title, fontsize=9, color=INK, loc="left")
    for panel, pairs in zip(axes[2:], data["pairs"], strict=True):
        rows, columns = zip(*pairs, strict=True)
        panel.plot((1, N), (1, N), color=FAINT, linewidth=0.6)
        panel.plot(columns, rows, ".", color=OURS, markersize=2)
        panel.set(xlim=(0, N + 1), ylim=(N + 1, 0), aspect="equal")
        label(panel, "body", "body")
    return figure


def _draw_bodies(axes: Any, position: Array, radius: float, sides: tuple[float, float]) -> None:
    diameters = np.full(len(position), 2e3 * radius)
    disks = EllipseCollection(
        diameters,
        diameters,
        np.zeros(len(position)),
        units="xy",
        offsets=1e3 * position,
        offset_transform=axes.transData,
        facecolors=OURS,
        edgecolors="none",
    )
    axes.add_collection(disks)
    axes.set(xlim=(0, 1e3 * sides[0]), ylim=(0, 1e3 * sides[1]), aspect="equal")
    axes.spines[["top", "right"]].set_visible(True)
    label(axes, "mm", "mm")


ENTRY = Entry(
    name="pair-matrix",
    title="Matrix of colliding bounding boxes",
    source=MUTH_2007,
    figure="Figs. 9, 10",
    compares="Which of 300 bodies have colliding bounding boxes, at the beginning and after 2 s.",
    minutes={Size.QUICK: 0.1, Size.PAPER: 3},
    measure=measure,
    draw=draw,
)
