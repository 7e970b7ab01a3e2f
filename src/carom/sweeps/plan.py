"""What a sweep is to do: its runs, each with a name, a seed and a place in the table."""

from __future__ import annotations

import hashlib
import inspect
import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carom.checks import check_positive, check_seed, check_whole, is_not_negative, is_whole
from carom.sweeps.folder import SweepFolder
from carom.sweeps.points import RANDOM, Points, place_of, points_of
from carom.sweeps.run import AVERAGE_FROM, OneRun, Work, seeds_of
from carom.sweeps.sources import PART_DIGITS, source_of, version
from carom.sweeps.table import layout_of
from carom.types import Plain

GOALS = ("until", "duration", "collisions")
DIGITS = 24  # of the name of a run
FUNCTIONS = ("build", "measure", "observers")
PARTS = "parts"  # of the functions, which only say what has changed
UNKNOWN = "unknown"  # what a function is that nobody can read
MOST_NAMED = 4  # of parts that have changed


@dataclass
class Plan:
    """All runs of a sweep, and those whose rows are there already."""

    work: Work
    points: Points
    layout: Plain
    runs: list[OneRun]
    setting: Plain  # by what, beside its place, a run is known again
    folder: SweepFolder | None
    rows: dict[str, Plain] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)  # what the user should know

    @property
    def missing(self) -> list[int]:
        """The numbers of the runs that are to be carried out."""
        return [k for k, run in enumerate(self.runs) if run.name not in self.rows]

    @property
    def rows_in_order(self) -> list[Plain | None]:
        """The rows of all runs; None for those that are not over."""
        return [self.rows.get(run.name) for run in self.runs]

    @property
    def attributes(self) -> dict[str, str]:
        """Where a table comes from, in words that stand in its file."""
        goal = ", ".join(f"{name} = {value}" for name, value in self.work.goal.items())
        return {
            "source": f"carom {self.work.version}",
            "run": goal,
            "seed": str(self.setting["seed"]),
        }

    def shown(self, number: int) -> str:
        """A run as a person would name it."""
        point, replica = divmod(number, self.layout["replicas"])
        return f"{self.points.shown(point)}, replica {replica}"

    def request(self) -> Plain:
        """What is asked for, as the folder keeps it."""
        return {"layout": self.layout, "runs": [run.name for run in self.runs]}


def planned(
    build: Callable[..., Any],
    parameters: Any,
    *,
    replicas: int,
    seed: int,
    run: Mapping[str, Any],
    measure: Callable[[Any], Any],
    observers: Callable[[Path], Any] | None,
    folder: str | Path | None,
    checkpoint_every: float,
) -> Plan:
    """The plan of a sweep; all is refused that can be before the first run."""
    goal = _checked_goal(run)
    check_whole("replicas", replicas, 1)
    check_seed("sweep", seed)
    check_positive("checkpoint_every", checkpoint_every)
    points = points_of(parameters)
    _check_functions(build, measure, observers, points)
    if observers is not None and folder is None:
        raise ValueError(
            "observers= write into the folder of their run: give folder=, or hand over observers "
            "without files in the Simulation that build makes."
        )
    setting, said = _setting(build, measure, observers, goal, int(seed))
    where = None if folder is None else SweepFolder(folder)
    plan = Plan(
        Work(build, goal, measure, observers, float(checkpoint_every), version()),
        points,
        layout_of(points, replicas),
        list(_runs(points, replicas, int(seed), setting, where, said)),
        setting,
        where,
        said=said,
    )
    if where is not None:
        _take_rows(plan, where)
    return plan


def _checked_goal(run: Any) -> Plain:
    names = [name for name in run if name != AVERAGE_FROM] if isinstance(run, Mapping) else []
    if len(names) != 1 or names[0] not in GOALS:
        raise ValueError(
            "run must be a dictionary that says how far each run goes, {'until': 100.0}, "
            f"{{'duration': 100.0}} or {{'collisions': 10_000}}, not {run!r}."
        )
    (name,), value = names, run[names[0]]
    if name == "collisions":
        if not (is_whole(value) and value >= 0):
            raise ValueError(f"run: collisions must be a whole number from 0 on, not {value!r}.")
    elif not is_not_negative(value):
        raise ValueError(f"run: {name} must be a finite time from 0 on, not {value!r}.")
    goal = {name: int(value) if name == "collisions" else float(value)}
    return goal if AVERAGE_FROM not in run else goal | _checked_beginning(run)


def _checked_beginning(run: Mapping[str, Any]) -> Plain:
    """When averages begin."""
    beginning = run[AVERAGE_FROM]
    if "until" not in run or not (is_not_negative(beginning) and beginning <= run["until"]):
        raise ValueError(
            f"run: {AVERAGE_FROM} must be a time between 0 and until, when averages begin anew, "
            f"not {beginning!r} in {run!r}."
        )
    return {AVERAGE_FROM: float(beginning)}


