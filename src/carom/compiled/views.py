"""Arrays as compiled loops see them: an address and the lengths of the axes.

Numba passes an array as ten numbers, counts references to it around every call, and asks of every
index whether it counts from the end. In a loop whose functions hand on dozens of arrays this is a
third of the time to run and half of the time to compile. ``borrowed`` turns the arrays of the
package's own tuples into views, which have none of it. What a view can do: ``view[i]``,
``view[i, j]`` and ``view[i, j, k]``, read and written, a row ``view[i]`` of a table, ``len`` and
``shape``. Indices count from 0 and are not checked. The caller in Python keeps the arrays alive.
"""

from __future__ import annotations

import hashlib
import operator
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_getattr
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import intrinsic, models, register_model

_PACKAGE = __name__.partition(".")[0]


def short_name(kind: Any) -> str:
    """A name of a type, by a hash if it is long: names of functions repeat those of arguments."""
    name = str(kind)
    return name if len(name) < 24 else hashlib.sha256(name.encode()).hexdigest()[:16]


class View(types.Type):  # type: ignore[misc]
    """The type of a view."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype = dtype
        self.ndim = ndim
        super().__init__(f"View({short_name(dtype)}, {ndim})")
        self._hash = hash(self.key)  # asked for a million times

    @property
    def key(self) -> Any:
        """What makes two types the same."""
        return self.dtype, self.ndim

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, View) and self.key == other.key)

    def __reduce__(self) -> Any:
        """For the cache: hashes differ from process to process."""
        return View, (self.dtype, self.ndim)

    def assembled(self, context: Any, builder: Any, data: Any, lengths: Any) -> Any:
        """The value of a view, from the address of its data as a pointer or a number."""
        view = cgutils.create_struct_proxy(self)(context, builder)
        as_number = isinstance(data.type, ir.IntType)
        convert = builder.inttoptr if as_number else builder.bitcast
        view.data = convert(data, view.data.type)
        for axis, length in enumerate(lengths):
            setattr(view, f"n{axis}", length)
        return view._getvalue()


@register_model(View)
class _ViewModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, view: View) -> None:
        lengths = [(f"n{axis}", types.intp) for axis in range(view.ndim)]
        super().__init__(manager, view, [("data", types.CPointer(view.dtype)), *lengths])


def _item_type(view: Any, index: Any) -> Any:
    """What a view has at an index: an item, or a row of a table; None if neither."""
    if isinstance(index, types.Integer):
        rest = view.ndim - 1
    elif isinstance(index, types.BaseTuple):
        rest = view.ndim - len(index)
        if not all(isinstance(part, types.Integer) for part in index):
            return None
    else:
        return None
    if rest < 0:
        return None
    return view.dtype if rest == 0 else View(view.dtype, rest)


@infer_global(operator.getitem)
class _Get(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], View):
            item = _item_type(*args)
            return None if item is None else signature(item, *args)
        return None


@infer_global(operator.setitem)
class _Set(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], View) and _item_type(*args[:2]) == args[0].dtype:
            return signature(types.none, args[0], args[1], args[0].dtype)
        return None


@infer_global(len)
class _Length(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.intp, *args) if isinstance(args[0], View) else None


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = View

    def resolve_shape(self, view: View) -> Any:
        return types.UniTuple(types.intp, view.ndim)


def _parts(context: Any, builder: Any, view: View, value: Any) -> Any:
    """The address of the data, and the lengths of the axes."""
    fields = cgutils.create_struct_proxy(view)(context, builder, value)
    return fields.data, [getattr(fields, f"n{axis}") for axis in range(view.ndim)]


def _place(context: Any, builder: Any, view: View, value: Any, kind: Any, index: Any) -> Any:
    """The address at an index, and the lengths of the axes that are left."""
    data, lengths = _parts(context, builder, view, value)
    if isinstance(kind, types.Integer):
        kinds, indices = [kind], [index]
    else:
        kinds, indices = list(kind), cgutils.unpack_tuple(builder, index, len(kind))
    offset = None
    for axis, (part, number) in enumerate(zip(kinds, indices, strict=True)):
        number = context.cast(builder, number, part, types.intp)
        if offset is None:
            offset = number
        else:
            offset = builder.add(builder.mul(offset, lengths[axis]), number)
    for length in lengths[len(kinds) :]:
        offset = builder.mul(offset, length)
    return builder.gep(data, [offset], inbounds=True), lengths[len(kinds) :]


@lower_builtin(operator.getitem, View, types.Integer)
@lower_builtin(operator.getitem, View, types.BaseTuple)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view, kind = sig.args
    address, lengths = _place(context, builder, view, args[0], kind, args[1])
    if lengths:
        return sig.return_type.assembled(context, builder, address, lengths)
    return context.unpack_value(builder, view.dtype, address)


@lower_builtin(operator.setitem, View, types.Integer, types.Any)
@lower_builtin(operator.setitem, View, types.BaseTuple, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view, kind, _ = sig.args
    address, _ = _place(context, builder, view, args[0], kind, args[1])
    context.pack_value(builder, view.dtype, args[2], address)
    return context.get_dummy_value()


@lower_builtin(len, View)
def _len(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _parts(context, builder, sig.args[0], args[0])[1][0]


@lower_getattr(View, "shape")
def _shape(context: Any, builder: Any, view: View, value: Any) -> Any:
    lengths = _parts(context, builder, view, value)[1]
    return context.make_tuple(builder, types.UniTuple(types.intp, view.ndim), lengths)


def data_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The address of the data of an array or a view, as a pointer to bytes."""
    if isinstance(kind, View):
        data = _parts(context, builder, kind, value)[0]
    else:
        data = context.make_array(kind)(context, builder, value).data
    return builder.bitcast(data, ir.IntType(8).as_pointer())


