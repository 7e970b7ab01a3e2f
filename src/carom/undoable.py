"""Changes inside a file that a kill on the way cannot leave half done.

Whatever is overwritten is first kept in a journal beside the file. When the change is complete, the
journal goes. Where there still is one, the process was killed, and the file is as it was before
once the bytes in the journal are put back.
"""

from __future__ import annotations

import errno
import io
import os
import struct
from pathlib import Path
from typing import Any

SIZE = struct.Struct("<Q")
ENTRY = struct.Struct("<QQ")


def journal_of(path: Path) -> Path:
    """Where a change of a file is noted while it is under way."""
    return path.with_name(f".{path.name}.part")


class Change(io.FileIO):
    """A file opened to be changed; ``complete`` keeps the change, without it there was none.

    A full disk is said by ``complete`` alone: the HDF5 library, which writes through this, does not
    survive errors of Python's in the middle of its work.
    """

    def __init__(self, path: Path) -> None:
        undo(path)
        super().__init__(path, "r+")
        self._size = os.fstat(self.fileno()).st_size
        self._journal_path = journal_of(path)
        self._journal = self._journal_path.open("wb", buffering=0)
        self._journal.write(SIZE.pack(self._size))
        self._failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write at the present place, after a note of what is there."""
        place, length = self.tell(), memoryview(data).nbytes
        if self._failure is None:
            try:
                self._note(place, min(place + length, self._size))
                if super().write(data) < length:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self.name)
            except OSError as error:
                self._failure = error
        self.seek(place + length)
        return length

    def truncate(self, size: int | None = None) -> int:
        """Change the length; what is cut off is noted."""
        size = self.tell() if size is None else size
        if self._failure is None:
            try:
                self._note(size, self._size)
                super().truncate(size)
            except OSError as error:
                self._failure = error
        return size

    def _note(self, start: int, end: int) -> None:
        """Keep the bytes that were there before the change, if there were any."""
        old = os.pread(self.fileno(), max(0, end - start), start)
        entry = ENTRY.pack(start, len(old)) + old
        if old and self._journal.write(entry) < len(entry):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._journal_path))

    def complete(self) -> None:
        """Let the change stand, or raise what has gone wrong."""
        self._journal.close()
        if self._failure is not None:
            raise self._failure
        self._journal_path.unlink()


def undo(path: Path) -> None:
    """Put a file back to where it was before the change in which a process was killed."""
    journal = _read(journal_of(path))
    if journal is not None:
        size, entries = journal
        with path.open("r+b") as file:
            for place, old in reversed(entries):
                file.seek(place)
                file.write(old)
            file.truncate(size)
    journal_of(path).unlink(missing_ok=True)


class Before(io.FileIO):
    """A file as it was before the change in which a process was killed; it is only read."""

    def __init__(self, path: Path) -> None:
        journal = _read(journal_of(path))
        super().__init__(path, "r")
        self._size, self._entries = journal or (os.fstat(self.fileno()).st_size, [])

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer from the present place on."""
        place = self.tell()
        view = memoryview(buffer).cast("B")
        number = super().readinto(view) or 0
        for start, old in reversed(self._entries):
            first, last = max(start, place), min(start + len(old), place + number)
            if first < last:
                view[first - place : last - place] = old[first - start : last - start]
        return number

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place; the end is that of before."""
        if whence == os.SEEK_END:
            offset, whence = self._size + offset, os.SEEK_SET
        return super().seek(offset, whence)


def _read(journal: Path) -> tuple[int, list[tuple[int, bytes]]] | None:
    """The size of a file before its change, and the bytes that may have been overwritten."""
    try:
        content = journal.read_bytes()
    except FileNotFoundError:
        return None
    if len(content) < SIZE.size:
        return None  # killed before anything was changed
    entries, at = [], SIZE.size
    while at + ENTRY.size <= len(content):
        place, length = ENTRY.unpack_from(content, at)
        old = content[at + ENTRY.size : at + ENTRY.size + length]
        if len(old) < length:
            break  # not complete, so that nothing was written over it
        entries.append((place, old))
        at += ENTRY.size + length
    return SIZE.unpack_from(content)[0], entries
