"""One file an entry: parameters on top, what is measured, how it is drawn; last, ``ENTRY``.

Figures that differ by their parameters only are rows of one file, ``ENTRIES``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from carom_studies.entry import Entry


def all_entries() -> dict[str, Entry]:
    """All entries by name, in the order of the sources and their figures."""
    return {entry.name: entry for entry in sorted(_found(), key=lambda entry: entry.order)}


def _found() -> Iterator[Entry]:
    for each in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{each.name}")
        if hasattr(module, "ENTRIES"):
            yield from module.ENTRIES
        else:
            yield module.ENTRY
