"""``carom reproduce``: hands over to the studies, a package of its own that may be missing."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from carom.errors import StudiesMissing


class Size(StrEnum):
    """How large the runs are: the sizes of ``carom_studies``, known without it."""

    QUICK = "quick"
    PAPER = "paper"


def reproduce(names: list[str], listed: bool, size: Size, out: Path, keep: bool) -> bool:
    """Show the entries, or run those that are named; whether that came to a good end."""
    try:
        from carom_studies import reproducing
    except ModuleNotFoundError as error:
        if error.name != "carom_studies":
            raise
        raise StudiesMissing(
            "`carom reproduce` is in a package of its own, carom-studies, which is not installed. "
            "It is in the folder studies of carom's repository: pip install ./studies"
        ) from None
    return reproducing.command(names, listed, size, out, keep)
