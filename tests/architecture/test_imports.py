"""Layers import downwards only; the contracts are in pyproject.toml."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports

ROOT = Path(__file__).parents[2]


def test_contracts_of_import_linter_are_kept(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for sources in ("src", "studies/src"):
        monkeypatch.syspath_prepend(os.fspath(ROOT / sources))
    status = lint_imports(config_filename=os.fspath(ROOT / "pyproject.toml"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out
