"""Normal random numbers that are the same on every processor.

NumPy draws them by layers of equal area under the bell curve (the ziggurat of G. Marsaglia and
W. W. Tsang, J. Stat. Softw. 5 (8), 2000): most of the numbers are one product each. But beyond the
outermost layer, for one number in 4,000, it asks the C library for logarithms, whose last bit
depends on the processor. Here the same is done with the same random words and the same layers, and
with functions of our own: the numbers are NumPy's, but for the last bit of those few.
"""

from __future__ import annotations

import functools
from importlib import resources
from typing import Any

import numpy as np

from carom.compiled.entry_points import entry_point
from carom.functions.calling import Beginning
from carom.functions.exponential import exp, log1p

OUTERMOST = 3.6541528853610087963519472518  # where the outermost layer ends
PER_OUTERMOST = 0.27366123732975827203338247596
UNIT = 2.0**-53  # of uniform numbers
SPARE = 16
BLOCK = 8192  # words that fit into a cache
_BEGINNING = Beginning(30_000)


def standard_normal(generator: np.random.Generator, shape: Any) -> Any:
    """Normal numbers of mean 0 and variance 1 in an array of this shape."""
    out = np.empty(shape)
    write_standard_normal(generator, out)
    return out


def write_standard_normal(generator: np.random.Generator, out: Any) -> None:
    """Fill an array, contiguous in memory, with normal numbers of mean 0 and variance 1."""
    numbers = out.reshape(-1)
    fill = _fill.__wrapped__ if _BEGINNING.has_room_for(len(numbers)) else _fill
    done = 0
    while done < len(numbers):
        before = generator.bit_generator.state
        missing = len(numbers) - done
        words = _words(generator, min(missing + missing // 32 + SPARE, BLOCK))
        done, used = fill(words, *_layers(), numbers, done)
        if used < len(words):
            # The generator goes on after the last word that was needed, as NumPy's does.
            generator.bit_generator.state = before
            _words(generator, used)


def _words(generator: np.random.Generator, number: int) -> Any:
    return generator.integers(2**64 - 1, size=number, dtype=np.uint64, endpoint=True)


@functools.cache
def _layers() -> tuple[Any, Any, Any]:
    """Of NumPy's 256 layers: what lies inside the next one for sure, widths, heights."""
    text = resources.files("carom.functions").joinpath("normal_layers.csv").read_text()
    rows = [row.split(",") for row in text.split()[1:]]
    below, width, height = zip(*rows, strict=True)
    return (
        np.array([int(value) for value in below]),
        np.array([float(value) for value in width]),
        np.array([float(value) for value in height]),
    )


@entry_point
def _fill(words: Any, below: Any, width: Any, height: Any, out: Any, done: int) -> Any:
    """Write numbers from out[done] on; how many are written, and how many words they took.

    It ends early when the words do not suffice.
    """
    used = 0
    word = 0
    while done < len(out) and word < len(words):
        bits = words[word]
        word += 1
        layer = np.int64(bits & np.uint64(0xFF))
        place = np.int64((bits >> np.uint64(9)) & np.uint64(0xFFFFFFFFFFFFF))
        x = place * width[layer]
        if bits & np.uint64(0x100):
            x = -x
        found = place < below[layer]
        if not found and layer > 0:
            if word == len(words):
                break
            share = np.float64(words[word] >> np.uint64(11)) * UNIT
            word += 1
            top = (height[layer - 1] - height[layer]) * share + height[layer]
            found = top < exp(-0.5 * x * x)
        elif not found:
            while not found and word + 1 < len(words):
                first = np.float64(words[word] >> np.uint64(11)) * UNIT
                second = np.float64(words[word + 1] >> np.uint64(11)) * UNIT
                word += 2
                beyond = -PER_OUTERMOST * log1p(-first)
                found = -2.0 * log1p(-second) > beyond * beyond
                x = OUTERMOST + beyond
            if not found:
                break
            if (place >> 8) & 1:
                x = -x
        if found:
            out[done] = x
            done += 1
            used = word
    return done, used
