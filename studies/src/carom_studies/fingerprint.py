"""Whether a stored result is one of the code that is here.

A fingerprint covers the file of an entry and the files of ``experiments``, ``fits`` and ``timing``
that it uses, directly or through each other: what is run, with which parameters, and by which
criteria it is judged. It covers neither comments, docstrings and layout, nor how long an entry is
expected to take, nor in which file of carom a name is defined, nor the simulations themselves: the
same numbers, where no time is measured, are what tells about these.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from carom_studies.entry import Entry

PACKAGE = __package__
COVERED = tuple(f"{PACKAGE}.{name}" for name in ("experiments", "fits", "timing"))
SHOWN = 16  # digits of it
# Fields of syntax trees that say nothing, or that only some versions of Python have.
LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "type_params"}


def fingerprint(entry: Entry) -> str:
    """A number, in hexadecimal digits, that changes with the entry or with what it runs."""
    found: dict[str, str] = {}
    _collect(entry.measure.__module__, found)
    parts = (f"{_place(name)}: {found[name]}" for name in sorted(found))
    whole = "\n".join((entry.name, *parts))
    return hashlib.sha256(whole.encode()).hexdigest()[:SHOWN]


def _collect(module: str, found: dict[str, str]) -> None:
    """Put the meaning of a module, and of those it uses, beside what was found."""
    if module in found:
        return
    path = import_module(module).__file__
    assert path is not None
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    found[module] = meaning(tree)
    for used in _used(tree):
        _collect(used, found)


def _used(tree: ast.Module) -> Iterator[str]:
    """The covered modules that a module imports."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module == COVERED[0]:  # the package: the names are its modules
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif node.module.startswith(COVERED):
            yield node.module


def meaning(node: Any) -> str:
    """A syntax tree as text, without what does not matter, alike in all versions of Python."""
    if isinstance(node, list):
        return f"[{','.join(meaning(each) for each in node)}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.JoinedStr):
        return _text_with_values(node)
    fields = []
    for name, value in ast.iter_fields(node):
        kept = _place(value) if name == "module" else _without_asides(name, value)
        if name not in LEFT_OUT and kept not in (None, []):
            fields.append(f"{name}={meaning(kept)}")
    return f"{type(node).__name__}({','.join(fields)})"


def _place(module: str | None) -> str | None:
    """A module as a fingerprint names it: wherever the studies lie, and carom's code in carom."""
    if module is None or module.split(".")[0] == "carom":
        return module and "carom"
    return module.removeprefix(f"{PACKAGE}.")


def _text_with_values(node: ast.JoinedStr) -> str:
    """A string with values in it, however Python has cut its text into pieces."""
    pieces: list[Any] = node.values
    values = groupby(pieces, key=lambda value: isinstance(value, ast.Constant))
    parts = [
        repr("".join(each.value for each in group)) if is_text else meaning(list(group))
        for is_text, group in values
    ]
    return f"JoinedStr({','.join(part for part in parts if part != repr(''))})"


def _without_asides(name: str, value: Any) -> Any:
    """A body without its docstring, keywords without the expected duration."""
    if name == "body" and isinstance(value, list) and value and _is_text(value[0]):
        return value[1:]
    if name == "keywords":
        return [keyword for keyword in value if keyword.arg != "minutes"]
    return value


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
