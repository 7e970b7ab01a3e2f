"""What a function of a script does, as a hash: by that a run is known again.

It covers what the function reads and calls, through functions, classes and modules of one's own:
instructions, constants, defaults, closures, global values; not where anything stands, and not what
else stands on its line. Of carom and of installed libraries it covers names and versions. Whatever
may change without being noticed makes it refuse, in words.
"""

from __future__ import annotations

import dataclasses
import dis
import enum
import functools
import hashlib
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import (
    BuiltinMethodType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any, NamedTuple

from numba.core.dispatcher import Dispatcher

from carom._version import __version__
from carom.compiled.components import is_component_type, is_ours
from carom.compiled.fingerprints import CannotTell, Reading, code_parts, hash_of

# What only shows, and what carries out sweeps, decides nothing of what a run comes to.
_ONLY_SHOWN = ("html/", "plotting/", "progress.py", "sweeps/", "view/")
_SHORT, PART_DIGITS = 40, 12  # of values as they are shown, and of hashes that are compared
# Parts of classes that Python writes.
_WRITTEN = {"__dict__", "__doc__", "__module__", "__qualname__", "__weakref__", "__annotations__"}


class Source(NamedTuple):
    """The hash of a function, or None and the reason; and what it is made of, by names."""

    digest: str | None
    reason: str = ""
    parts: Mapping[str, str] = MappingProxyType({})


def source_of(function: Any) -> Source:
    """What a function does."""
    reading = ReadingScripts()
    try:
        return Source(hash_of(reading.of_value(function)), parts=reading.parts)
    except CannotTell as unknown:
        return Source(None, str(unknown))
    except Exception as error:  # whatever odd objects answer when they are looked at
        return Source(None, f"{type(error).__name__}: {error}")


@functools.cache
def version() -> str:
    """The carom that is here: its version, and a hash of what its simulations come from."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(_ONLY_SHOWN):
            digest.update(name.encode())
            digest.update(path.read_bytes())
    return f"{__version__} ({digest.hexdigest()[:8]})"


class ReadingScripts(Reading):
    """Knows, beside what compiled code can hold, what scripts are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: dict[str, str] = {}  # what each function and value is, for comparisons

    def of_value(self, value: Any) -> Iterator[Any]:
        """What a value is: of a law of one's own also what is registered for it."""
        kind = type(value)
        if is_component_type(kind) and not is_ours(kind):
            yield from self._of_class(kind)
        yield from super().of_value(value)

    def of_name(self, name: str, value: Any) -> Iterator[Any]:
        """What a value is, noted under its name unless it is a function with its own."""
        if isinstance(value, FunctionType | ModuleType | type | Dispatcher):
            yield from self.of_value(value)
            return
        found = list(self.of_value(value))
        is_short = isinstance(value, bool | int | float | str) and len(repr(value)) < _SHORT
        self.parts[name] = repr(value) if is_short else hash_of(found)[:PART_DIGITS]
        yield from found

    def of_function(self, function: Any) -> Iterator[Any]:
        """What a function depends on, with the modules that it imports itself."""
        if not is_ours(function):
            for name in sorted(set(_imported(function.__code__))):
                yield from self.of_value(import_module(name))
            code = (*code_parts(function.__code__), function.__defaults__, function.__kwdefaults__)
            self.parts[function.__qualname__] = hash_of(code)[:PART_DIGITS]
        yield from super().of_function(function)

    def of_other(self, value: Any) -> Iterator[Any]:
        """What else a value may be."""
        kind = type(value)
        if kind in (list, set, frozenset, dict):
            yield from self._of_collection(value)
        elif isinstance(value, ModuleType):
            if not (is_ours(value.__name__) or _is_installed(value.__name__)):
                raise CannotTell(f"the module {value.__name__} as a whole")
            yield "module", value.__name__, _version_of(value.__name__)
        elif isinstance(value, functools.partial):
            yield "partial"
            for part in (value.func, value.args, value.keywords):
                yield from self.of_value(part)
        elif isinstance(value, MethodType):
            yield from self.of_value(value.__self__)
            yield from self.of_value(value.__func__)
        elif isinstance(value, BuiltinMethodType) and _has_state(value.__self__):
            raise CannotTell(f"{value.__name__} of an object of the kind {_owner(value)}")
        elif _is_named(value) and (is_ours(value) or _is_installed(value.__module__)):
            yield value.__module__, _name(value), _version_of(value.__module__)
        elif isinstance(value, FunctionType):
            yield from self.of_function(value)
        elif isinstance(value, type):
            yield from self._of_class(value)
        elif dataclasses.is_dataclass(value):
            yield from self.of_value(kind)
            for field in dataclasses.fields(value):
                yield field.name
                yield from self.of_value(getattr(value, field.name))
        elif isinstance(value, enum.Enum):
            yield kind.__qualname__, value.name
            yield from self.of_value(value.value)
        elif isinstance(value, Path):
            yield "path", str(value)
        else:
            raise CannotTell(f"an object of the kind {kind.__name__}, which may change")

    def _of_collection(self, value: Any) -> Iterator[Any]:
        yield type(value).__name__, len(value)
        if isinstance(value, dict):
            for key, part in value.items():
                yield from self.of_value(key)
                yield from self.of_value(part)
            return
        parts = value if isinstance(value, list) else sorted(value, key=repr)
        for part in parts:
            yield from self.of_value(part)

    def _of_class(self, kind: type) -> Iterator[Any]:
        if id(kind) in self._seen:
            yield "class", kind.__qualname__
            return
        self._seen.add(id(kind))
        if is_component_type(kind):
            yield from self.of_kind(kind)
        yield "class", kind.__qualname__
        for base in kind.__bases__:
            yield from self.of_value(base)
        for name, part in sorted(vars(kind).items()):
            if name in _WRITTEN or _is_generated(part):
                continue
            yield name
            yield from self._of_part(f"{kind.__qualname__}.{name}", part)

    def _of_part(self, name: str, part: Any) -> Iterator[Any]:
        """What stands in a class: a function in one of its disguises, or a value."""
        if isinstance(part, property):
            for function in (part.fget, part.fset):
                yield from self.of_value(function)
        elif isinstance(part, staticmethod | classmethod):
            yield from self.of_value(part.__func__)
        elif isinstance(part, functools.cached_property):
            yield from self.of_value(part.func)
        else:
            yield from self.of_name(name, part)


def _imported(code: CodeType) -> Iterator[str]:
    """The modules that are imported inside a function."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "IMPORT_NAME":
            yield instruction.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imported(constant)


def _is_generated(part: Any) -> bool:
    """Whether something in a class was made for it by Python, from what it declares."""
    function = getattr(part, "__func__", part)  # in a staticmethod: __new__ of a named tuple
    code = getattr(function, "__code__", None)
    if code is not None:
        return bool(code.co_filename.startswith("<") and function.__name__.startswith("__"))
    kind = type(part)
    if kind in (int, float, str, bytes, bool, complex, type(None), tuple, dict, list):
        return False
    return kind.__module__ in ("builtins", "collections", "dataclasses", "_collections") and not (
        isinstance(part, property | staticmethod | classmethod | type)
    )


def _is_named(value: Any) -> bool:
    """Whether this is a function or class that is found by its name in a module."""
    return callable(value) and isinstance(getattr(value, "__module__", None), str) and _name(value)


def _name(value: Any) -> Any:
    return getattr(value, "__qualname__", None) or getattr(value, "__name__", None)


def _has_state(owner: Any) -> bool:
    return not (owner is None or isinstance(owner, ModuleType | type))


def _owner(value: Any) -> str:
    return type(value.__self__).__name__


@functools.cache
def _is_installed(module: str) -> bool:
    """Whether a module is of Python itself or of an installed library."""
    top = module.partition(".")[0]
    if top in sys.builtin_module_names or top in sys.stdlib_module_names:
        return True
    file = getattr(sys.modules.get(top), "__file__", None)
    if file is None:
        return False
    places = (sysconfig.get_path(name) for name in ("purelib", "platlib"))
    return any(Path(file).is_relative_to(place) for place in places)


def _version_of(module: str) -> str:
    top = module.partition(".")[0]
    return "" if is_ours(top) else str(getattr(sys.modules.get(top), "__version__", ""))
