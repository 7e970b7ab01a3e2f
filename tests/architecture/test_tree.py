"""The tree in ARCHITECTURE.md is that on the disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Folders whose files the page leaves out: one file each for many things of a kind.
MANY_OF_A_KIND = {
    "src/carom/": ("cli/scenes/", "view/page/"),
    "studies/src/carom_studies/": ("benchmarks/", "entries/", "experiments/"),
}


def drawn(package: str) -> Iterator[str]:
    """Files of a tree as it is drawn, relative to the package, and folders of many files."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    tree = page.split(f"```\n{package}\n")[1].split("```")[0]
    folders: list[str] = []
    for line in tree.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        if depth <= 3:
            name, _, rest = line.strip().partition(" ")
            if not name.endswith("/"):
                yield f"{name}.py"
                continue
            if name in MANY_OF_A_KIND[package]:
                yield name
                continue
            folders[depth - 1 :] = [name]
            line = rest.partition(": ")[2]
        for word in re.findall(r"[a-z_0-9]+/?", line):
            path = "".join(folders) + word
            yield path if word.endswith("/") else f"{path}.py"


def on_disk(package: str) -> Iterator[str]:
    """The same of what is there."""
    yield from MANY_OF_A_KIND[package]
    for path in (ROOT / package).rglob("*.py"):
        name = path.relative_to(ROOT / package).as_posix()
        if not path.name.startswith("_") and not name.startswith(MANY_OF_A_KIND[package]):
            yield name


@pytest.mark.parametrize("package", MANY_OF_A_KIND)
def test_the_tree_is_that_on_the_disk(package: str) -> None:
    found, told = sorted(on_disk(package)), sorted(drawn(package))
    assert told == found
