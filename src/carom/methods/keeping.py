"""An engine in a checkpoint: all that it holds, as arrays by name.

Nobody lists what is to be kept. An engine is walked through, its algorithm, plan and tuples with
it, and every array and number is kept under its path. What need not be is said where it stands,
with ``not_kept``: what belongs to the process (a clock, what is compiled), or what others keep. So
whoever adds something to an engine has added it to the checkpoints. What was given
by the user, systems and frozen dataclasses, does not change and is described elsewhere.

The outline of an engine, which has its numbers, is kept as text in one array. Tuples that an
engine makes as it goes are made anew by their names; its class tells their kinds with ``makes``.
Arrays that share memory do so again.

Something that knows better how it is kept, as a stream does, has ``arrays`` and ``restore``.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.lib.array_utils import byte_bounds

from carom.compiled.memory import in_cache_lines
from carom.errors import CheckpointError
from carom.system import System

OUTLINE = "outline"
_NOT_KEPT, _MAKES = "_not_kept", "_makes"  # attributes of classes

Kind = TypeVar("Kind", bound=type)


def not_kept(*names: str) -> Callable[[Kind], Kind]:
    """Leave attributes of a class, or fields of a tuple, out of checkpoints."""
    return _noting(_NOT_KEPT, names)


def makes(*kinds: type) -> Callable[[Kind], Kind]:
    """Tell the kinds of tuples that objects of a class make beside those they begin with."""
    return _noting(_MAKES, kinds)


def _noting(name: str, entries: tuple[Any, ...]) -> Callable[[Kind], Kind]:
    def note(kind: Kind) -> Kind:
        setattr(kind, name, entries)
        return kind

    return note


def kept(whole: Any) -> dict[str, Any]:
    """All that an object holds, as arrays by name."""
    keeper = _Keeper()
    text = json.dumps(keeper.outline_of(vars(whole), "", _left_out(whole)))
    _refuse_partly_shared(keeper.arrays)
    return keeper.arrays | {OUTLINE: np.frombuffer(text.encode(), dtype=np.uint8)}


def take_over(whole: Any, arrays: Mapping[str, Any]) -> None:
    """Let an object, made as another was, hold what ``kept`` gave of that one."""
    outline = json.loads(bytes(arrays[OUTLINE]))
    _Restorer(arrays).fill(whole, outline, "")


class _Keeper:
    """Gathers arrays, and tells the outline of what they were found in."""

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}
        self._met: dict[Any, str] = {}  # the paths of arrays by where they are in memory

    def outline(self, part: Any, path: str) -> Any:
        """Numbers and texts as they are; for all else a dictionary."""
        if part is None or type(part) in (bool, int, float, str):
            return part
        if type(part) is complex:
            return {"complex": [part.real, part.imag]}
        if isinstance(part, np.ndarray):
            return self._outline_of_array(part, path)
        if isinstance(part, np.generic):
            self.arrays[path] = np.asarray(part)
            return {"scalar": path}
        if isinstance(part, tuple):
            if not hasattr(part, "_fields"):
                return {"tuple": [self.outline(p, f"{path}.{k}") for k, p in enumerate(part)]}
            fields = dict(zip(part._fields, part, strict=True))
            parts = self.outline_of(fields, path, _left_out(part))
            return {"kind": type(part).__name__, "parts": parts}
        if isinstance(part, dict):
            return {"parts": self.outline_of(part, path, frozenset())}
        if is_given(part):
            return {"given": type(part).__name__}
        if hasattr(part, "arrays") and hasattr(part, "restore"):
            return self._outline_of_keeper(part, path)
        if type(part).__module__.startswith("carom.") and hasattr(part, "__dict__"):
            parts = self.outline_of(vars(part), path, _left_out(part))
            return {"kind": type(part).__name__, "parts": parts}
        raise TypeError(
            f"{path} holds {part!r}, which a checkpoint cannot keep; if nothing depends on it, say "
            "so with not_kept."
        )

    def outline_of(self, parts: Mapping[Any, Any], path: str, left_out: frozenset[str]) -> Any:
        """That of each part by name, but for those left out."""
        return {
            str(name): self.outline(part, f"{path}.{name}" if path else str(name))
            for name, part in parts.items()
            if name not in left_out
        }

    def _outline_of_array(self, array: Any, path: str) -> dict[str, Any]:
        plain = array.view(np.ndarray)
        first = self._met.setdefault((plain.ctypes.data, plain.nbytes), path)
        if first == path or plain.size == 0:
            self.arrays[path] = array
            aligned = {"aligned": True} if plain.dtype.isalignedstruct else {}
            return {"array": path, **aligned}
        return {"array": first, "shape": list(plain.shape), "dtype": plain.dtype.str}

    def _outline_of_keeper(self, part: Any, path: str) -> dict[str, Any]:
        own = part.arrays()
        self.arrays |= {f"{path}.{name}": array for name, array in own.items()}
        return {"own": list(own)}


class _Restorer:
    """Puts arrays and numbers where they were."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._arrays = arrays
        self._made: dict[str, Any] = {}  # arrays by path
        self._kinds: dict[str, Any] = {}

    def restored(self, part: Any, outline: Any, path: str) -> Any:
        """The part, or another in its place, as the outline says."""
        if not isinstance(outline, dict):
            same = type(part) is type(outline) and part == outline
            return part if same else outline
        if "array" in outline:
            return self._array(part, outline)
        if "complex" in outline:
            return complex(*outline["complex"])
        if "scalar" in outline:
            return self._arrays[outline["scalar"]][()]
        if "tuple" in outline:
            old = part if isinstance(part, tuple) else ()
            return self._tuple(old, outline["tuple"], path)
        if "given" in outline:
            _refuse_unless(type(part).__name__ == outline["given"], path)
        elif "own" in outline:
            part.restore({name: self._arrays[f"{path}.{name}"] for name in outline["own"]})
        elif "kind" in outline:
            return self._of_kind(part, outline["kind"], outline["parts"], path)
        else:
            _refuse_unless(outline["parts"].keys() == set(map(str, part)), path)
            for key in part:
                inner = outline["parts"][str(key)]
                part[key] = self.restored(part[key], inner, f"{path}.{key}")
        return part

    def _of_kind(self, part: Any, kind: str, parts: dict[str, Any], path: str) -> Any:
        is_same = type(part).__name__ == kind
        if is_same and not isinstance(part, tuple):
            self.fill(part, parts, path)
            return part
        made = type(part) if is_same else self._kinds.get(kind)
        if made is None:
            raise _refusal(path)
        _refuse_unless(parts.keys() == set(made._fields) - _left_out(part), path)
        new = {
            name: self.restored(getattr(part, name, None), inner, f"{path}.{name}")
            for name, inner in parts.items()
        }
        if is_same and all(value is getattr(part, name) for name, value in new.items()):
            return part
        return part._replace(**new) if is_same else made(**new)

    def fill(self, part: Any, parts: dict[str, Any], path: str) -> None:
        """Give an object its attributes."""
        self._kinds |= {kind.__name__: kind for kind in _of_class(part, _MAKES)}
        if hasattr(part, "make_ready"):
            part.make_ready({name: _kind(inner) for name, inner in parts.items()})
        _refuse_unless(parts.keys() == vars(part).keys() - _left_out(part), path)
        for name, inner in parts.items():
            inner_path = f"{path}.{name}" if path else name
            setattr(part, name, self.restored(getattr(part, name), inner, inner_path))

    def _tuple(self, old: tuple[Any, ...], outlines: list[Any], path: str) -> tuple[Any, ...]:
        old = old if len(old) == len(outlines) else (None,) * len(outlines)
        parts = zip(old, outlines, strict=True)
        new = tuple(self.restored(p, inner, f"{path}.{k}") for k, (p, inner) in enumerate(parts))
        return old if all(a is b for a, b in zip(old, new, strict=True)) else new

    def _array(self, part: Any, outline: dict[str, Any]) -> Any:
        path = outline["array"]
        if "shape" in outline:  # an array that was met before
            first, shape = self._made[path], tuple(outline["shape"])
            is_same = first.shape == shape and first.dtype.str == outline["dtype"]
            return first if is_same else first.view(outline["dtype"]).reshape(shape)
        if isinstance(part, np.ndarray) and not part.flags.writeable:
            return self._made.setdefault(path, part)  # it was given, and has not changed
        values = self._arrays[path]
        if not _fits(part, values):
            part = in_cache_lines(values.size, _dtype(values, outline)).reshape(values.shape)
        part[...] = values
        self._made[path] = part
        return part


