"""Named tuples as compiled loops see them: laid out in memory, and handed on by their address.

Numba takes a tuple apart and hands on each of its numbers: a system is some two hundred, and every
function that takes one is translated with all of them. ``lend`` lays the package's own named tuples
out in one piece of memory, with views (an address and lengths) in place of arrays. What compiled
code can do with them is read a field. A user's component is read as a whole, with arrays as arrays,
since its kernels may do with it whatever Numba can.

Nothing changes the memory while it is lent, and the compiler is told so. The caller in Python keeps
the arrays alive.
"""

from __future__ import annotations

import array
import hashlib
import struct
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from carom.compiled.components import foreign_parts, is_component_type, is_ours
from carom.compiled.views import View

_BYTES = ir.IntType(8).as_pointer()
_SLOT = 8  # bytes; every number begins at a multiple of it


class Lent(types.Type):  # type: ignore[misc]
    """The type of a named tuple that is handed on by its address."""

    def __init__(self, cls: Any, parts: tuple[Any, ...]) -> None:
        self.instance_class = cls
        self.fields = cls._fields
        self.types = parts
        # Short: the names of functions repeat those of the types of their arguments.
        inside = f"{cls.__module__}.{cls.__qualname__}({', '.join(map(repr, parts))})"
        super().__init__(f"{cls.__name__}@{hashlib.sha256(inside.encode()).hexdigest()[:16]}")

        self._hash = hash(self.key)  # asked for a million times

    @property
    def key(self) -> Any:
        """What makes two types the same."""
        return self.instance_class, self.types

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Lent) and self.key == other.key)

    def __reduce__(self) -> Any:
        """For the cache: hashes differ from process to process."""
        return Lent, (self.instance_class, self.types)


@register_model(Lent)
class _LentModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, lent: Lent) -> None:
        super().__init__(manager, lent, _BYTES)


class Loan:
    """A named tuple laid out in memory; what compiled functions are called with.

    Whoever calls them keeps the tuple, and so its arrays, alive.
    """

    __slots__ = ("_memory", "_numba_type_", "address", "foreign")

    def __init__(self, lender: Any) -> None:
        slots: list[int] = []
        self._numba_type_ = _laid_out(lender, slots, whole=False)
        self._memory = array.array("q", slots)
        self.address = self._memory.buffer_info()[0]
        self.foreign = tuple(type(part) for part in foreign_parts(lender))

    def __reduce__(self) -> Any:
        """For ``copy`` and ``pickle``: none. Addresses are those of one lender's arrays."""
        return type(None), ()


Tuple = TypeVar("Tuple", bound=type)


def lasting(cls: Tuple) -> Tuple:
    """A class of named tuples that are lent again and again, and laid out once."""
    # Unlike its base class, a class that is derived without slots has room for a loan.
    about = {name: getattr(cls, name) for name in ("__module__", "__qualname__", "__doc__")}
    return type(cls.__name__, (cls,), about)  # type: ignore[return-value]


def lend(argument: Any) -> Any:
    """A loan of a named tuple of the package; anything else, and in plain Python all, as it is."""
    kind = type(argument)
    if numba.config.DISABLE_JIT or not (is_component_type(kind) and is_ours(kind)):
        return argument
    room = getattr(argument, "__dict__", None)
    if room is None:
        return Loan(argument)
    loan = room.get("_loan")
    if loan is None:
        loan = room["_loan"] = Loan(argument)
    return loan


def foreign_kinds(lent: Any) -> tuple[type, ...]:
    """The classes of all components of a user's own in something lent."""
    if isinstance(lent, Loan):
        return lent.foreign
    return tuple(type(part) for part in foreign_parts(lent))


# From Python to memory


def _laid_out(value: Any, slots: list[int], whole: bool) -> Any:
    """Append a value to the slots, and answer its type; all parts of what is whole are whole."""
    kind = type(value)
    if kind is float:
        slots += struct.unpack("=q", struct.pack("=d", value))
        return types.float64
    if isinstance(value, np.ndarray):
        return _array_laid_out(value, slots, whole)
    if isinstance(value, tuple):
        named = is_component_type(kind)
        whole = whole or (named and not is_ours(kind))
        parts = tuple(_laid_out(part, slots, whole) for part in value)
        return _tuple_type(kind if named else None, parts, whole)
    if kind is int:
        slots.append(value)
        return types.int64
    raw = np.asarray(value).tobytes()
    raw += bytes(-len(raw) % _SLOT)
    slots += struct.unpack(f"={len(raw) // _SLOT}q", raw)
    return numba.typeof(value)


