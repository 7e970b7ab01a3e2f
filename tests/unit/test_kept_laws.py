"""Code with a law of one's own is kept on disk, and never outlives what the law depends on."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import carom
from carom.collisions import restitution
from carom.compiled import cache
from carom.compiled.entry_points import EntryPoint
from carom.compiled.fingerprints import fingerprint

SETTINGS = "FACTOR = 0.5\n"
SCRIPT = """
from typing import NamedTuple

import numba
import numpy as np

import carom
import settings
from carom.collisions import restitution

TABLE = np.array([1.0, 0.5])
SHIFT = 0.0


@numba.njit
def halved(x):
    return x / 2.0


@carom.kernel
def doubled(x):
    return halved(4.0 * x)


def made_with(factor):
    @carom.kernel
    def closed(x, power=1.0):
        return factor * x**power
    return closed


scaled = made_with(1.0)


class Own(NamedTuple):
    coefficient: float


@restitution.register(Own)
@carom.kernel
def _(contact, law):
    value = scaled(doubled(law.coefficient)) * settings.FACTOR * TABLE[0] + SHIFT
    return value * 1.0


system = carom.System(
    carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]]), law=Own(0.5)
)
simulation = carom.Simulation(system, method=carom.EventDriven("simple"))
simulation._engine.prepare()
found = simulation.is_compiled
simulation.run(until=5.0)
velocity = simulation.particles.velocity[:, 0]
print(found, (velocity[1] - velocity[0]) / 2.0)
"""
# What is changed, by what, and the restitution that follows.
CHANGES = {
    "nothing": ("", "", "", 0.5, True),
    "the law": ("value * 1.0", "value * 0.5", "", 0.25, False),
    "a closure": ("made_with(1.0)", "made_with(0.25)", "", 0.125, False),
    "a default": ("power=1.0", "power=2.0", "", 0.5, False),
    "a number outside": ("SHIFT = 0.0", "SHIFT = 0.25", "", 0.75, False),
    "an array outside": ("[1.0, 0.5]", "[0.5, 0.5]", "", 0.25, False),
    "a kernel that it calls": ("4.0 * x", "2.0 * x", "", 0.25, False),
    "a function of Numba's that this calls": ("x / 2.0", "x / 4.0", "", 0.25, False),
    "a module": ("", "", "FACTOR = 0.25\n", 0.25, False),
    "a comment": ("TABLE =", "# A table.\nTABLE =", "", 0.5, True),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: Any, run_script: Any) -> Callable[..., tuple[bool, float]]:
    """Runs the script with a change; whether its code was found, and the restitution."""
    folder = tmp_path_factory.mktemp("laws")
    script = folder / "own_law.py"
    kept = {"CAROM_CACHE_DIR": str(folder / "cache")}

    def run(old: str = "", new: str = "", settings: str = "", **more: str) -> tuple[bool, float]:
        (folder / "settings.py").write_text(settings or SETTINGS)
        assert old in SCRIPT
        script.write_text(SCRIPT.replace(old, new) if old else SCRIPT)
        finished = run_script(script, PYTHONDONTWRITEBYTECODE="1", **kept, **more)
        assert finished.returncode == 0, finished.stderr
        was_found, coefficient = finished.stdout.split()
        return was_found == "True", float(coefficient)

    assert run() == (False, 0.5)
    return run


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_law_depends_on_is_noticed(change: str, seen: Any) -> None:
    old, new, settings, coefficient, is_found = CHANGES[change]
    assert seen(old, new, settings) == (is_found, pytest.approx(coefficient))


def test_another_processor_compiles_its_own(seen: Any) -> None:
    here = os.environ.get("NUMBA_CPU_NAME")
    another = {"NUMBA_CPU_NAME": "core2" if here == "generic" else "generic"}
    assert seen(NUMBA_CPU_FEATURES="", **another) == (False, 0.5)
    assert seen() == (True, 0.5)


# What a fingerprint covers, without compiling anything.


def law_that(answer: Callable[..., Any]) -> type:
    """A law of its own class with an answer, as it stands."""

    class Own(NamedTuple):
        coefficient: float

    restitution.register(Own)(answer)
    return Own


def marked(answer: Callable[..., Any]) -> str | None:
    return fingerprint([law_that(answer)])


def answering(value: Any) -> Callable[..., Any]:
    """A law that reads something from outside."""

    @carom.kernel
    def _(contact: Any, law: Any) -> Any:
        return value

    return _


class Pair(NamedTuple):
    first: float
    second: Any


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0.0, -0.0),
        (1, 1.0),
        (1, True),
        ("a", b"a"),
        (0.1, math.nextafter(0.1, 1.0)),
        ((1.0, 2.0), (1.0, (2.0,))),
        (Pair(1.0, 2), Pair(1.0, 3)),
        (Pair(1.0, 2), (1.0, 2)),
        (np.float32(1.0), np.float64(1.0)),
        (np.zeros(4), np.zeros((2, 2))),
        (np.zeros(4), np.array([0.0, 0.0, 0.0, -0.0])),
        (np.array([1, 2]), np.array([1, 2], dtype=np.uint64)),
        (math.sin, math.cos),
        (np.sin, np.cos),
        (carom.functions.exp, carom.functions.log),
        (np.float32, np.float64),
        (None, 0),
    ],
)
def test_values_that_differ_in_anything_are_told_apart(one: Any, other: Any) -> None:
    first, second = marked(answering(one)), marked(answering(other))
    assert first is not None
    assert second is not None
    assert first != second
    assert first == marked(answering(one))


def overloaded_elsewhere(x: float) -> float:
    return x


@pytest.mark.parametrize(
    "value",
    [
        [1.0],
        {"a": 1.0},
        SimpleNamespace(a=1.0),
        object(),
        np,  # who knows what is read of it
        overloaded_elsewhere,  # what runs in its place is registered with Numba
        np.array([object()]),
        np.linalg.norm,
        SimpleNamespace,
    ],
)
def test_what_nobody_can_tell_is_not_kept(value: Any) -> None:
    assert marked(answering(value)) is None
    assert marked(answering((1.0, (value,)))) is None


def test_functions_that_call_each_other_come_to_an_end() -> None:
    namespace: dict[str, Any] = {"carom": carom}
    source = """
