"""Every public name has one home, and is described there and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from types import ModuleType
from typing import Any

import pytest
from public_names import documented_names, public_names

import carom

# What a simulation hands out is described beside it; nobody types these names.
HANDED_OUT = (
    "carom.methods.Counts",
    "carom.simulation.FluidFrame",
    "carom.simulation.FluidObservables",
)


def thing_called(name: str) -> Any:
    thing: Any = carom
    for part in name.split(".")[1:]:
        thing = getattr(thing, part)
    return thing


def test_every_public_name_is_documented_exactly_once() -> None:
    assert Counter(documented_names()) == Counter([*public_names(), *HANDED_OUT])


def test_nothing_public_has_two_homes() -> None:
    homes: dict[int, str] = {}
    for name in public_names():
        thing = thing_called(name)
        if callable(thing):
            assert homes.setdefault(id(thing), name) == name


def test_the_top_level_shows_nothing_internal() -> None:
    modules = {name for name in dir(carom) if isinstance(getattr(carom, name), ModuleType)}
    assert modules == {
        "collisions",
        "drags",
        "fluids",
        "forces",
        "functions",
        "packings",
        "regions",
        "sizes",
        "plotting",
        "statistics",
        "sweeps",
        "theory",
        "walls",
    }
    assert set(carom.__all__) <= set(dir(carom))


def test_plotting_comes_with_its_first_use() -> None:
    lines = [
        "import sys, carom",
        "assert not {'matplotlib', 'carom.plotting'} & set(sys.modules)",
        "assert callable(carom.plotting.picture)",
        "assert 'matplotlib' in sys.modules",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_a_name_that_does_not_exist_is_missed_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'carom' has no attribute 'Stokes'"):
        carom.Stokes  # noqa: B018
