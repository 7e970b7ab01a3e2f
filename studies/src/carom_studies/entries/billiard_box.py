"""Balls on a billiard table: the simple algorithm, its formulas one by one, and the methods."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import carom
from carom.functions import cos, sin, standard_normal
from carom.plotting.style import FAINT, INK, PALETTE
from carom_studies.drawing import OTHER, OURS, PUBLISHED, label, legend, panels, points
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.experiments.simple_algorithm import Events, dot, simple_algorithm
from carom_studies.sources import EVENT_DRIVEN_COLLISIONS

RADIUS = 1.0
TABLE = (24.0, 16.0)
ROWS = (5, 4)  # of balls at the start
SEED = 1
EVENTS = 150
DISTANCE = 4.0 * RADIUS  # of two balls that are let fly at each other: sin θ_c = 1/2
ANGLES = np.linspace(0.0, 29.5, 60)  # degrees, at which they meet
DRAWN_ANGLES = np.arange(-45.0, 46.0, 5.0)
EPSILON = float(np.finfo(np.float64).eps)
# What rounding of places (24 on the table) and of velocities may do in the few operations that a
# formula has.
FEW_ROUNDINGS = 100 * EPSILON
# A difference in the last place grows with each collision of a ball, here by a factor of about
# three, hence by some 10⁷ in the fifteen that each ball has; a thousand times that is allowed.
SAME_TIME = 1e-5


def measure(size: Size, tell: Tell) -> Findings:
    """Two balls let fly at each other at many angles, then all on the table."""
    tell(0.1, "two balls")
    met = [meeting(angle) for angle in ANGLES]
    drawn = [meeting(angle) for angle in DRAWN_ANGLES]
    critical = largest_angle_of_a_hit()
    tell(0.5, "the table")
    start = balls()
    text = simple_algorithm(start.position, start.velocity, RADIUS, TABLE, EVENTS)
    runs = {name: logged(start, name) for name in ("simple", "auto")}
    tell(0.8, "velocities before and after")
    contacts = before_and_after(start, runs["auto"])
    return Findings(
        seed=SEED,
        parameters={"balls": len(start), "radius": RADIUS, "table": TABLE, "events": EVENTS},
        data={
            "ends": [end for _, end in drawn],
            **contacts,
            "gap": {n: np.abs(run.time - text.time) + EPSILON for n, run in runs.items()},
            "paths": paths(start, runs["auto"]),
        },
        numbers=[
            # Bisected to 1e-11 of the radius that the table is measured in.
            Number("critical angle θ_c at r = 4R, in degrees", 30.0, critical, within=1e-9)
        ],
        statements=_statements(met, contacts, text, runs),
        choices=[
            Choice("balls, table", f"{len(start)} on {TABLE}", "any: the text has no example"),
        ],
    )


def _statements(
    met: list[Any], contacts: Mapping[str, Any], text: Events, runs: Mapping[str, Events]
) -> list[Statement]:
    """What the figures and the list of steps say."""
    off = np.abs([time - expected_duration(a) for (time, _), a in zip(met, ANGLES, strict=True)])
    normal, across = contacts["normal"], contacts["across"]
    changed = np.abs([normal[:, 0] + normal[:, 1], across[:, 0] - across[:, 1]]).max()
    wall, along = contacts["wall normal"], contacts["wall along"]
    reflected = np.abs([wall[:, 0] + wall[:, 1], along[:, 0] - along[:, 1]]).max()
    same = all(run.same_order(text) for run in runs.values())
    late = max(float(np.abs(run.time - text.time).max()) for run in runs.values())
    return [
        Statement(
            "Fig. 1: at a wall the normal component is reversed and the other one kept "
            f"(to {reflected:.0e})",
            bool(reflected <= FEW_ROUNDINGS),
        ),
        Statement(
            f"Fig. 3: two balls meet after the time of equation (6) (to {off.max():.0e})",
            bool(off.max() <= FEW_ROUNDINGS),
        ),
        Statement(
            "Fig. 4: the relative velocity changes by −2 (v·r̂) r̂, equation (10) "
            f"(to {changed:.0e})",
            bool(changed <= FEW_ROUNDINGS),
        ),
        Statement(
            f"the algorithm as written and carom's have the same {EVENTS} events in the same "
            f"order (times to {late:.0e}, which grows as chaos will have it)",
            same and late <= SAME_TIME,
        ),
    ]


def expected_duration(angle: float) -> float:
    """Equation (6) for two balls at the distance, one of them flying with speed 1."""
    cosine = cos(math.radians(angle))
    near = DISTANCE * cosine
    a = near * near - (DISTANCE**2 - 4.0 * RADIUS**2)
    return DISTANCE * cosine - math.sqrt(a)


def meeting(angle: float) -> tuple[float, list[float]]:
    """When ball j meets ball i at rest in the origin, and where it then is; else inf, and later."""
    direction = math.radians(angle)
    velocity = [[0.0, 0.0], [-cos(direction), sin(direction)]]
    pair = carom.Particles([[0.0, 0.0], [DISTANCE, 0.0]], velocity, radius=RADIUS)
    log = carom.CollisionLog()
    simulation = carom.Simulation(carom.System(pair), observers=[log])
    simulation.run(until=1.5 * DISTANCE, progress=False)
    if len(log) == 0:
        return math.inf, simulation.particles.position[1].tolist()
    # From the partner to i, whichever of the two the log calls i.
    separation = log["separation"][0] * (1.0 if log["i"][0] == 1 else -1.0)
    return float(log["time"][0]), separation.tolist()


def largest_angle_of_a_hit() -> float:
    """The angle, in degrees, up to which two balls meet."""
    hit, miss = 0.0, 90.0
    while miss - hit > 1e-11:
        middle = 0.5 * (hit + miss)
        if math.isfinite(meeting(middle)[0]):
            hit = middle
        else:
            miss = middle
    return 0.5 * (hit + miss)


def balls() -> carom.Particles:
    """Balls in rows, each off its place by chance, with velocities by chance."""
    rng = np.random.default_rng(SEED)
    spacing = np.array(TABLE) / ROWS
    places = np.stack(np.meshgrid(*map(np.arange, ROWS), indexing="ij"), axis=-1).reshape(-1, 2)
    room = 0.5 * spacing - RADIUS
    position = (places + 0.5) * spacing + rng.uniform(-0.9, 0.9, (len(places), 2)) * room
    return carom.Particles(position, standard_normal(rng, position.shape), radius=RADIUS)


def on_table(start: carom.Particles, algorithm: str, observers: list[Any]) -> carom.Simulation:
    """The balls in their box."""
    system = carom.System(start, carom.Box(TABLE))
    method = carom.EventDriven(algorithm=algorithm)
    return carom.Simulation(system, method=method, observers=observers)


def logged(start: carom.Particles, algorithm: str) -> Events:
    """The first events by one of carom's algorithms."""
    log = carom.CollisionLog()
    simulation = on_table(start, algorithm, [log])
    while len(log) < EVENTS:
        simulation.run(duration=1.0, progress=False)
    columns = (log[name][:EVENTS] for name in ("time", "i", "j", "separation"))
    return Events(*columns)


