"""Compiled code on disk between processes: where it is kept, for how long, and never in the way.

A file holds one function compiled for one signature. It is named by all that the code depends on
but the sources, and lies in a folder named by a hash of these: an edit of any law begins a new
version. Files are written beside their names and then take them, none depends on another, and what
cannot be read is compiled again. So any number of processes can read, write and remove them.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import re
import sys
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite
import numba
import numpy as np
from numba.core import compiler, serialize
from numba.core.codegen import RuntimeLinker

from carom.compiled.fingerprints import fingerprint
from carom.compiled.pipelines import IS_USED
from carom.errors import CaromWarning

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same
    fcntl = None  # type: ignore[assignment]

LARGEST = 256_000_000  # bytes, of all versions together
LONGEST_WAIT = 120.0  # seconds, for another process that compiles the same
DAYS_UNUSED = 14  # after which a file is removed
_SECONDS_PER_DAY = 86_400.0

# Layers above the methods; kernels cannot import them (import-linter checks the layers).
_NEVER_COMPILED = (
    "_version.py",
    "actors/",
    "checks.py",
    "cli/",
    "compiled/cache.py",
    "compiled/compile_times.py",
    "compiled/components.py",
    "compiled/fingerprints.py",
    "files.py",
    "interruption.py",
    "io/",
    "observers/",
    "plotting/",
    "progress.py",
    "read_only.py",
    "schedule.py",
    "simulation/",
    "sweeps/",
    "theory/",
    "undoable.py",
)


def _source_stamp() -> str:
    """A hash of all sources that compiled code can come from.

    Code of one file is compiled into functions of another; a law edited there would leave the old
    physics running. So the stamp names the folder.
    """
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(_NEVER_COMPILED):
            digest.update(name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


_STAMP = _source_stamp()
_VERSION_NAME = re.compile(r"[0-9a-f]{12}")


def cache_base() -> Path:
    """The folder of all versions: $CAROM_CACHE_DIR, else $XDG_CACHE_HOME/carom or ~/.cache/carom.

    Where there is no home there is none, which is an ``OSError``.
    """
    own, caches = (os.environ.get(name) for name in ("CAROM_CACHE_DIR", "XDG_CACHE_HOME"))
    try:
        if own:
            return Path(own).expanduser().absolute()
        return (Path(caches).absolute() if caches else Path.home() / ".cache") / "carom"
    except RuntimeError as error:
        raise OSError("no home folder is known for a cache of compiled code") from error


def cache_folder() -> Path:
    """Where code compiled from the present sources is kept."""
    return cache_base() / _STAMP


class KeptCode:
    """The compiled code of one function on disk, as a Numba dispatcher asks for it.

    Code with components of a user's own is kept by a fingerprint of these; where there is none, it
    is not kept. A disk that is full, a folder that cannot be written to or has gone, and damaged
    files cost a compilation, never the run.
    """

    def __init__(self, function: Callable[..., Any], kinds: tuple[type, ...] = ()) -> None:
        self.cache_path = None  # for Numba's statistics; the folder follows the environment
        self._name = f"{function.__module__}.{function.__name__}"
        self.kinds = kinds
        self._sought: Path | None = None

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """The file for a signature on this processor, by these compilers; None if there is none."""
        users = fingerprint(self.kinds) if self.kinds else ""
        if users is None:
            return None
        parts = (
            signature,
            codegen.magic_tuple(),
            sys.implementation.cache_tag,
            numba.__version__,
            llvmlite.__version__,
            IS_USED,
            np.__version__ if users else "",  # whose functions a law may call
            users,
        )
        digest = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]
        return cache_folder() / f"{self._name}-{digest}.code"

    def has(self, signature: Any, target_context: Any) -> bool:
        """Whether there is code for a signature."""
        try:
            path = self._path(signature, target_context.codegen())
            return path is not None and path.is_file()
        except OSError:
            return False

    @contextmanager
    def alone(self, signature: Any, target_context: Any) -> Iterator[None]:
        """Let no two processes compile the same at once: the second finds what the first did."""
        with suppress(OSError), ExitStack() as stack:
            path = self._path(signature, target_context.codegen())
            if path is not None and not path.is_file() and not _Keeping.has_failed:
                stack.enter_context(_locked(path.with_suffix(".lock")))
            stack = stack.pop_all()
        with stack:
            yield

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The code for a signature, or None."""
        target_context.refresh()
        self._sought = None
        try:
            self._sought = path = self._path(signature, target_context.codegen())
            if path is None:
                return None
            kept = zlib.decompress(path.read_bytes())
            kept_signature, code = _Unpickler(kept, self.kinds).load()
            if kept_signature != signature:  # types of one name in two modules
                return None
            result = compiler.CompileResult._rebuild(target_context, *code)
        except Exception:  # nothing there, damaged, or from somebody else: compile, and replace it
            return None
        with suppress(OSError):
            os.utime(path)  # it is in use
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, if that is possible."""
        if _Keeping.has_failed or not _stands_alone(result.library):
            return
        try:
            path = self._path(signature, result.codegen)
            if path is None or path != self._sought:  # something has changed in the meantime
                return
            kept = _pickled((signature, result._reduce()), self.kinds)
            # Compressed also for its checksum, which damage does not pass.
            write_at_once(path, zlib.compress(kept, level=1))
        except OSError as error:
            _Keeping.has_failed = True
            _warn(error)
            return
        if not _Keeping.has_pruned:
            _Keeping.has_pruned = True
            prune()


def _stands_alone(library: Any) -> bool:
    """Whether code has no addresses of this process in it, as that of recursive functions has."""
    variables = library._final_module.global_variables
    is_recursive = any(one.name.startswith(RuntimeLinker.PREFIX) for one in variables)
    return not (library.has_dynamic_globals or is_recursive)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait until nobody else holds a lock; that of a process that has ended is nobody's.

    Not for ever: a process may have been stopped, and to compile the same twice does no harm.
    """
    if fcntl is None:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        end = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < end:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                time.sleep(0.05)
        try:
            yield
        finally:
            _remove(path)