@carom.kernel
def even(n):
    return True if n == 0 else odd(n - 1)

@carom.kernel
def odd(n):
    return False if n == 0 else {last}
"""
    found = set()
    for last in ("even(n - 1)", "even(n - 3)"):
        exec(source.format(last=last), namespace)
        found.add(marked(answering(namespace["even"])))
    assert None not in found
    assert len(found) == 2


def test_options_of_the_compiler_are_told_apart() -> None:
    def cube(x: float) -> float:
        return x * x * x

    plain, fast = numba.njit(cube), numba.njit(fastmath=True)(cube)
    assert marked(answering(plain)) != marked(answering(fast))


@pytest.mark.parametrize("changes", [False, True])
def test_what_changes_while_it_is_compiled_is_not_kept(
    changes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAROM_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache._Keeping, "has_failed", False)
    marks = iter(["lock", "load", "save"] if changes else [])
    monkeypatch.setattr(cache, "fingerprint", lambda kinds: next(marks, "the same"))

    def double(x: float) -> float:
        return x + x

    assert EntryPoint(double)._chosen((Pair,))(2.0) == 4.0
    assert len(cache.kept_files()) == (0 if changes else 1)


RECURSIVE = """
from typing import NamedTuple

import carom
from carom.collisions import restitution


@carom.kernel
def factorial(n):
    if n <= 1:
        return 1.0
    return n * factorial(n - 1)


class Own(NamedTuple):
    coefficient: float


@restitution.register(Own)
@carom.kernel
def _(contact, law):
    return law.coefficient * factorial(3) / 6.0


system = carom.System(
    carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]]), law=Own(0.5)
)
simulation = carom.Simulation(system, method=carom.EventDriven("simple"))
simulation.run(until=5.0)
print(*simulation.particles.velocity[:, 0])
"""


def test_laws_that_call_themselves_run_in_every_process(tmp_path: Path, run_script: Any) -> None:
    """Their code holds addresses of the process that compiled it: another would crash."""
    script = tmp_path / "recursive.py"
    script.write_text(RECURSIVE)
    for _ in range(2):
        finished = run_script(script, CAROM_CACHE_DIR=str(tmp_path / "cache"))
        assert finished.returncode == 0, finished.stderr
        assert finished.stdout.split() == ["0.5", "1.5"]
