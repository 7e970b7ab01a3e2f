"""The state of a random generator as whole numbers, for a checkpoint."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

WORD = 64


def new_generator(seed: int) -> np.random.Generator:
    """Random numbers from a seed; the kind is fixed, because checkpoints hold its state."""
    return np.random.Generator(np.random.PCG64(seed))


def words(generator: np.random.Generator) -> NDArray[np.uint64]:
    """The state in words of 64 bits, (6,)."""
    state: Any = generator.bit_generator.state
    low = (1 << WORD) - 1
    long = [state["state"]["state"], state["state"]["inc"]]
    numbers = [part for value in long for part in (value >> WORD, value & low)]
    return np.array([*numbers, state["has_uint32"], state["uinteger"]], dtype=np.uint64)


def set_words(generator: np.random.Generator, words: Any) -> None:
    """Give a generator the state that ``words`` gave."""
    first, second, third, fourth, has_half, half = (int(word) for word in words)
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": first << WORD | second, "inc": third << WORD | fourth},
        "has_uint32": has_half,
        "uinteger": half,
    }
