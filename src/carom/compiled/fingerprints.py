"""What a component of a user's own depends on, as a hash; where nobody can tell, there is none.

A law in a script is compiled into a loop together with everything that it reads and calls: its
source, closures, global names, functions. If any of it differs, so may the physics. A fingerprint
covers all of it, and whatever it does not know for sure makes it refuse: code with such a law is
compiled in every process.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import inspect
import math
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from carom.compiled.components import is_component_type, is_ours
from carom.compiled.dispatch import registered_for

_PLAIN = (bool, int, complex, str, bytes, type(None))
_LOADS = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"}
_OF_WHAT_WAS_LOADED = {"LOAD_ATTR", "LOAD_METHOD"}


class CannotTell(Exception):
    """Something that may change without being noticed; the message says what."""


def fingerprint(kinds: Iterable[type]) -> str | None:
    """A hash of all that compiled code with components of these classes depends on, or None."""
    reading = Reading()
    try:
        return hash_of(part for kind in kinds for part in reading.of_kind(kind))
    except CannotTell:
        return None


def hash_of(parts: Iterable[Any]) -> str:
    """A hash of values that Python shows in full."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part!r}\n".encode())
    return digest.hexdigest()


class Reading:
    """Tells, piece by piece, what classes and functions depend on; each function once."""

    def __init__(self) -> None:
        self._seen = set[int]()

    def of_kind(self, kind: type) -> Iterator[Any]:
        """What compiled code with components of a class depends on."""
        yield _of_class(kind)
        for name, function in registered_for(kind):
            yield name
            yield from self.of_function(getattr(function, "py_func", function))

    def of_function(self, function: Any) -> Iterator[Any]:
        """What a function depends on, and what it calls."""
        yield "function", function.__module__, function.__qualname__
        if is_ours(function) or id(function) in self._seen:
            return  # carom's own: the folder of compiled code is named by their source
        self._seen.add(id(function))
        yield from code_parts(function.__code__)
        yield from self.of_value(function.__defaults__)
        yield from self.of_value(tuple(sorted((function.__kwdefaults__ or {}).items())))
        nonlocals = inspect.getclosurevars(function).nonlocals
        known = {**vars(builtins), **function.__globals__, **nonlocals}
        for name, *attributes in sorted(set(_loaded(function.__code__))):
            yield name, attributes
            if name not in known:  # a local name of an outer function, seen by one inside
                continue
            value = known[name]
            while isinstance(value, ModuleType) and attributes:
                value = getattr(value, attributes.pop(0), None)
            yield from self.of_name(name, value)

    def of_name(self, name: str, value: Any) -> Iterator[Any]:
        """What a value is that a function reads under a name."""
        return self.of_value(value)

    def of_value(self, value: Any) -> Iterator[Any]:
        """What a value is, to the last bit."""
        kind = type(value)
        if kind is float:
            yield "float", value.hex()
        elif kind in _PLAIN:
            yield kind.__name__, value
        elif kind is tuple or is_component_type(kind):
            yield "tuple" if kind is tuple else _of_class(kind)
            for part in value:
                yield from self.of_value(part)
        elif kind is np.ndarray or isinstance(value, np.generic):
            array = np.asarray(value)
            if array.dtype.hasobject:
                raise CannotTell("an array of objects")
            yield array.dtype.descr, array.shape, array.strides, array.tobytes()
        elif isinstance(value, Dispatcher):
            yield sorted((name, repr(option)) for name, option in value.targetoptions.items())
            yield from self.of_function(value.py_func)
        elif _is_of_a_library(value):
            yield kind.__name__, value.__name__
        else:
            yield from self.of_other(value)

    def of_other(self, value: Any) -> Iterator[Any]:
        """What a value of none of these kinds is."""
        raise CannotTell(f"an object of the kind {type(value).__name__}")


def _of_class(kind: Any) -> Any:
    annotations = {name: str(said) for name, said in inspect.get_annotations(kind).items()}
    return kind.__module__, kind.__qualname__, kind._fields, annotations


def code_parts(code: CodeType) -> Iterator[Any]:
    """The instructions, without where they stand."""
    yield code.co_code, code.co_argcount, code.co_flags, code.co_names
    yield code.co_varnames, code.co_freevars, code.co_cellvars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_parts(constant)
        else:
            yield type(constant).__name__, constant


def _loaded(code: CodeType) -> Iterator[tuple[str, ...]]:
    """The names from outside that are read, each with the attributes that are read of it."""
    chain: tuple[str, ...] = ()
    for instruction in dis.get_instructions(code):
        if chain and instruction.opname in _OF_WHAT_WAS_LOADED:
            chain += (instruction.argval,)
            continue
        if chain:
            yield chain
        chain = (instruction.argval,) if instruction.opname in _LOADS else ()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _loaded(constant)


def _is_of_a_library(value: Any) -> bool:
    """Whether this is a function or a type that is the same wherever versions are the same."""
    if isinstance(value, np.ufunc):
        return getattr(np, value.__name__, None) is value
    if isinstance(value, BuiltinFunctionType):
        return any(getattr(module, value.__name__, 0) is value for module in (math, builtins))
    if isinstance(value, type):
        is_builtin = getattr(builtins, value.__name__, None) is value
        return is_builtin or is_ours(value) or getattr(np, value.__name__, None) is value
    return isinstance(value, FunctionType) and is_ours(value)
