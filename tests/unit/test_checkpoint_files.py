"""Checkpoint files that are damaged, foreign, too new, or were never finished."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import carom
from carom.io.checkpoint import VERSION, read_checkpoint, write_checkpoint
from carom.io.description import described_system, system_from


def saved(folder: Path) -> Path:
    particles, box = carom.packings.random(40, 0.3, dimension=2, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(1.0))
    simulation = carom.Simulation(system)
    simulation.run(collisions=10)
    simulation.save(folder / "state.carom")
    return folder / "state.carom"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path: Path, share: float) -> None:
    path = saved(tmp_path)
    os.truncate(path, int(share * path.stat().st_size))
    with pytest.raises(carom.CheckpointError, match=r"state\.carom is .*damaged or cut short"):
        carom.load(path)


@cache
def content() -> bytes:
    """A whole checkpoint."""
    with TemporaryDirectory() as folder:
        return saved(Path(folder)).read_bytes()


def assert_refused(path: Path, changed: bytes) -> None:
    path.write_bytes(changed)
    with pytest.raises(carom.CheckpointError, match=r"damaged or cut short|has version"):
        read_checkpoint(path)


SHARE = st.floats(0.0, 1.0, exclude_max=True)
in_one_folder = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)


@in_one_folder
@given(places=st.lists(SHARE, min_size=1, max_size=4, unique=True), value=st.integers(1, 255))
def test_flipped_bytes_are_refused(tmp_path: Path, places: list[float], value: int) -> None:
    changed = bytearray(content())
    for place in {int(share * len(changed)) for share in places}:
        changed[place] ^= value
    assert_refused(tmp_path / "state.carom", bytes(changed))


def test_a_flip_of_any_byte_that_describes_the_archive_is_refused(tmp_path: Path) -> None:
    """The first and the last bytes hold the header and the table of contents of the zip file."""
    whole = content()
    ends = [*range(300), *range(len(whole) - 600, len(whole))]
    for place in ends:
        changed = bytearray(whole)
        changed[place] ^= 1 << (place % 8)
        assert_refused(tmp_path / "state.carom", bytes(changed))


@in_one_folder
@given(share=SHARE, added=st.binary(max_size=100))
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, share: float, added: bytes) -> None:
    kept = content()[: int(share * len(content()))]
    assert_refused(tmp_path / "state.carom", kept + added)


@in_one_folder
@given(other=st.binary(max_size=300), before=st.booleans())
def test_other_bytes_are_refused(tmp_path: Path, other: bytes, before: bool) -> None:
    assert_refused(tmp_path / "state.carom", other)
    if other:
        assert_refused(tmp_path / "state.carom", other + content() if before else content() + other)


@pytest.mark.slow
def test_a_flip_of_any_byte_is_refused(tmp_path: Path) -> None:
    for place in range(len(content())):
        changed = bytearray(content())
        changed[place] ^= 1 << (place % 8)
        assert_refused(tmp_path / "state.carom", bytes(changed))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(carom.CheckpointError, match="damaged"):
        carom.load(path)


def foreign_files(folder: Path) -> list[Path]:
    names = ("text", "array.npy", "arrays.npz", "header.npz", "list.npz")
    paths = [folder / name for name in names]
    paths[0].write_text("time,energy\n0,1\n")
    np.save(paths[1], np.arange(4))
    np.savez(paths[2], position=np.zeros((3, 2)))
    np.savez(paths[3], header=np.frombuffer(b'{"format": "other"}', dtype=np.uint8))
    np.savez(paths[4], header=np.frombuffer(b"[1, 2]", dtype=np.uint8))
    return paths


@pytest.mark.parametrize("k", range(5))
def test_a_foreign_file_is_refused(tmp_path: Path, k: int) -> None:
    path = foreign_files(tmp_path)[k]
    with pytest.raises(carom.CheckpointError, match=f"{path.name} is not a carom checkpoint"):
        carom.load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.carom"):
        carom.load(tmp_path / "nowhere.carom")


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with np.load(path) as archive:
        arrays = dict(archive)
    text = bytes(arrays["header"]).decode().replace(f'"version": {VERSION}', '"version": 99')
    arrays["header"] = np.frombuffer(text.encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(carom.CheckpointError, match=rf"version 99 .* reads version {VERSION}"):
        carom.load(path)


def test_an_older_version_is_refused_with_the_carom_to_go_on_with(tmp_path: Path) -> None:
    text = b'{"format": "carom checkpoint", "version": 4, "time": 1.0}'
    path = tmp_path / "old.carom"
    with path.open("wb") as file:  # as version 4 was written: without a checksum
        np.savez(file, header=np.frombuffer(text, dtype=np.uint8))
    with pytest.raises(carom.CheckpointError, match=r"version 4 .* Go on with the carom that"):
        carom.load(path)
    path = saved(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("carom.io.checkpoint.VERSION", VERSION + 1)
        with pytest.raises(carom.CheckpointError, match=f"Go on with carom {carom.__version__}"):
            carom.load(path)


def test_a_header_changed_by_hand_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with np.load(path) as archive:
        arrays = dict(archive)
    text = bytes(arrays["header"]).replace(b'"coefficient": 1.0', b'"coefficient": 0.9')
    arrays["header"] = np.frombuffer(text, dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(carom.CheckpointError, match="was changed after it was written"):
        carom.load(path)


@pytest.mark.posix
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(carom.CheckpointError, match="is a folder"):
        carom.load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(carom.CheckpointError, match="pipe is not a regular file"):
        carom.load(tmp_path / "pipe")


def test_a_file_without_permission_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    path = saved(tmp_path)

    def refuse(*args: Any, **options: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # whoever may do everything is refused, too
    with pytest.raises(carom.CheckpointError, match=r"state\.carom cannot be read: Permission"):
        carom.load(path)


def test_what_a_header_cannot_hold_is_said_and_leaves_the_old_file(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(carom.CheckpointError, match="a parameter that a checkpoint cannot hold"):
        write_checkpoint(path, {"actors": [object()]}, {})
    assert carom.load(path).counts.collisions == 10


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    simulation = carom.load(saved(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"nowhere/state\.carom could not be written"):
        simulation.save(tmp_path / "nowhere" / "state.carom")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder could not be written"):
        simulation.save(tmp_path / "folder")
    assert sorted(os.listdir(tmp_path)) == ["folder", "state.carom"]


KILLED_WHILE_SAVING = """
import os, signal, sys
import carom
simulation = carom.load(sys.argv[1])
simulation.run(duration=0.1)
os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)
simulation.save(sys.argv[1])
"""


@pytest.mark.posix
def test_a_kill_during_save_leaves_the_old_file(tmp_path: Path, run_script: Any) -> None:
    path = saved(tmp_path)
    before, script = path.read_bytes(), tmp_path / "killed.py"
    script.write_text(KILLED_WHILE_SAVING)
    finished = run_script(script, path)
    assert finished.returncode == -9, finished.stderr
    assert path.read_bytes() == before
    assert carom.load(path).counts.collisions == 10


def test_an_error_during_save_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: Any) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()

    def disk_is_full(file: Any, **arrays: Any) -> None:
        file.write(b"PK")
        raise OSError("no space left on device")

    simulation = carom.load(path)
    simulation.run(collisions=1)
    monkeypatch.setattr(np, "savez", disk_is_full)
    with pytest.raises(OSError, match="no space left"):
        simulation.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["state.carom"]


class Wind(NamedTuple):
    """A force of a user's own."""

    strength: float


@carom.forces.force.register(Wind)
@carom.kernel
def _(body: Any, law: Wind) -> Any:
    return (law.strength, 0.0, 0.0)


def test_a_force_of_ones_own_is_handed_over_again() -> None:
    system = carom.System(carom.Particles([[0.0, 0.0]], [[1.0, 0.0]]), force=Wind(0.5))
    description = described_system(system)
    arrays = {
        "system.position": system.particles.position,
        "system.velocity": system.particles.velocity,
        "system.radius": system.particles.radius,
        "system.mass": system.particles.mass,
    }
    with pytest.raises(carom.CheckpointError, match=r"hand it over again.*force=Wind"):
        system_from(description, arrays, None, None)
    assert system_from(description, arrays, None, Wind(0.5)).force == Wind(0.5)
    plain = described_system(carom.System(system.particles))
    with pytest.raises(carom.CheckpointError, match="without a force"):
        system_from(plain, arrays, None, Wind(0.5))
