"""The table of a sweep as a file that other programs open: netCDF, renewed while rows come in.

It is of the oldest kind of netCDF, which every program with netCDF reads and SciPy writes. That
has no complex and no very large whole numbers, and forbids some names; see :func:`portable`.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from carom.files import replacing

SECONDS_BETWEEN_TABLES = 10.0
SHARE_OF_TIME = 0.02  # of a sweep, at most, goes into renewing the file
NAME = "table.nc"
# What names may hold beside letters and digits, and words of the language of netCDF.
_SIGNS = set('_.@+- !"#$%&\\()*,:;<=>?[]^`{|}~')
_RESERVED = {"byte", "char", "short", "ushort", "int", "uint", "int64", "uint64", "long", "float"}
_RESERVED |= {"real", "double", "bool", "string"}


class TableFile:
    """The file ``table.nc`` in the folder of a sweep."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._last, self._cost = perf_counter(), 0.0

    @property
    def is_due(self) -> bool:
        """Whether it is time to renew it, so that this costs little however large it is."""
        pause = max(SECONDS_BETWEEN_TABLES, self._cost / SHARE_OF_TIME)
        return perf_counter() - self._last > pause

    def renew(self, table: Any) -> None:
        """Write a table in the place of the old one, which stays if that is impossible."""
        start = perf_counter()
        try:
            content = bytes(portable(table).to_netcdf(engine="scipy"))
            with replacing(self.path) as file:
                file.write(content)
        finally:
            self._last = perf_counter()
            self._cost = self._last - start


def portable(table: Any) -> Any:
    """A table with the same content in types and under names that every netCDF has.

    Complex numbers are two variables, NAME_real and NAME_imag; whole numbers beyond 32 bits are
    floating-point ones, and texts where that would round them.
    """
    variables: dict[str, Any] = {}
    coordinates: list[str] = []
    names = _portable_names([*table.variables, *table.dims])
    for name, variable in table.variables.items():
        dims = tuple(names[dim] for dim in variable.dims)
        for ending, values in _portable_parts(variable.values):
            if not values.size:
                continue  # a length of none is another thing in this format
            known_as = names[name] + ending
            told = {} if known_as == name else {"long_name": str(name)}
            variables[known_as] = (dims, values, told)
            if name in table.coords:
                coordinates.append(known_as)
    found = type(table)(variables, attrs=table.attrs)
    return found.set_coords(coordinates)


def _portable_parts(values: Any) -> list[tuple[str, Any]]:
    """The values in types of the format; the parts of complex ones."""
    if values.dtype.kind == "c":
        return [("_real", values.real), ("_imag", values.imag)]
    if values.dtype.kind in "iu":
        return [("", _whole(values))]
    if values.dtype.kind == "O" and not any(isinstance(one, str) for one in values.flat):
        # Yes, no, and what is missing, which becomes NaN.
        return [("", values.astype(np.float64))]
    if values.dtype.kind in "OUS":
        texts = [_writable(one) for one in values.flat]
        return [("", np.array(texts, dtype=object).reshape(values.shape))]
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return [("", values.astype(np.float64))]
    return [("", values)]


def _whole(values: Any) -> Any:
    limits = np.iinfo(np.int32)
    if not values.size or (values.min() >= limits.min and values.max() <= limits.max):
        return values.astype(np.int32)
    if values.min() >= -(2**53) and values.max() <= 2**53:
        return values.astype(np.float64)
    return values.astype(str).astype(object)


def _writable(text: Any) -> str:
    """A text that UTF-8 can hold, without the sign that ends texts in this format."""
    return str(text).encode("utf-8", "replace").decode().replace("\0", "�")


def _portable_names(names: Any) -> dict[Any, str]:
    """For each name one that is allowed and not taken."""
    found: dict[Any, str] = {}
    for name in dict.fromkeys(names):
        allowed = "".join(map(_portable_sign, unicodedata.normalize("NFKD", str(name)).strip()))
        if not (allowed and allowed[0].isalnum()):
            allowed = f"_{allowed}"
        while allowed in _RESERVED or allowed in found.values():
            allowed += "_"
        found[name] = allowed
    return found


def _portable_sign(sign: str) -> str:
    """A sign of ASCII in its place: of a Greek letter its name, of an accent nothing."""
    if sign.isascii():
        return sign if sign.isalnum() or sign in _SIGNS else "_"
    if unicodedata.combining(sign):
        return ""
    words = unicodedata.name(sign, "").split()
    return words[3].lower() if words[:3] == ["GREEK", "SMALL", "LETTER"] else "_"