def is_given(part: Any) -> bool:
    """Whether something comes from the user and does not change."""
    frozen = dataclasses.is_dataclass(part) and getattr(part, "__dataclass_params__").frozen  # noqa: B009
    return frozen or isinstance(part, System)


def _refuse_partly_shared(arrays: Mapping[str, Any]) -> None:
    """Arrays of which one is a part of the other would no longer be that."""
    bounds = ((byte_bounds(array), name) for name, array in arrays.items() if array.size)
    last, before = 0, ""
    for (start, end), name in sorted(bounds):
        if start < last:
            raise TypeError(f"{name} shares a part of its memory with {before}; use not_kept.")
        last, before = end, name


def _left_out(part: Any) -> frozenset[str]:
    return frozenset(_of_class(part, _NOT_KEPT))


def _of_class(part: Any, name: str) -> set[Any]:
    """What a class and those that it is derived from have under a name, together."""
    return {entry for kind in type(part).__mro__ for entry in vars(kind).get(name, ())}


def _kind(outline: Any) -> str | None:
    return outline.get("kind") if isinstance(outline, dict) else None


def _fits(part: Any, values: Any) -> bool:
    """Whether an array has the form of these values."""
    if not isinstance(part, np.ndarray) or part.shape != values.shape:
        return False
    return part.dtype.itemsize == values.dtype.itemsize and (
        part.dtype.names == values.dtype.names
        if values.dtype.names is not None
        else part.dtype == values.dtype
    )


def _dtype(values: Any, outline: dict[str, Any]) -> Any:
    """That of the array as it was: files do not tell whether fields are aligned."""
    if not outline.get("aligned"):
        return values.dtype
    fields = [(name, values.dtype.fields[name][0]) for name in values.dtype.names]
    return np.dtype(fields, align=True)


def _refuse_unless(agrees: bool, path: str) -> None:
    if not agrees:
        raise _refusal(path)


def _refusal(path: str) -> CheckpointError:
    return CheckpointError(
        f"the checkpoint keeps {path or 'its engine'} in another way than this carom: it was "
        "written by another one, or with another component under the same name. Go on with those "
        "that wrote it."
    )
