"""Laws, forces, flows: what of them may reach compiled code, and what is said when it fails there.

A component is a NamedTuple of its parameters. Compiled code can hold numbers, arrays of numbers,
tuples of these, and other components; anything else would corrupt memory.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from carom.checks import is_number
from carom.errors import KernelError

_PACKAGE = __name__.partition(".")[0]
_LEAST, _MOST = -(2**63), 2**63 - 1
# Sizes that Numba has: no half and no extended precision.
_KINDS = {np.dtype(kind) for kind in "?bhilqBHILQfdFD"}
_PARAMETERS = "Parameters are numbers, arrays of numbers, tuples of these, and other laws"


def is_ours(kind: Any) -> bool:
    """Whether a class is defined in the package, or a module's name is one of it."""
    module = kind if isinstance(kind, str) else kind.__module__
    return module is not None and f"{module}.".startswith(_PACKAGE + ".")


def is_component_type(kind: Any) -> bool:
    """Whether this is a class of named tuples, which compiled code tells from each other."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def is_foreign(component: Any) -> bool:
    """Whether a tuple, or one nested in it, is of a class defined outside the package."""
    if not isinstance(component, tuple):
        return False
    kind = type(component)
    outside = kind is not tuple and not is_ours(kind)
    return outside or any(map(is_foreign, component))


def foreign_parts(component: Any) -> Iterator[Any]:
    """The named tuples in a component, itself included, of classes outside the package."""
    if not isinstance(component, tuple):
        return
    if is_component_type(type(component)) and not is_ours(type(component)):
        yield component
    for part in component:
        yield from foreign_parts(part)


def own_method(component: Any, name: str) -> Callable[..., Any] | None:
    """A method of a component, if it has one; a parameter may have the same name."""
    method = getattr(component, name, None)
    return method if callable(method) else None


def check_component(what: str, component: Any) -> None:
    """Refuse a component for its parameters, or for what its own ``check`` says."""
    check_parameters(what, component)
    own_check = own_method(component, "check")
    if own_check is not None:
        own_check()


def check_parameters(what: str, component: Any) -> None:
    """Refuse parameters that compiled code cannot hold; ``what`` the component is, such as law."""
    for name, value in zip(component._fields, component, strict=True):
        owner = f"{what}: the parameter {name} of {type(component).__name__}"
        if is_component_type(type(value)):
            check_parameters(what, value)
        elif is_ours(type(component)) and _declares_float(component, name):
            if not is_number(value):
                raise ValueError(f"{owner} must be a number, not {value!r}.")
        else:
            _check_value(owner, value)


def _check_value(owner: str, value: Any) -> None:
    if type(value) is tuple:
        for k, part in enumerate(value):
            if is_component_type(type(part)):
                check_parameters(owner, part)
            else:
                _check_value(f"{owner}, at {k},", part)
    elif type(value) is int:
        if not _LEAST <= value <= _MOST:
            raise TypeError(
                f"{owner} is {value!r}, which takes more than 64 bits; make it a float."
            )
    elif isinstance(value, np.ndarray | np.generic):
        _check_numpy(owner, value)
    elif type(value) not in (bool, float, complex):
        remedy = "; make it a tuple or an array." if isinstance(value, list) else "."
        kind = type(value).__name__
        raise TypeError(
            f"{owner} is {value!r}, of type {kind}, which compiled code cannot hold. "
            f"{_PARAMETERS}{remedy}"
        )


def _check_numpy(owner: str, value: Any) -> None:
    if type(value) is not np.ndarray and isinstance(value, np.ndarray):
        raise TypeError(f"{owner} is a {type(value).__name__}; make it a plain numpy.ndarray.")
    if value.dtype not in _KINDS or not value.dtype.isnative:
        raise TypeError(
            f"{owner} is {value!r}, with numbers of the kind {value.dtype.str!r}, which compiled "
            f"code cannot hold. {_PARAMETERS}; use numpy.array(..., dtype=float)."
        )


def in_floats(component: Any) -> Any:
    """The component with floats where it declares floats: 1 and 1.0 would be compiled each.

    Likewise in the components in it.
    """
    changed = {}
    for name, value in zip(component._fields, component, strict=True):
        if is_component_type(type(value)):
            changed[name] = in_floats(value)
        elif _declares_float(component, name) and isinstance(value, numbers.Real):
            changed[name] = float(value)
    return component._replace(**changed)


def _declares_float(component: Any, name: str) -> bool:
    kind = type(component).__annotations__.get(name)
    # Where annotations are not evaluated there is the name of the type.
    return getattr(kind, "__forward_arg__", kind) in (float, "float")


def answer_of(what: str, component: Any, question: Any, *arguments: Any) -> Any:
    """What the function of a component answers; if it fails, an error that names its file."""
    try:
        return question(*arguments)
    except Exception as error:
        raise KernelError(
            f"{what}={component!r} cannot be used: {reason_of(error)} "
            f"Its {question.__name__} is {place_of(question.implementations[type(component)])}."
        ) from error


def check_vector(what: str, component: Any, question: Any, probe: Any, dimension: int) -> None:
    """Refuse a component whose answer to a probe is not three finite numbers that fit the plane."""
    value = answer_of(what, component, question, probe, component)
    if not (isinstance(value, tuple) and len(value) == 3 and all(map(is_number, value))):
        raise ValueError(
            f"{what}={component!r} gives {value!r}; it must give a tuple of three numbers, also in "
            "the plane, where the third is zero."
        )
    if not all(math.isfinite(number) for number in value):
        raise ValueError(f"{what}={component!r} gives {value!r} for {probe!r}; it must be finite.")
    if dimension == 2 and value[2] != 0.0:
        raise ValueError(
            f"{what}={component!r} gives {value!r}; in the plane the third must be zero. What "
            "leaves the plane needs particles in three dimensions."
        )


def place_of(function: Any) -> str:
    """Where a function is written."""
    code = getattr(function, "py_func", function).__code__
    return f"in {code.co_filename}, line {code.co_firstlineno}"


def reason_of(error: BaseException) -> str:
    """The sentence of an error of the compiler that says what is wrong, without the rest."""
    text = str(error).rpartition("Rejected as the implementation raised a specific error:")[2]
    for line in text.splitlines():
        said = line.strip().lstrip("-").strip().removeprefix(f"{type(error).__name__}: ")
        if said and not said.startswith(("Failed in ", "TypingError: Failed in ")):
            return f"{type(error).__name__}: {said.rstrip('.')}."
    return f"{type(error).__name__}."