def _array_laid_out(value: Any, slots: list[int], whole: bool) -> Any:
    slots.append(value.__array_interface__["data"][0])
    slots += value.shape
    if not whole and value.flags.c_contiguous:
        return _view_type(value.dtype, value.ndim)
    slots += value.strides
    return numba.typeof(value)


_VIEWS: dict[Any, Any] = {}
_TUPLES: dict[Any, Any] = {}


def _view_type(dtype: Any, ndim: int) -> Any:
    if (dtype, ndim) not in _VIEWS:
        _VIEWS[dtype, ndim] = View(numba.from_dtype(dtype), ndim)
    return _VIEWS[dtype, ndim]


def _tuple_type(cls: Any, parts: tuple[Any, ...], whole: bool) -> Any:
    if (cls, parts, whole) not in _TUPLES:
        if cls is None:
            made = types.Tuple(parts)
        elif not whole:
            made = Lent(cls, parts)
        elif parts and all(part == parts[0] for part in parts):
            made = types.NamedUniTuple(parts[0], len(parts), cls)
        else:
            made = types.NamedTuple(parts, cls)
        _TUPLES[cls, parts, whole] = made
    return _TUPLES[cls, parts, whole]


@typeof_impl.register(Loan)
def _typeof(loan: Loan, context: Any) -> Any:
    return loan._numba_type_


@unbox(Lent)
def _unbox(lent: Any, loan: Any, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(loan, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, _BYTES))


# From memory to compiled code


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc]
    key = Lent

    def generic_resolve(self, lent: Any, name: str) -> Any:
        return lent.types[lent.fields.index(name)] if name in lent.fields else None


@lower_getattr_generic(Lent)
def _field(context: Any, builder: Any, lent: Lent, address: Any, name: str) -> Any:
    k = lent.fields.index(name)
    start = sum(_slots_of(kind) for kind in lent.types[:k])
    return _read(context, builder, lent.types[k], _at(builder, address, start))


def _at(builder: Any, address: Any, slots: int) -> Any:
    return builder.gep(address, [ir.Constant(ir.IntType(64), _SLOT * slots)], inbounds=True)


def _slots_of(kind: Any) -> int:
    """How many slots a value takes."""
    if isinstance(kind, Lent | types.BaseTuple):
        return sum(_slots_of(part) for part in kind.types)
    if isinstance(kind, View):
        return 1 + kind.ndim
    if isinstance(kind, types.Array):
        return 1 + 2 * kind.ndim
    return 1 if isinstance(kind, types.Boolean) else -(-kind.bitwidth // (8 * _SLOT))


def _read(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    """The value that lies at an address."""
    if isinstance(kind, Lent):
        return address
    if isinstance(kind, types.BaseTuple):
        parts = []
        for part in kind.types:
            parts.append(_read(context, builder, part, address))
            address = _at(builder, address, _slots_of(part))
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, View | types.Array):
        return _read_array(context, builder, kind, address)
    model = context.data_model_manager[kind]
    return model.from_data(builder, _loaded(builder, model.get_data_type(), address))


def _read_array(context: Any, builder: Any, kind: Any, address: Any) -> Any:
    number, slots = ir.IntType(64), _slots_of(kind)
    data, *rest = (_loaded(builder, number, _at(builder, address, k)) for k in range(slots))
    lengths, strides = rest[: kind.ndim], rest[kind.ndim :]
    if isinstance(kind, View):
        return kind.assembled(context, builder, data, lengths)
    found = context.make_array(kind)(context, builder)
    size = ir.Constant(number, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    items = ir.Constant(number, 1)
    for length in lengths:
        items = builder.mul(items, length)
    found.nitems, found.itemsize = items, size
    found.data = builder.inttoptr(data, found.data.type)
    found.shape = _numbers(builder, lengths)
    found.strides = _numbers(builder, strides)
    return found._getvalue()


def _numbers(builder: Any, values: list[Any]) -> Any:
    packed: Any = ir.Constant(ir.ArrayType(ir.IntType(64), len(values)), ir.Undefined)
    for k, value in enumerate(values):
        packed = builder.insert_value(packed, value, k)
    return packed


def _loaded(builder: Any, kind: Any, address: Any) -> Any:
    value = builder.load(builder.bitcast(address, kind.as_pointer()))
    value.align = _SLOT
    # Else every write to an array might have changed where the arrays are.
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value
