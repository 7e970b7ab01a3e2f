"""What an entry leaves: ``NAME.json`` and ``NAME.png``."""

from __future__ import annotations

import json
import math
import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from carom._version import __version__
from carom_studies.drawing import save_picture
from carom_studies.entry import Entry, Findings, Size
from carom_studies.fingerprint import fingerprint

# Significant digits of all that is written. Fits and logarithms depend on the processor in their
# last bits; so rounded, what measures no time is the same everywhere.
DIGITS = 10
LIBRARIES = ("numpy", "numba", "scipy", "matplotlib")


def report(entry: Entry, size: Size, findings: Findings, seconds: float) -> dict[str, Any]:
    """All that is known of a run of an entry, as JSON has it."""
    numbers = findings.numbers
    written = {
        "name": entry.name,
        "title": entry.title,
        "source": entry.source.full,
        "figure": entry.figure,
        "compares": entry.compares,
        "measures_time": entry.takes_time,
        "fingerprint": fingerprint(entry),
        "size": size.value,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "seconds": round(seconds, 1),
        "seed": findings.seed,
        "parameters": dict(findings.parameters),
        "chosen": [choice.__dict__ for choice in findings.choices],
        "versions": versions(),
        "paper": {number.quantity: number.published for number in numbers},
        "measured": {
            number.quantity: {
                "value": number.measured,
                "uncertainty": number.uncertainty,  # null if it is unknown
                "within": number.within,
                "judgement": number.judgement,
                "by_choice": number.by_choice,
                "at_most": number.at_most,
                "reason": number.if_not if number.judgement == "differs" else "",
            }
            for number in numbers
        },
        "statements": [
            {"text": s.text, "holds": s.holds, "reason": s.if_not if s.holds is False else ""}
            for s in findings.statements
        ],
        "criteria": [number.criterion for number in numbers],
        "verdict": findings.verdict,
        "why": findings.why,
        "data": dict(findings.data),
    }
    return {name: _plain(value) for name, value in written.items()}


def versions() -> dict[str, str]:
    """What it was measured with."""
    return {
        "carom": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def write_report(folder: Path, entry: Entry, written: dict[str, Any]) -> None:
    """Put the picture and then the numbers into the folder, each at once and complete.

    The picture is drawn from what the JSON holds, so that it can be drawn again from there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{entry.name}.partial"
    save_picture(entry.draw(written["data"]), partial)
    os.replace(partial, picture_path(folder, entry.name))
    partial.write_text(_text(written), encoding="utf-8")
    os.replace(partial, report_path(folder, entry.name))


def _text(written: dict[str, Any]) -> str:
    """As JSON to be read by people, but for the data, of which there is much."""
    about = {key: value for key, value in written.items() if key != "data"}
    options: dict[str, Any] = {"ensure_ascii": False, "allow_nan": False}
    head = json.dumps(about, indent=1, **options).removesuffix("\n}")
    return f'{head},\n "data": {json.dumps(written["data"], **options)}\n}}\n'


def read_report(folder: Path, name: str) -> dict[str, Any] | None:
    """The report of an entry in a folder, if there is one; earlier versions of carom said less."""
    path = report_path(folder, name)
    written = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return written if "fingerprint" in written else None


def report_path(folder: Path, name: str) -> Path:
    """Where an entry's numbers are."""
    return folder / f"{name}.json"


def picture_path(folder: Path, name: str) -> Path:
    """Where an entry's picture is."""
    return folder / f"{name}.png"


def _plain(value: Any) -> Any:
    """The same in types that JSON has, rounded; numbers that are not finite become null."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value
