"""Elementary functions that give the same bits on every processor.

The functions of C libraries, of NumPy and of ``math`` differ in the last bit from one processor to
another, and a run with collisions makes a different run of that. These are made of plain
arithmetic, accurate to about the last bit, and can be used in laws and flows of one's own (compiled
into them), with arrays in Python, and with single numbers.
"""

from carom.functions.circular import arctan2, cos, cosine, sin, sine
from carom.functions.exponential import doublings, exp, expm1, log, log1p, power, tanh
from carom.functions.normal_numbers import standard_normal, write_standard_normal

__all__ = [
    "arctan2",
    "cos",
    "cosine",
    "doublings",
    "exp",
    "expm1",
    "log",
    "log1p",
    "power",
    "sin",
    "sine",
    "standard_normal",
    "tanh",
    "write_standard_normal",
]