def _check_functions(build: Any, measure: Any, observers: Any, points: Points) -> None:
    if not callable(build):
        raise TypeError(f"build must be a function of the parameters and random, not {build!r}.")
    if not callable(measure):
        raise TypeError(f"measure must be a function of a simulation, not {measure!r}.")
    if not (observers is None or callable(observers)):
        raise TypeError(
            f"observers must be a function of the folder of a run that makes them, as in "
            f"lambda folder: [carom.Table(folder / 'log.csv', 1.0)], not {observers!r}."
        )
    try:
        takes = inspect.signature(build)
    except (TypeError, ValueError):  # nobody knows what it takes
        return
    try:
        takes.bind(**dict.fromkeys((RANDOM, *points.names)))
    except TypeError as error:
        wanted = ", ".join((*points.names, RANDOM))
        raise TypeError(
            f"build must take the parameters and the random generator by their names, as in "
            f"def build({wanted}); {error}."
        ) from None


def _setting(
    build: Any, measure: Any, observers: Any, goal: Plain, seed: int
) -> tuple[Plain, list[str]]:
    """By what a run is known again, and what is to be said of it."""
    said: list[str] = []
    setting: Plain = {"run": goal, "seed": seed, "version": version(), PARTS: {}}
    for name, function in zip(FUNCTIONS, (build, measure, observers), strict=True):
        source = source_of(function)
        if source.digest is None:
            said.append(
                f"what {name} does cannot be known for sure ({source.reason}), so that runs are "
                "never taken from the folder: all are carried out"
            )
        setting[name] = source.digest or f"{UNKNOWN} {uuid.uuid4().hex}"
        setting[PARTS][name] = dict(source.parts)
    return setting, said


def _runs(
    points: Points,
    replicas: int,
    seed: int,
    setting: Plain,
    folder: SweepFolder | None,
    said: list[str],
) -> Iterator[OneRun]:
    by_these = {name: value for name, value in setting.items() if name != PARTS}
    shared = json.dumps(by_these, sort_keys=True)
    known: dict[int, str] = {}
    for point, described in zip(points.values, points.described, strict=True):
        parts = [shared, *_sources(point, described, known, said)]
        for replica in range(replicas):
            place = place_of(described, replica)
            digest = hashlib.sha256("\n".join([*parts, place.hex()]).encode())
            name = digest.hexdigest()[:DIGITS]
            where = None if folder is None else str(folder.folder_of(name))
            yield OneRun(name, place.hex()[:DIGITS], point, seeds_of(seed, place), where)


def _sources(
    point: Plain, described: Plain, known: dict[int, str], said: list[str]
) -> Iterator[str]:
    """What the values of parameters do, where they are more than numbers and texts."""
    for name, value in point.items():
        if not isinstance(described[name], dict):
            continue
        if id(value) not in known:
            source = source_of(value)
            if source.digest is None:
                said.append(
                    f"what the parameter {name}={value!r} does cannot be known for sure "
                    f"({source.reason}), so that its runs are never taken from the folder"
                )
            known[id(value)] = source.digest or uuid.uuid4().hex
        yield known[id(value)]


def _take_rows(plan: Plan, folder: SweepFolder) -> None:
    """Take the rows that are there, and say why others are not taken."""
    folder.read()
    names = [run.name for run in plan.runs]
    there = {name: folder.rows[name] for name in names if name in folder.rows}
    plan.rows = {name: row for name, row in there.items() if not row.get("passes")}
    if folder.damaged:
        plan.said.append(
            f"{folder.damaged} lines in {folder.path / 'rows'} are not complete, as a kill or a "
            "full disk leaves them; their runs are carried out again"
        )
    changes: Counter[str] = Counter()
    for run in plan.runs:
        if run.name not in there and run.place in folder.others:
            changes[_change(folder.others[run.place], plan.setting)] += 1
    for change, number in changes.items():
        if change:
            plan.said.append(
                f"{number} of {len(plan.runs)} runs are in {folder.path} with another {change}; "
                "they are carried out anew, and those rows stay"
            )


def _change(before: Plain, now: Plain) -> str:
    """What differs between the settings of a row and of now; nothing if nobody can know."""
    parts = []
    is_unknown = False
    for name in FUNCTIONS:
        if UNKNOWN in (now[name].partition(" ")[0], str(before.get(name)).partition(" ")[0]):
            is_unknown = True  # which is said once, and of all runs
        elif before.get(name) != now[name]:
            which = _changed_parts(before.get(PARTS, {}).get(name, {}), now[PARTS][name])
            parts.append(f"{name} ({which or 'its source has changed'})")
    for name in ("run", "seed", "version"):
        if before.get(name) != now[name]:
            parts.append(f"{name} (it was {before.get(name)} and is {now[name]})")
    return " and ".join(parts) or ("" if is_unknown else "source of a parameter")


def _changed_parts(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The functions and values of a source that have changed, or are new or gone."""
    names = [name for name in {**now, **before} if before.get(name) != now.get(name)]
    told = [_told(name, before.get(name), now.get(name)) for name in names[:MOST_NAMED]]
    more = [] if len(names) <= MOST_NAMED else [f"{len(names) - MOST_NAMED} more"]
    return f"its source has changed: {', '.join(told + more)}" if told else ""


def _told(name: str, before: str | None, now: str | None) -> str:
    short = name.replace("<locals>.", "")
    if before is None or now is None:
        return f"{short} is {'new' if before is None else 'gone'}"
    are_hashes = all(len(one) == PART_DIGITS and one.isalnum() for one in (before, now))
    return f"{short}" if are_hashes else f"{short} was {before} and is {now}"
