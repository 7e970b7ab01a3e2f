"""One file an entry: parameters on top, what is measured, how it is drawn; last, ``ENTRY``."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from carom_studies.entry import Entry


def all_entries() -> dict[str, Entry]:
    """All entries by name, in the order of the sources and their figures."""
    modules = (import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    found: list[Entry] = [module.ENTRY for module in modules]
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.order)}
