"""Shared by all tests: scripts in processes of their own, and a law that a user wrote."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import carom

# What a shell starts in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

RunScript = Callable[..., subprocess.CompletedProcess[str]]
PATIENCE = 1800.0  # seconds after which a script hangs, however slow the machine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs in processes of its own."""
    for item in items:
        if "run_script" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.apart)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what only makes sense where signals, pipes and limits are those of POSIX."""
    if os.name != "posix" and item.get_closest_marker("posix"):
        pytest.skip("signals, pipes and limits are others here")


@pytest.fixture(scope="session")
def run_script() -> RunScript:
    """Runs a file with arguments in a fresh process that imports the same carom."""

    def run(path: Path, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
        sources = str(Path(carom.__file__).parents[1])
        paths = [sources, *filter(None, [os.environ.get("PYTHONPATH")])]
        return subprocess.run(
            [sys.executable, str(path), *map(str, arguments)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | variables,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    return run


class HardWhenSlow(NamedTuple):
    """A law of a user's own, as the documentation shows: elastic below a threshold."""

    coefficient: float
    threshold: float


@carom.collisions.restitution.register(HardWhenSlow)
@carom.kernel
def _(contact: Any, law: HardWhenSlow) -> float:
    return law.coefficient if contact.approach_speed > law.threshold else 1.0


@pytest.fixture(scope="session")
def hard_when_slow() -> type[HardWhenSlow]:
    """One law for all tests: what a user's law runs in is compiled anew in every process."""
    return HardWhenSlow
