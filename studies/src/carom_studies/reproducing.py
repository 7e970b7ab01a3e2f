"""``carom reproduce``: entries run one after the other, so that those that take times are alone."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from textwrap import indent, wrap
from time import perf_counter
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from carom.errors import CaromWarning, UnknownEntry
from carom.spelling import suggestion
from carom_studies.entries import all_entries
from carom_studies.entry import VERDICTS, Entry, Size, Tell, Verdict
from carom_studies.fingerprint import fingerprint
from carom_studies.page import write_page
from carom_studies.report import picture_path, read_report, report, write_report

ALL = "all"
LINE = "  {:<24}{:<38}{:>6}{:>8}"  # of the list; it fits 80 columns
INDENT = "    "
STYLES: dict[Verdict, str] = {
    "agrees": "green",
    "qualitative": "blue",
    "inconclusive": "magenta",
    "differs": "yellow",
}
console = Console(highlight=False)


class Request(NamedTuple):
    """What was asked for."""

    names: list[str]
    size: Size
    out: Path
    keep: bool  # what is there already


def command(names: list[str], listed: bool, size: str, out: Path, keep: bool) -> bool:
    """``carom reproduce`` with these options; whether it came to a good end."""
    if listed:
        show_list()
        return True
    return reproduce(Request(names, Size(size), out, keep))


def show_list() -> None:
    """Print every entry below its source, with its figure, its durations and what is compared."""
    console.print(LINE.format("entry", "figure", *Size), style="dim")
    for source, entries in groupby(all_entries().values(), key=lambda entry: entry.source.short):
        console.print(f"\n[bold]{source}[/]")
        for entry in entries:
            durations = [_duration(entry.minutes[size]) for size in Size]
            console.print(LINE.format(entry.name, entry.figure, *durations), soft_wrap=True)
            words = wrap(entry.compares, console.width - len(INDENT))
            console.print(indent("\n".join(words), INDENT), style="dim", markup=False)


def reproduce(request: Request) -> bool:
    """Run the entries and write what they find; whether all came to their end, and to a verdict.

    Runs of the papers' sizes have to be enough for one.
    """
    entries = _chosen(request.names)
    failed = []
    for entry in entries:
        if request.keep and _is_there(request, entry):
            console.print(f"{entry.name}: kept")
            continue
        try:
            verdict = _reproduce_one(entry, request)
            if verdict == "inconclusive" and request.size is Size.PAPER:
                failed.append(entry.name)
                console.print(f"{entry.name}: not accepted, its runs are too few", style="red")
        except Exception as error:  # one entry that fails does not take the others with it
            failed.append(entry.name)
            traceback.print_exc()
            console.print(f"{entry.name}: failed, {error}", style="red", markup=False)
    _show_page(request.out)
    return not failed


def _chosen(names: list[str]) -> list[Entry]:
    known = all_entries()
    if not names:
        raise UnknownEntry(
            "No entry is named. Name some, or 'all'; `carom reproduce --list` shows them."
        )
    if ALL in names:
        return list(known.values())
    for name in names:
        if name not in known:
            raise UnknownEntry(f"There is no entry '{name}'{suggestion(name, [*known, ALL])}")
    return [known[name] for name in dict.fromkeys(names)]


def _is_there(request: Request, entry: Entry) -> bool:
    """Whether the folder holds a result of this size, and of the entry as it is."""
    written = read_report(request.out, entry.name)
    return (
        written is not None
        and written["size"] == request.size.value
        and written["fingerprint"] == fingerprint(entry)
    )


def _reproduce_one(entry: Entry, request: Request) -> Verdict:
    start = perf_counter()
    with _bar(entry, request.size) as tell, warnings.catch_warnings():
        # Experiments do on purpose what others are warned of, such as shearing a crystal.
        warnings.simplefilter("ignore", CaromWarning)
        findings = entry.measure(request.size, tell)
    written = report(entry, request.size, findings, perf_counter() - start)
    write_report(request.out, entry, written)
    verdict: Verdict = written["verdict"]
    console.print(f"{entry.name}: [{STYLES[verdict]}]{verdict}[/], {written['seconds']:.0f} s")
    console.print(f"  {written['why']}", markup=False)
    console.print(f"  {picture_path(request.out, entry.name)}", markup=False, style="dim")
    return verdict


@contextmanager
def _bar(entry: Entry, size: Size) -> Iterator[Tell]:
    """A line that shows how far the entry has come; on no terminal, that it begins."""
    about = f"{entry.name} ({entry.figure}), about {_duration(entry.minutes[size])}"
    screen = Console(stderr=True, highlight=False)
    if not screen.is_terminal:
        screen.print(about, markup=False)
        yield lambda share, doing: None
        return
    columns = (
        TextColumn("{task.fields[entry]}"),
        BarColumn(bar_width=16),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=1.0, entry=about)
        yield lambda share, doing: bar.update(task, completed=share, description=doing)


def _show_page(folder: Path) -> None:
    """Write the page of all that is in the folder and say where it is."""
    found = [read_report(folder, name) for name in all_entries()]
    reports = [each for each in found if each is not None]
    if reports:
        verdicts = [report["verdict"] for report in reports]
        counted = ", ".join(f"{verdict} {verdicts.count(verdict)}" for verdict in VERDICTS)
        console.print(f"Of {len(reports)} entries in {folder}: {counted}.", markup=False)
        console.print(f"{write_page(folder, reports)}  (open it in a browser)", style="dim")


def _duration(minutes: float) -> str:
    if minutes < 1.0:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.0f} min" if minutes < 120 else f"{minutes / 60:.0f} h"