class _Pickler(serialize.NumbaPickler):  # type: ignore[misc]
    """Writes classes of a user's own as numbers: every process has its own of that name."""

    def __init__(self, file: Any, kinds: tuple[type, ...]) -> None:
        super().__init__(file, protocol=4)
        self._kinds = kinds

    def persistent_id(self, obj: Any) -> int | None:
        """The number of a class."""
        known = isinstance(obj, type) and obj in self._kinds
        return self._kinds.index(obj) if known else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, kinds: tuple[type, ...]) -> None:
        super().__init__(io.BytesIO(data))
        self._kinds = kinds

    def persistent_load(self, number: int) -> type:
        """The class of a number."""
        return self._kinds[number]


def _pickled(value: Any, kinds: tuple[type, ...]) -> bytes:
    file = io.BytesIO()
    _Pickler(file, kinds).dump(value)
    return file.getvalue()


class _Keeping:
    """What this process has learnt about its folder."""

    has_failed = False
    has_pruned = False


def _warn(error: OSError) -> None:
    place = ""
    with suppress(OSError):
        place = f" in {cache_base()}"
    warnings.warn(
        f"compiled code cannot be kept{place} ({error.strerror or error}). The run goes on, but "
        "every process compiles again. Make room there (`carom cache --clear` removes what carom "
        "keeps), or name another folder with CAROM_CACHE_DIR.",
        CaromWarning,
        stacklevel=2,
    )


def write_at_once(path: Path, data: bytes) -> None:
    """Write a file all at once: nobody ever sees a part of it."""
    for is_last_try in (False, True):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle, partial = tempfile.mkstemp(suffix=".part", dir=path.parent)
            break
        except FileNotFoundError:  # another process has just removed the empty folder
            if is_last_try:
                raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(partial, path)
    except BaseException:
        with suppress(OSError):
            Path(partial).unlink()
        raise


class KeptFile(NamedTuple):
    """A file of compiled code."""

    path: Path
    size: int
    used: float  # when it was last written or loaded


def versions() -> list[Path]:
    """The folders of all versions; of what else lies there nothing is known."""
    with suppress(OSError):
        inside = sorted(cache_base().iterdir())
        return [one for one in inside if _VERSION_NAME.fullmatch(one.name) and one.is_dir()]
    return []


def kept_files() -> list[KeptFile]:
    """All files of all versions, those first that have not been used for longest."""
    return sorted(_files(), key=lambda file: file.used)


def _files() -> Iterator[KeptFile]:
    for version in versions():
        for folder, _, names in os.walk(version):
            for path in (Path(folder) / name for name in names):
                with suppress(OSError):  # another process has removed it
                    found = path.stat()
                    yield KeptFile(path, found.st_size, found.st_mtime)


def prune() -> None:
    """Remove what has not been used for long, and the oldest of what is too much."""
    files = kept_files()
    total = sum(file.size for file in files)
    oldest = time.time() - DAYS_UNUSED * _SECONDS_PER_DAY
    for file in files[:-1]:  # never the one that has just been written
        if file.used >= oldest and total <= LARGEST:
            break
        _remove(file.path)
        total -= file.size
    _remove_empty_versions()


def clear() -> None:
    """Remove all compiled code of all versions; runs under way are not disturbed."""
    for file in _files():
        _remove(file.path)
    _remove_empty_versions()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _remove_empty_versions() -> None:
    for version in versions():
        for folder, _, _ in os.walk(version, topdown=False):
            with suppress(OSError):  # not empty
                Path(folder).rmdir()
