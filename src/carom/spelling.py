"""What a misspelt word may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def suggestion(word: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown word ends: the nearest known one, if any, and all of them."""
    words = sorted(known)
    near = get_close_matches(word, words, n=1, cutoff=0.5)
    question = f"; did you mean '{near[0]}'?" if near else "."
    return f"{question} Known here: {', '.join(words)}."
