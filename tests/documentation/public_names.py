"""What is public, and what the pages of the reference name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from pages import ROOT

import carom

DIRECTIVE = re.compile(
    r"^\.\. (?:auto|py:)(class|function|data|module):: ([\w.]+)\n((?:   .*\n)*)", re.MULTILINE
)
EXCLUDED = re.compile(r":exclude-members: (.*)")


def members(module: ModuleType, left_out: Sequence[str] = ()) -> list[str]:
    """The public names of a module: those it lists, or those that are made in it."""
    own = (name for name, thing in vars(module).items() if _home(thing) == module.__name__)
    names = getattr(module, "__all__", own)
    return [name for name in names if not name.startswith("_") and name not in left_out]


def _home(thing: Any) -> str | None:
    return getattr(thing, "__module__", None)


def public_names(module: ModuleType = carom) -> Iterator[str]:
    """All that is public, by where a user finds it."""
    names = dir(module) if module is carom else members(module)
    for name in names:
        thing = getattr(module, name)
        if isinstance(thing, ModuleType):
            yield from public_names(thing)
        elif not name.startswith("_"):
            yield f"{module.__name__}.{name}"


def documented_names() -> Iterator[str]:
    """What the pages of the reference describe, as often as they do."""
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        for kind, name, options in DIRECTIVE.findall(page.read_text("utf-8")):
            if kind != "module":
                yield name
            elif ":members:" in options:
                excluded = EXCLUDED.search(options)
                left_out = excluded[1].split(", ") if excluded else []
                yield from (f"{name}.{one}" for one in members(import_module(name), left_out))