def before_and_after(start: carom.Particles, events: Events) -> dict[str, Any]:
    """Components of velocities (.., 2) before and after contacts, of pairs and at walls."""
    simulation = on_table(start, "auto", [])
    velocity = [start.velocity.copy()]
    for time in 0.5 * (events.time[1:] + events.time[:-1]):
        simulation.run(until=time, progress=False)
        velocity.append(simulation.particles.velocity.copy())
    found: dict[str, list[Any]] = {
        name: [] for name in ("normal", "across", "wall normal", "wall along")
    }
    for k, (i, j) in enumerate(zip(events.i[:-1], events.j[:-1], strict=True)):
        of_walls = j < 0
        separation = events.separation[k]
        normal = separation / np.sqrt(dot(separation, separation))
        tangent = np.array([-normal[1], normal[0]])
        both = [v[i] if of_walls else v[i] - v[j] for v in (velocity[k], velocity[k + 1])]
        found["wall normal" if of_walls else "normal"].append([dot(v, normal) for v in both])
        found["wall along" if of_walls else "across"].append([dot(v, tangent) for v in both])
    return {name: np.array(values) for name, values in found.items()}


def paths(start: carom.Particles, events: Events) -> dict[str, Any]:
    """Places (.., n, 2) of the balls at the first events, where paths have their corners."""
    simulation = on_table(start, "auto", [])
    places = [start.position.copy()]
    for time in events.time[: EVENTS // 3]:
        simulation.run(until=time, progress=False)
        places.append(simulation.particles.position.copy())
    return {"first": places[0], "all": np.round(places, 3)}


def draw(data: Mapping[str, Any]) -> Figure:
    """What the four figures of the text show, and the table with a check of the algorithm."""
    figure, (velocities, flights, table, times) = panels(columns=2, rows=2)
    _velocities(velocities, data)
    _flights(flights, data["ends"])
    _table(table, data["paths"])
    _gaps(times, data["gap"])
    return figure


def _velocities(axes: Any, data: Mapping[str, Any]) -> None:
    """Components after against before, of ball and wall and of two balls."""
    kinds = {
        "normal": ("two balls, along r̂", "o", OURS),
        "across": ("two balls, across", "^", OTHER),
        "wall normal": ("ball and wall, normal", "s", PALETTE[2]),
        "wall along": ("ball and wall, along", "D", PALETTE[1]),
    }
    largest = max(1.05 * np.abs(data[kind]).max() for kind in kinds)
    ends = np.array([-largest, largest])
    for sign, name in ((-1.0, "the text: reversed, or kept"), (1.0, None)):
        axes.plot(ends, sign * ends, "--", color=PUBLISHED, linewidth=1.0, label=name)
    for kind, (name, marker, colour) in kinds.items():
        before, after = np.asarray(data[kind]).T
        points(axes, before, after, name, colour, marker=marker, markersize=4.5, fillstyle="none")
    axes.set(xlim=ends, ylim=(-largest, 2.0 * largest))
    label(axes, "component of the velocity before", "after", "Figs. 1, 4: contacts")
    legend(axes, loc="upper center", ncols=2, columnspacing=1.0, handletextpad=0.4)


def _flights(axes: Any, ends: Any) -> None:
    """Flights of the centre of ball j towards ball i, up to where they meet; crosses: (6)."""
    axes.add_patch(Circle((0.0, 0.0), 2.0 * RADIUS, fill=False, color=PUBLISHED, linestyle="--"))
    axes.add_patch(Circle((0.0, 0.0), RADIUS, color=FAINT, alpha=0.4, linewidth=0))
    axes.add_patch(Circle((DISTANCE, 0.0), RADIUS, color=FAINT, alpha=0.4, linewidth=0))
    axes.text(0.0, 0.0, "i", ha="center", va="center", fontsize=9, color=INK)
    axes.text(DISTANCE + 0.4, 0.0, "j", ha="center", va="center", fontsize=9, color=INK)
    for x, y in ends:
        meets = math.hypot(x, y) < 2.001 * RADIUS
        axes.plot([DISTANCE, x], [0.0, y], color=OURS if meets else FAINT, linewidth=0.9)
        if meets:
            axes.plot(x, y, "o", color=OURS, markersize=3)
    for angle in DRAWN_ANGLES[np.abs(DRAWN_ANGLES) < 30.0]:
        flown = expected_duration(angle)
        x, y = DISTANCE - flown * math.cos(np.radians(angle)), flown * math.sin(np.radians(angle))
        axes.plot(x, y, "+", color=PUBLISHED, markersize=8, markeredgewidth=0.8)
    axes.set(xlim=(-3.1, 5.1), ylim=(-3.1, 3.1), aspect="equal")
    label(axes, "x / R", "y / R", "Figs. 2, 3: they meet if θ < θ$_c$ = 30°; crosses: equation (6)")


def _table(axes: Any, run: Mapping[str, Any]) -> None:
    """Paths on the table, and where the balls were at first."""
    places = np.asarray(run["all"])
    for k in range(places.shape[1]):
        axes.plot(*places[:, k].T, color=PALETTE[k % len(PALETTE)], linewidth=0.8)
    for k, (x, y) in enumerate(run["first"]):
        axes.add_patch(Circle((x, y), RADIUS, color=PALETTE[k % len(PALETTE)], alpha=0.35, lw=0))
    axes.set(xlim=(0.0, TABLE[0]), ylim=(0.0, TABLE[1]), aspect="equal")
    axes.spines[["top", "right"]].set_visible(True)
    label(axes, "x / R", "y / R", f"The table: the first {len(places) - 1} events")


def _gaps(axes: Any, gaps: Mapping[str, Any]) -> None:
    """By how much the times of events differ from the algorithm as written."""
    names = {"simple": 'carom, "simple"', "auto": "carom, default"}
    for (name, gap), colour, marker in zip(gaps.items(), (OURS, OTHER), "os", strict=True):
        points(axes, range(1, len(gap) + 1), gap, names[name], colour, marker=marker, markersize=3)
    axes.set(yscale="log", ylim=(1e-17, 1e-3), xlim=(0, len(gap) + 2))
    label(axes, "event", "difference in time", "The same events in the same order")
    legend(axes, loc="upper left")


ENTRY = Entry(
    name="billiard-box",
    title="Billiard balls in a box",
    source=EVENT_DRIVEN_COLLISIONS,
    figure="Figs. 1–4",
    compares="When balls meet and what becomes of their velocities, by equations (3) to (11); the "
    "order of events by the algorithm as written.",
    minutes={Size.QUICK: 0.1, Size.PAPER: 0.1},
    measure=measure,
    draw=draw,
)
