"""``carom sweep``: a scene for all values in its [sweep], and what has come of it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from carom.checks import check_positive
from carom.cli.scene_sweep import SweepFile, build_of, measure_of, read_sweep_file
from carom.cli.summary import say
from carom.errors import SceneError, SweepError
from carom.sweeps import picture, read
from carom.sweeps.folder import SweepFolder
from carom.sweeps.plan import Plan, planned
from carom.sweeps.sweep import carry_out_plan
from carom.sweeps.table import NOT_YET, xarray
from carom.types import Plain

MOST_SHOWN = 5  # failures, or runs of a plan


class SweepRequest(NamedTuple):
    """What the command line asks for."""

    scene: str | None
    out: Path
    scheduler: str | None
    workers: int | None
    resume: bool
    dry_run: bool
    status: Path | None
    plot: tuple[str, str, str] | None
    checkpoint_every: float

    def command_to_resume(self) -> str:
        """The command that goes on with this sweep."""
        words = ["carom", "sweep", str(self.scene), "--out", str(self.out), "--resume"]
        for option, value in (("--scheduler", self.scheduler), ("--workers", self.workers)):
            words += [] if value is None else [option, str(value)]
        return shlex.join(words)


def sweep_scene(request: SweepRequest) -> bool:
    """Do what is asked for; whether no run has failed."""
    if request.scene is None:
        if request.status is None and request.plot is None:
            raise SceneError("name a scene with a [sweep], or a folder: --status FOLDER.")
        return _look(request.status or request.out, request.plot, request.status is not None)
    if request.status is not None:
        raise SceneError("--status shows a folder; leave out the scene, or --status.")
    if request.scheduler is not None and request.workers is not None:
        raise SceneError("--workers is for runs on this machine; a scheduler has its own workers.")
    try:
        check_positive("--checkpoint-every", request.checkpoint_every)
    except ValueError as error:
        raise SceneError(str(error)) from error
    xarray()
    file = read_sweep_file(request.scene)
    plan = _plan(file, request)
    if request.dry_run:
        _tell(file, plan, request)
        return True
    _refuse_to_mix(plan, request)
    for sentence in plan.said:
        say(f"{sentence[0].upper()}{sentence[1:]}.", style="yellow")
    missing = len(plan.missing)
    say(f"{len(plan.runs)} runs, of which {len(plan.runs) - missing} are in {request.out} already.")
    try:
        rows = carry_out_plan(plan, request.scheduler, request.workers, progress=True)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(
            f"Stopped after {len(plan.rows)} of {len(plan.runs)} runs. Go on with: "
            f"{request.command_to_resume()}"
        ) from None
    failed = _show_failures([row for row in rows if row is not None])
    say(
        f"{len(rows) - failed} runs done, {failed} failed. In Python: "
        f"carom.sweeps.read({str(request.out)!r})"
    )
    if request.plot is not None:
        _draw(request.out, request.plot)
    return not failed


def _plan(file: SweepFile, request: SweepRequest) -> Plan:
    build = build_of(file)
    try:
        plan = planned(
            build,
            file.parameters,
            replicas=file.table.replicas,
            seed=file.seed,
            run=file.run,
            measure=measure_of(file),
            observers=None,
            folder=request.out,
            checkpoint_every=request.checkpoint_every,
        )
    except (TypeError, ValueError) as error:
        raise SceneError(f"{file.given}, [sweep]: {error}") from error
    for point in plan.points.values:
        build.check(file.given, point)
    return plan


def _refuse_to_mix(plan: Plan, request: SweepRequest) -> None:
    """Refuse to go on with a sweep that nobody has spoken of."""
    assert plan.folder is not None
    if plan.folder.rows and not request.resume:
        raise SweepError(
            f"{request.out} holds {len(plan.folder.rows)} runs of a sweep. --resume takes those "
            "that are the same and carries out the others; --out names another folder."
        )
    if request.resume and not plan.folder.request.exists():
        say(f"There is no sweep in {request.out} yet: starting from the beginning.")


def _tell(file: SweepFile, plan: Plan, request: SweepRequest) -> None:
    """Say what a sweep would do."""
    for name, values in file.parameters.items():
        say(f"{name}: {', '.join(map(str, values))}")
    missing = plan.missing
    say(
        f"{len(plan.points.values)} points × {file.table.replicas} replicas = {len(plan.runs)} "
        f"runs up to t = {file.run['until']:g}; {len(plan.runs) - len(missing)} are in "
        f"{request.out} already."
    )
    for number in missing[:MOST_SHOWN]:
        say(f"  {plan.shown(number)}", style="dim")
    if len(missing) > MOST_SHOWN:
        say(f"  and {len(missing) - MOST_SHOWN} more", style="dim")
    for sentence in plan.said:
        say(f"{sentence[0].upper()}{sentence[1:]}.", style="yellow")


def _look(path: Path, plot: tuple[str, str, str] | None, with_status: bool) -> bool:
    """Show how far a sweep has come, and draw what has come in."""
    folder = SweepFolder(path)
    asked = folder.asked()
    folder.read()
    rows = [folder.rows[name] for name in asked["runs"] if name in folder.rows]
    failed = sum(1 for row in rows if row["values"] is None)
    if with_status:
        _show_status(folder, asked, rows, failed)
    if plot is not None:
        _draw(path, plot)
    return True


def _show_status(folder: SweepFolder, asked: Plain, rows: list[Plain], failed: int) -> None:
    whole = len(asked["runs"])
    begun = set(folder.under_way()) & set(asked["runs"])
    lines = [
        ("runs", f"{whole}: {len(rows) - failed} done, {failed} failed, {whole - len(rows)} left"),
        ("parameters", _described_parameters(asked["layout"])),
        ("at work", folder.at_work() or "nobody"),
    ]
    if begun:
        lines.append(("checkpoints", f"of {len(begun)} runs"))
    seconds = [row["seconds"] for row in rows]
    if seconds:
        lines.append(("computing", f"{sum(seconds):,.0f} s, {max(seconds):,.1f} s the longest run"))
    if folder.damaged:
        lines.append(("not complete", f"{folder.damaged} lines; their runs are carried out again"))
    shown = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    shown.add_column(style="dim", no_wrap=True)
    shown.add_column(overflow="fold")
    for line in lines:
        shown.add_row(*line)
    Console(highlight=False).print(shown)
    _show_failures(rows)


def _described_parameters(layout: Plain) -> str:
    if layout["axes"] is None:
        sizes = f"{layout['points']} points of {', '.join(layout['names'])}"
    else:
        lengths = zip(layout["names"], layout["axes"], strict=True)
        sizes = " × ".join(f"{name} ({length})" for name, length in lengths)
    return f"{sizes}, {layout['replicas']} replicas"


def _show_failures(rows: list[Any]) -> int:
    """Say which runs have failed, and why; how many."""
    failures = [row for row in rows if row["values"] is None]
    for row in failures[:MOST_SHOWN]:
        say(f"failed: {row['shown']}: {row.get('error', NOT_YET)}", style="red")
    if len(failures) > MOST_SHOWN:
        say(f"and {len(failures) - MOST_SHOWN} more have failed", style="red")
    return len(failures)


def _draw(path: Path, plot: tuple[str, str, str]) -> None:
    """Draw the table in a folder."""
    try:
        figure = picture(read(path), *plot)
    except ValueError as error:
        raise SweepError(f"--plot: {error}") from error
    target = path / f"{'-'.join(name.replace('/', '_') for name in plot)}.png"
    figure.savefig(target)
    say(f"The picture is {target}.")
