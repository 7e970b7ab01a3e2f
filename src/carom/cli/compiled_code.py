"""``carom cache``: the compiled code that is kept between runs."""

from __future__ import annotations

from carom import _cache
from carom.cli.summary import say

MEGABYTE = 1e6


def show_cache() -> None:
    """Print where compiled code is kept, and how much of it."""
    files, versions = _cache.kept_files(), _cache.versions()
    present = [file for file in files if _cache.cache_folder() in file.path.parents]
    say(f"folder    {_cache.cache_base()}")
    say(f"size      {_megabytes(files)} of at most {_cache.LARGEST / MEGABYTE:.0f} MB")
    say(f"versions  {len(versions)} of carom's sources, the present one with {_megabytes(present)}")


def clear_cache() -> None:
    """Remove all compiled code, and say how much that was."""
    before = _cache.kept_files()
    _cache.clear()
    say(f"Removed {_megabytes(before)} of compiled code from {_cache.cache_base()}.")
    left = _cache.kept_files()
    if left:
        raise OSError(f"{left[0].path} and {len(left) - 1} more files could not be removed.")


def _megabytes(files: list[_cache.KeptFile]) -> str:
    return f"{sum(file.size for file in files) / MEGABYTE:.1f} MB"