def _is_ours(kind: Any) -> bool:
    """Whether a tuple is of the package; users' kernels may do with arrays what views cannot."""
    module = getattr(getattr(kind, "instance_class", None), "__module__", _PACKAGE)
    return module == _PACKAGE or module.startswith(_PACKAGE + ".")


def _borrowed_type(kind: Any) -> Any:
    if isinstance(kind, types.Array):
        return View(kind.dtype, kind.ndim) if kind.layout == "C" else kind
    if isinstance(kind, types.BaseTuple) and _is_ours(kind):
        parts = [_borrowed_type(part) for part in kind]
        if isinstance(kind, types.BaseNamedTuple):
            return _named(parts, kind.instance_class)
        return types.Tuple(parts)
    return kind


def _named(parts: list[Any], cls: Any) -> Any:
    if parts and all(part == parts[0] for part in parts):
        return types.NamedUniTuple(parts[0], len(parts), cls)
    return types.NamedTuple(parts, cls)


def _without_owner(context: Any, builder: Any, kind: Any, goal: Any, value: Any) -> Any:
    """The same value, of the borrowed type, without owners of memory."""
    if isinstance(goal, View):
        source = context.make_array(kind)(context, builder, value)
        lengths = [builder.extract_value(source.shape, axis) for axis in range(kind.ndim)]
        return goal.assembled(context, builder, source.data, lengths)
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = [
            _without_owner(context, builder, *pair, builder.extract_value(value, k))
            for k, pair in enumerate(zip(kind, goal, strict=True))
        ]
        return context.make_tuple(builder, goal, parts)
    return value


if numba.config.DISABLE_JIT:

    def borrowed(components: Any) -> Any:
        """The same components; plain Python counts references anyway."""
        return components

else:

    @intrinsic
    def borrowed(typingctx: Any, components: Any) -> Any:
        """The same components with views in place of arrays."""

        def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return _without_owner(context, builder, sig.args[0], sig.return_type, args[0])

        return _borrowed_type(components)(components), codegen
