"""Tables for the terminal and for pages of the manual."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table as RichTable


class Table(NamedTuple):
    """A table and what there is to say about it."""

    name: str  # marks its place in the document
    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


def show(table: Table, console: Console) -> None:
    """Print a table."""
    drawn = RichTable(title=table.title)
    for heading in table.headings:
        drawn.add_column(heading, justify="right")
    for row in table.rows:
        drawn.add_row(*row)
    console.print(drawn)
    if table.note:
        console.print(table.note)


def as_markdown(table: Table, about: str) -> str:
    """The table in Markdown."""
    lines = [table.headings, ["---"] * len(table.headings), *table.rows]
    drawn = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return "\n\n".join(part for part in (drawn, table.note, about) if part)


def write_into(document: Path, table: Table, about: str) -> None:
    """Replace what stands between the marks of a table in a document."""
    begin, end = f"<!-- {table.name} -->\n", f"\n<!-- end of {table.name} -->"
    text = document.read_text()
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise SystemExit(f"{document} has no place marked {begin.strip()} and {end.strip()}.")
    document.write_text(before + begin + as_markdown(table, about) + end + after)
