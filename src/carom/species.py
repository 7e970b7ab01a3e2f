"""Species of particles: a small number for each, and a name for each number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from carom.spelling import suggestion

Numbers = NDArray[np.int16]

# The species of particles that are given none; files of trajectories call a first type so.
ONLY = "A"
# Stands for a wall where pairs are named; a kernel knows it by a number that is no species.
WALL, WALL_NUMBER = "wall", -1
MOST_SPECIES = int(np.iinfo(np.int16).max)


def numbered(species: Any, names: Sequence[str] | None, n: int) -> tuple[Numbers, tuple[str, ...]]:
    """The number of the species of each of n particles, and the names by number.

    ``species`` are names, one for each or one for all, or numbers of given ``names``. Names that
    are not given are numbered as they first appear.
    """
    known = None if names is None else _checked_names(names)
    if species is None:
        if known is not None and len(known) > 1:
            raise ValueError(
                f"species_names={known!r} are several, but species=... does not say which particle "
                "is of which."
            )
        return np.zeros(n, dtype=np.int16), known or (ONLY,)
    given = np.asarray(species, dtype=object if _is_ragged(species) else None)
    if given.ndim == 0:
        given = np.full(n, given.item(), dtype=given.dtype)
    if given.shape != (n,):
        raise ValueError(
            f"species must be one name or {n} of them, one for each particle, not "
            f"{_described(species, given)}."
        )
    if given.dtype.kind in "iu":
        return _from_numbers(given, known), known or ()
    return _from_names(given, known)


def _is_ragged(species: Any) -> bool:
    """Whether NumPy would turn what is not a text into one."""
    if isinstance(species, str | np.ndarray) or not isinstance(species, Sequence):
        return False
    return any(isinstance(one, str) for one in species)


def _described(species: Any, given: Any) -> str:
    return repr(species) if given.size < 5 else f"shape {given.shape}"


def _from_numbers(numbers: Any, names: tuple[str, ...] | None) -> Numbers:
    if names is None:
        raise ValueError(
            f"species are numbers, such as {numbers[0]}, without names; give the names themselves, "
            'species=["small", "large", ...], or species_names=("small", "large") with the numbers.'
        )
    bad = np.flatnonzero((numbers < 0) | (numbers >= len(names)))
    if len(bad):
        raise ValueError(
            f"species of particle {bad[0]} is {numbers[bad[0]]}, but the names are {names!r}, "
            f"numbered from 0 to {len(names) - 1}."
        )
    return numbers.astype(np.int16)


def _from_names(given: Any, names: tuple[str, ...] | None) -> tuple[Numbers, tuple[str, ...]]:
    texts = given.tolist()
    for i, name in enumerate(texts):
        if not isinstance(name, str):
            raise ValueError(f"species of particle {i} must be a name in quotes, not {name!r}.")
    first_seen = dict.fromkeys(texts)
    if names is None:
        names = _checked_names(tuple(first_seen))
    for name in first_seen:
        if name not in names:
            i = texts.index(name)
            raise ValueError(f"species of particle {i} is unknown, {name!r}{_hint(name, names)}")
    number = {name: k for k, name in enumerate(names)}
    return np.array([number[name] for name in texts], dtype=np.int16), names


def _checked_names(names: Any) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence) or len(names) == 0:
        raise ValueError(f'species_names must be names, such as ("small", "large"), not {names!r}.')
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable() or '"' in name:
            raise ValueError(
                f'a species has a name in letters that can be printed, without ", not {name!r}.'
            )
        if name == WALL:
            raise ValueError(
                f"a species cannot be called {WALL!r}: in tables by pair that is any wall. Use "
                "another name."
            )
    if len(set(names)) < len(names):
        raise ValueError(f"species_names={tuple(names)!r} has a name twice.")
    if len(names) > MOST_SPECIES:
        raise ValueError(
            f"{len(names)} species are more than the {MOST_SPECIES} that can be numbered."
        )
    return tuple(names)


def number_of(name: str, names: Sequence[str]) -> int:
    """The number of a species; one that there is not is refused."""
    if name not in names:
        raise ValueError(f"there is no species {name!r}{_hint(name, names)}")
    return names.index(name)


def _hint(name: Any, names: Sequence[str]) -> str:
    return suggestion(str(name), names)


Species = str | Sequence[str] | ArrayLike | None
