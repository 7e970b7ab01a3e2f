"""What the page on trouble quotes from a terminal is what carom says there."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from pages import ROOT

PAGE = ROOT / "docs" / "howto" / "trouble.md"
SCENE = """
[particles]
packing = "lattice"
number = {number}
packing_fraction = 0.3

[run]
until = 1e9
"""
LONGEST = 120.0  # seconds until a run has begun, however busy the machine is


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def quoted(beginning: str) -> str:
    """The box of the page that begins like this, in one line."""
    boxes = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (found,) = (box for box in boxes if box.startswith(beginning))
    return in_one_line(found)


def begun(folder: Path, number: int, **options: Any) -> subprocess.Popen[str]:
    """``carom run`` of a scene with so many spheres, whose compiled code has no place."""
    (folder / "scene.toml").write_text(SCENE.format(number=number), encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "-m", "carom.cli", "run", "scene.toml"],
        cwd=folder,
        env=os.environ | {"CAROM_CACHE_DIR": "/dev/null", "COLUMNS": "400"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )


def ended(run: subprocess.Popen[str]) -> str:
    """All that a run has said, in one line."""
    try:
        return in_one_line(run.communicate(timeout=LONGEST)[0])
    finally:
        run.kill()


def wait_for(condition: Callable[[], bool]) -> None:
    end = monotonic() + LONGEST
    while not condition() and monotonic() < end:
        sleep(0.05)


def test_a_run_without_a_place_for_compiled_code_that_ctrl_c_ends(tmp_path: Path) -> None:
    run = begun(tmp_path, 100)
    wait_for((tmp_path / "out" / "state.carom").exists)
    run.send_signal(signal.SIGINT)
    said = ended(run)
    notice = r"Compiling EventDriven for this kind of system \(once; .*?\) \.\.\."
    assert re.fullmatch(notice, quoted("Compiling"))
    assert re.search(notice, said), said
    assert quoted("CaromWarning") in said
    stopped = r"Stopped at t = [\d.]+\. Go on with: carom run \S+ --out out --resume"
    assert re.fullmatch(stopped, quoted("Stopped"))
    assert re.search(stopped, said), said


def test_a_run_that_is_too_large_for_the_memory(tmp_path: Path) -> None:
    def few_gigabytes() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    run = begun(tmp_path, 900_000_000, preexec_fn=few_gigabytes)
    beginning, _ = quoted("There is not enough memory").split("1.68")
    assert beginning in ended(run)
    assert run.returncode == 1
