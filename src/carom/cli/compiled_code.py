"""``carom cache``: the compiled code that is kept between runs."""

from __future__ import annotations

from carom.cli.summary import say
from carom.compiled import cache

MEGABYTE = 1e6


def show_cache() -> None:
    """Print where compiled code is kept, and how much of it."""
    files, versions = cache.kept_files(), cache.versions()
    present = [file for file in files if cache.cache_folder() in file.path.parents]
    say(f"folder    {cache.cache_base()}")
    say(f"size      {_megabytes(files)} of at most {cache.LARGEST / MEGABYTE:.0f} MB")
    say(f"versions  {len(versions)} of carom's sources, the present one with {_megabytes(present)}")


def clear_cache() -> None:
    """Remove all compiled code, and say how much that was."""
    before = cache.kept_files()
    cache.clear()
    say(f"Removed {_megabytes(before)} of compiled code from {cache.cache_base()}.")
    left = cache.kept_files()
    if left:
        raise OSError(f"{left[0].path} and {len(left) - 1} more files could not be removed.")


def _megabytes(files: list[cache.KeptFile]) -> str:
    return f"{sum(file.size for file in files) / MEGABYTE:.1f} MB"
