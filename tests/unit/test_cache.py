"""The disk cache of compiled code: it spares compilations, and never stands in the way."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import carom
from carom.cli.app import app
from carom.compiled import cache
from carom.compiled.entry_points import EntryPoint

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def double(x: Any) -> Any:
    return x + x


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of the test's own, in a process that has not used one yet."""
    base = tmp_path / "cache"
    monkeypatch.setenv("CAROM_CACHE_DIR", str(base))
    for flag in ("has_failed", "has_pruned"):
        monkeypatch.setattr(cache._Keeping, flag, False)
    return base


def found_on_disk(argument: Any = 2.0) -> bool:
    """What a new process finds: whether the function comes from the disk; it works anyway."""
    entry = EntryPoint(double)
    assert np.all(entry(argument) == argument + argument)
    return sum(entry._compiled[()]._cache_hits.values()) == 1


def only_file() -> Path:
    (file,) = cache.kept_files()
    return file.path


def test_what_one_process_compiles_the_next_one_finds(folder: Path) -> None:
    assert not EntryPoint(double).is_compiled_for(2.0)
    assert not found_on_disk()
    assert found_on_disk()
    assert EntryPoint(double).is_compiled_for(2.0)
    assert not found_on_disk(np.ones(3))
    assert found_on_disk(np.ones(3))
    assert found_on_disk()
    assert [version.name for version in folder.iterdir()] == [cache.cache_folder().name]


@pytest.mark.parametrize("kept", [b"", b"garbage", "half", "one byte"])
def test_damaged_files_are_compiled_again(kept: Any) -> None:
    found_on_disk()
    whole = only_file().read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    damaged = {"half": whole[:middle], "one byte": flipped}.get(kept, kept)
    only_file().write_bytes(damaged)
    assert not _was_found_although_expected()
    assert found_on_disk()


def _was_found_although_expected() -> bool:
    entry = EntryPoint(double)
    assert entry(2.0) == 4.0
    return sum(entry._compiled[()].stats.cache_hits.values()) == 1


def test_code_for_another_signature_is_never_run() -> None:
    """Wherever it lies: compiled for numbers, it would read an array as one."""
    found_on_disk()
    for_number = only_file()
    found_on_disk(np.ones(3))
    (for_array,) = (file.path for file in cache.kept_files() if file.path != for_number)
    for_array.write_bytes(for_number.read_bytes())
    assert not found_on_disk(np.ones(3))
    assert found_on_disk(np.ones(3))


def test_a_folder_that_vanishes_in_a_run_is_made_again(folder: Path) -> None:
    found_on_disk()
    cache.clear()
    assert not cache.cache_folder().exists()
    assert not found_on_disk()
    assert found_on_disk()


def test_a_file_in_place_of_the_folder_is_said_once(folder: Path) -> None:
    folder.write_text("mine")
    with pytest.warns(carom.CaromWarning, match="cannot be kept in .*CAROM_CACHE_DIR") as caught:
        assert not found_on_disk()
        assert not found_on_disk()
    assert len(caught) == 1
    assert folder.read_text() == "mine"


SCRIPT = """
import resource, sys
import carom

if sys.argv[1] == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
particles, box = carom.packings.random(5, 0.1, dimension=2, seed=1)
particles, box = carom.packings.random(5, 0.1, dimension=3, seed=1)
print(len(particles), "placed")
"""


@pytest.mark.posix
@pytest.mark.parametrize("trouble", ["full", "no home"])
def test_a_run_goes_on_without_a_cache(
    tmp_path: Path, run_script: Any, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """With one warning, and without parts of files on a disk that is full."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    base = tmp_path / "folder"
    environment = {"CAROM_CACHE_DIR": str(base)}
    if trouble == "no home":  # nor a user whom the system knows
        environment = {"CAROM_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": ""}
        script.write_text("import pwd\npwd.getpwuid = {}.__getitem__\n" + SCRIPT)
        monkeypatch.delenv("HOME", raising=False)
        environment.pop("HOME")
    result = run_script(script, trouble, **environment)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "5 placed\n"
    assert result.stderr.count("CaromWarning") == 1, result.stderr
    assert not [path for path in base.rglob("*") if path.is_file()]


def age(path: Path, days: float) -> None:
    then = time.time() - days * 86_400.0
    os.utime(path, (then, then))


def version(folder: Path, name: str, days: float, size: int = 10) -> Path:
    """A version of other sources that was used so many days ago."""
    file = folder / name / "below" / "x.code"
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(size))
    age(file, days)
    return file


def test_what_is_not_used_for_long_is_removed(folder: Path) -> None:
    old = version(folder, "0123456789ab", 15)
    recent = version(folder, "ba9876543210", 13)
    foreign = version(folder, "somebody else's", 400)
    found_on_disk()
    assert not old.exists() and not (folder / "0123456789ab").exists()
    assert recent.exists() and foreign.exists()
    assert found_on_disk()


def test_what_is_used_stays(folder: Path) -> None:
    found_on_disk()
    age(only_file(), 15)
    assert found_on_disk()
    cache.prune()
    assert found_on_disk()


def test_the_oldest_are_removed_where_all_are_too_large(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGEST", 1_000_000)
    files = [version(folder, f"{days:012x}", days, 300_000) for days in range(5)]
    found_on_disk()
    assert [file.exists() for file in files] == [True, True, True, False, False]
    assert found_on_disk()


def test_one_file_that_is_too_large_by_itself_stays_while_it_is_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "LARGEST", 0)
    found_on_disk()
    assert found_on_disk()


def test_the_command_shows_and_clears(folder: Path) -> None:
    runner = CliRunner()
    version(folder, "0123456789ab", 1, 2_000_000)
    foreign = version(folder, "somebody else's", 1)
    found_on_disk()
    shown = runner.invoke(app, ["cache"])
    assert shown.exit_code == 0
    for part in (str(folder), "2.0 MB of at most 256 MB", "versions  2"):
        assert part in shown.output.replace("\n", "")
    cleared = runner.invoke(app, ["cache", "--clear"])
    assert cleared.exit_code == 0 and "Removed 2.0 MB" in cleared.output
    assert foreign.exists() and not cache.kept_files()
    empty = runner.invoke(app, ["cache"])
    assert "versions  0" in empty.output
