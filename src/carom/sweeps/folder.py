"""The folder of a sweep: what was asked for, rows as they come in, and checkpoints.

    sweep.json         what was asked for the last time: points, replicas, names of the runs
    table.nc           the table for other programs, renewed now and then and at the end
    rows/*.jsonl       a line for each run that is over; every call of ``sweep`` has its own file
    runs/NAME/         the checkpoints of a run under way, and what its observers write
    lock               held while somebody sweeps

A row is one line that is written at once. A kill or a full disk leaves at most a last line that is
not complete, which nobody reads.
"""

from __future__ import annotations

import errno
import io
import json
import os
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from carom.errors import SweepError
from carom.files import replacing
from carom.sweeps.table_file import TableFile
from carom.types import Plain

try:
    import fcntl
except ImportError:  # Windows: nobody keeps two sweeps apart
    fcntl = None  # type: ignore[assignment]

FORMAT = "carom sweep"
FORMAT_VERSION = 1


class SweepFolder:
    """The files of a sweep. All rows that are here are known by the names of their runs."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self.request = self.path / "sweep.json"
        self.table = TableFile(self.path)
        self.rows: dict[str, Plain] = {}
        self.others: dict[str, Plain] = {}  # by place: the settings of rows of other sweeps
        self.damaged = 0  # lines that cannot be read
        self._file: io.FileIO | None = None
        self._setting: Plain = {}

    def read(self) -> None:
        """Read all rows."""
        self._check_format()
        files = sorted((self.path / "rows").glob("*.jsonl"), key=lambda path: path.name)
        for file in files:
            self._read_rows(file)

    def _check_format(self) -> None:
        if not self.request.is_file():
            return
        asked = self.asked()
        if asked.get("format") != FORMAT or asked.get("format_version") != FORMAT_VERSION:
            raise SweepError(
                f"{self.request} is not of this carom: it has version "
                f"{asked.get('format_version')} of the format, and this carom reads "
                f"{FORMAT_VERSION}. Choose another folder."
            )

    def asked(self) -> Plain:
        """What was asked for the last time."""
        try:
            asked = json.loads(self.request.read_text(encoding="utf-8"))
        except FileNotFoundError:
            there = "is not the folder of a sweep" if self.path.is_dir() else "does not exist"
            raise FileNotFoundError(
                f"{self.path} {there}: it has no {self.request.name}. carom.sweep(folder=...) "
                "and carom sweep make one."
            ) from None
        except (ValueError, OSError) as error:
            raise SweepError(f"{self.request} cannot be read: {error}.") from error
        if not isinstance(asked, dict):
            raise SweepError(f"{self.request} was not written by carom.")
        return asked

    def _read_rows(self, file: Path) -> None:
        setting: Plain = {}
        for line in file.read_bytes().split(b"\n"):
            if not line:
                continue
            try:
                row = json.loads(line)
                if "setting" in row:
                    setting = row["setting"]
                    continue
                self.rows[row["run"]] = row
                self.others[row["place"]] = setting
            except (ValueError, KeyError, TypeError):
                self.damaged += 1  # the last line of a process that was killed, or of a full disk

    def begin(self, request: Plain, setting: Plain) -> None:
        """Note what is asked for, and what is known of all rows to come."""
        self._setting = setting
        try:
            self._note(request)
        except OSError as error:
            raise self._cannot_write(error) from error

    def remember(self, request: Plain) -> bool:
        """Note what is asked for, where that is possible: all rows are there already.

        Whether it is another thing than before, so that the table is another one, too.
        """
        with suppress(OSError):
            return self._note(request) or not self.table.path.exists()
        return False

    def _note(self, request: Plain) -> bool:
        request = {"format": FORMAT, "format_version": FORMAT_VERSION} | request
        if self.request.exists() and self.asked() == json.loads(json.dumps(request)):
            return False
        with replacing(self.request) as file:
            file.write(json.dumps(request).encode())
        return True

    def _refuse_strangers(self) -> None:
        """Refuse a folder of something else, such as that of a run."""
        if self.path.exists() and not self.path.is_dir():
            raise SweepError(f"{self.path} is a file; a sweep needs a folder of its own.")
        if self.path.is_dir() and not self.request.exists():
            inside = sorted(p.name for p in self.path.iterdir() if p.name not in ("lock", "rows"))
            if inside:
                raise SweepError(
                    f"{self.path} holds other things, such as {inside[0]}; a sweep needs a folder "
                    "of its own. Name one that is new or empty."
                )

    def _cannot_write(self, error: OSError) -> OSError:
        kept = f"{len(self.rows)} rows are kept there" if self.rows else "nothing was lost"
        remedy = "Make room" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "Put that right"
        return OSError(
            error.errno,
            f"the sweep cannot write to {self.path} ({error.strerror or error}); {kept}. {remedy} "
            "and call it again: it goes on with what is missing",
        )

    def add(self, row: Plain) -> None:
        """Keep the row of a run, on the disk or not at all, and let its checkpoints go."""
        try:
            if self._file is None:
                self._open()
            self._append(row)
        except OSError as error:
            raise self._cannot_write(error) from error
        self.rows[row["run"]] = row
        self.remove_checkpoints(row["run"])

    def _open(self) -> None:
        (self.path / "rows").mkdir(parents=True, exist_ok=True)
        number = len(list((self.path / "rows").glob("*.jsonl")))
        # In the order in which they are read, and never a name that somebody else has chosen.
        name = f"{number:06d}-{uuid.uuid4().hex[:8]}.jsonl"
        self._file = io.FileIO(self.path / "rows" / name, "w")
        self._append({"setting": self._setting})

    def _append(self, row: Plain) -> None:
        assert self._file is not None
        line = json.dumps(row).encode() + b"\n"
        before = self._file.tell()
        if self._file.write(line) < len(line):  # the disk is full; what is shorter may still fit
            self._file.truncate(before)
            self._file.seek(before)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._file.name)

    def flush(self) -> None:
        """Put the rows on the disk, so that they outlive the machine, too."""
        if self._file is not None:
            with suppress(OSError):
                os.fsync(self._file.fileno())

    def close(self) -> None:
        """Put the rows on the disk, and be done."""
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None

    def folder_of(self, run: str) -> Path:
        """The folder of a run."""
        return self.path / "runs" / run

    def remove_checkpoints(self, run: str) -> None:
        """Remove what a run that is over would have gone on from."""
        folder = self.folder_of(run)
        with suppress(OSError):
            for path in checkpoints_in(folder):
                path.unlink(missing_ok=True)
            folder.rmdir()  # unless observers have written there

    def under_way(self) -> list[str]:
        """The names of runs that have a checkpoint."""
        with suppress(OSError):
            return [path.name for path in (self.path / "runs").iterdir() if checkpoints_in(path)]
        return []

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else sweep in this folder; that of a process that has ended is nobody's."""
        if fcntl is None:
            yield
            return
        self._refuse_strangers()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / "lock").open("a+")
        except OSError as error:
            raise self._cannot_write(error) from error
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise SweepError(
                    f"somebody else ({file.read().strip() or 'another process'}) sweeps in "
                    f"{self.path} at the moment; wait, or choose another folder."
                ) from None
            except OSError:  # a file system without locks
                pass
            with suppress(OSError):
                file.truncate(0)
                file.write(f"process {os.getpid()} on {socket.gethostname()}")
                file.flush()
            yield

    def at_work(self) -> str:
        """Who sweeps here at the moment, or nothing."""
        with suppress(OSError), (self.path / "lock").open("r") as file:
            if fcntl is None:
                return ""
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read().strip()
        return ""


def checkpoints_in(folder: Path) -> list[Path]:
    """The checkpoints of a run, the latest first; each attempt writes one of its own."""
    found = list(folder.glob("state-*.carom"))
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
