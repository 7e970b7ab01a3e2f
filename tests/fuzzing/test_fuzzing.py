"""Attacks with input that nobody expects: an answer in words or a valid run.

They run uncompiled, in processes of their own: a crash or a hang is seen as such. ``make test``
tries the same examples always; ``make test-slow`` goes on for half an hour each, or for as many
seconds as ``CAROM_FUZZ_SECONDS`` says.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import judging
import pytest

import carom

SECONDS = float(os.environ.get("CAROM_FUZZ_SECONDS", "1800"))
PATIENCE = 600.0  # seconds beyond those asked for, after which an attack hangs
ROUNDS = {"constructors": 3, "scenes": 1}


def carry_out(attack: str, rounds: int, seconds: float) -> None:
    """Run an attack, and fail with what it finds."""
    folder = Path(__file__).parent
    sources = str(Path(carom.__file__).parents[1])
    result = subprocess.run(
        [sys.executable, str(folder / f"attack_{attack}.py"), str(rounds), str(seconds)],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": sources},
        capture_output=True,
        text=True,
        timeout=seconds + PATIENCE,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.posix
@pytest.mark.parametrize("attack", ROUNDS)
def test_unexpected_input_is_answered_in_words(attack: str) -> None:
    carry_out(attack, ROUNDS[attack], 0.0)


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize("attack", ROUNDS)
def test_unexpected_input_is_answered_in_words_for_long(attack: str) -> None:
    carry_out(attack, ROUNDS[attack], SECONDS)


@pytest.mark.posix
class TestJudging:
    """What finds nothing must be able to find something."""

    def found(self, attack: object) -> int:
        findings = judging.Findings()
        findings.try_out("this", attack)
        return findings.report()

    def test_an_answer_in_words_is_none(self) -> None:
        assert self.found(lambda: carom.Periodic(-1.0)) == 0
        assert self.found(lambda: carom.Periodic(1.0)) == 0

    def test_a_traceback_from_inside_is_found(self) -> None:
        assert self.found(lambda: carom.Periodic.sides(None, 2)) == 1  # type: ignore[arg-type]
        assert self.found(lambda: 1 / 0) == 1
        assert self.found(lambda: carom.Particles.momentum.fget("x")) == 1
