"""Changes inside a file that a kill on the way cannot leave half done.

Whatever is overwritten is first kept in a journal beside the file. When the change is complete, the
journal goes. Where there still is one, the process was killed, and the file is as it was before
once the bytes in the journal are put back.
"""

from __future__ import annotations

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
    """A file opened to be changed; ``complete`` keeps the change, without it there was none."""

    def __init__(self, path: Path) -> None:
        undo(path)
        super().__init__(path, "r+")
        self._size = os.fstat(self.fileno()).st_size
        self._journal_path = journal_of(path)
        self._journal = self._journal_path.open("wb", buffering=0)
        self._journal.write(SIZE.pack(self._size))

    def write(self, data: Any) -> int:
        """Write at the present place, after a note of what is there."""
        place, length = self.tell(), memoryview(data).nbytes
        old = os.pread(self.fileno(), max(0, min(length, self._size - place)), place)
        if old:
            self._journal.write(ENTRY.pack(place, len(old)) + old)
        return super().write(data)

    def truncate(self, size: int | None = None) -> int:
        """Change the length; what is cut off is noted."""
        size = self.tell() if size is None else size
        if size < self._size:
            old = os.pread(self.fileno(), self._size - size, size)
            self._journal.write(ENTRY.pack(size, len(old)) + old)
        return super().truncate(size)

    def complete(self) -> None:
        """Let the change stand."""
        self._journal.close()
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
