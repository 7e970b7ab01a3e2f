"""The loops over the contacts of a step, eight at a time.

Where particles are smooth, the impulses of each contact are written down. With friction there are
four times as many numbers, and what was written would have left the caches before it is read: they
are added up for each particle at once.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.types import UniTuple, float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.lanes import (
    Lanes,
    ask_for,
    at,
    call,
    columns_of_eight,
    everywhere,
    f64,
    i32,
    i64,
    rows_of_eight,
)
from carom.compiled.views import data_of
from carom.methods.stepped.vectors.contact_forces import (
    LANES,
    along_normal,
    constant,
    cross,
    hold,
    no_masses,
    slip_of,
)
from carom.types import Array

ROW_LANES = 4
ROW = 32  # bytes, of four numbers
FELT_ROW = 96  # bytes, of twelve numbers
FOUR = ir.VectorType(f64, ROW_LANES)
# Differences of three columns and the sum of the fourth; the products are exact.
_MIRROR = ir.Constant(FOUR, [-1.0, -1.0, -1.0, 1.0])
# The second particle feels the opposite impulses, and the same torques.
_OPPOSITE = [
    ir.Constant(FOUR, signs)
    for signs in ([-1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0])
]
# What is summed: nine products of impulse and separation, the energy lost, the contacts begun, what
# a jump of the flow between images takes; and with friction the energy that springs have lost at
# once.
SUMS = 12
SUMS_WITH_FRICTION = 13


def _numbers_at(builder: Any, data: Any, places: list[Any]) -> list[Any]:
    """The whole numbers at some places of an array."""
    numbers = []
    for place in places:
        number = builder.load(at(builder, data, builder.mul(place, ir.Constant(i64, 4)), i32))
        numbers.append(builder.zext(number, i64))
    return numbers


def _address(builder: Any, data: Any, place: Any, size: int = ROW, offset: int = 0) -> Any:
    behind = builder.mul(place, ir.Constant(i64, size))
    return at(builder, data, builder.add(behind, ir.Constant(i64, offset)), FOUR)


def _rows_at(builder: Any, data: Any, places: list[Any]) -> list[Any]:
    rows = []
    for place in places:
        row = builder.load(_address(builder, data, place))
        row.align = ROW
        rows.append(row)
    return rows


def _columns(builder: Any, rows: list[Any]) -> list[Lanes]:
    return [Lanes(builder, column) for column in columns_of_eight(builder, rows)]


def _rows(builder: Any, columns: list[Lanes]) -> list[Any]:
    return rows_of_eight(builder, [column.value for column in columns])


def _relative(builder: Any, data: Any, first: list[Any], second: list[Any]) -> list[Lanes]:
    """Columns: the differences of three numbers of two rows, and the sum of the fourth."""
    rows = zip(_rows_at(builder, data, first), _rows_at(builder, data, second), strict=True)
    return _columns(builder, [builder.fadd(a, builder.fmul(b, _MIRROR)) for a, b in rows])


def _from_image(
    builder: Any, data: dict[str, Any], found: list[Any], given: dict[str, Any]
) -> tuple[list[Lanes], Lanes]:
    """Columns to add for contacts across the boundary: where the images of the first are, and how
    fast they go along x; see ``jump_of``."""
    images = []
    for place in found:
        images.append(builder.zext(builder.load(builder.gep(data["image"], [place])), i64))
    boxes = ir.Constant(ir.VectorType(f64, LANES), ir.Undefined)
    for lane, image in enumerate(images):
        layer = builder.urem(builder.udiv(image, ir.Constant(i64, 3)), ir.Constant(i64, 3))
        number = builder.sitofp(builder.sub(layer, ir.Constant(i64, 1)), f64)
        boxes = builder.insert_element(boxes, number, ir.Constant(i32, lane))
    shifts = _columns(builder, _rows_at(builder, data["shift"], images))[:3]
    return shifts, Lanes(builder, boxes) * given["jump"]


def _sum_up(builder: Any, totals: list[Any], d: list[Lanes], contact: dict[str, Any]) -> None:
    """Add eight contacts, those that are there, to the totals of each lane."""
    zero, one, valid = constant(builder, 0.0), constant(builder, 1.0), contact["valid"]
    impulse = [part.where(valid, zero) for part in contact["impulse"]]
    parts = [impulse[a] * d[b] for a in range(3) for b in range(3)]
    parts.append(contact["lost"].where(valid, zero))
    parts.append(one.where(builder.and_(contact["begun"], valid), zero))
    parts.append(impulse[0] * contact["jump"])
    if "slackened" in contact:
        parts.append(contact["slackened"].where(valid, zero))
    for total, part in zip(totals, parts, strict=True):
        builder.store(builder.fadd(builder.load(total), part.value), total)


def _given(builder: Any, values: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Numbers that are the same for all contacts, by name."""
    numbers = cgutils.unpack_tuple(builder, values, len(names))
    given: dict[str, Any] = {
        name: Lanes(builder, everywhere(builder, value, LANES))
        for name, value in zip(names, numbers, strict=True)
    }
    given["half"] = constant(builder, 0.5)
    given["quarter_dt"] = constant(builder, 0.25) * given["dt"]
    given["pulls"] = given["pulls"] > constant(builder, 0.0)
    given["remembered"] = no_masses(builder)
    if "inertia" in given:
        given["per_inertia"] = constant(builder, 1.0) / given["inertia"]
    return given


LIMITS = ("begin", "end", "is_far", "before", "few")
NORMAL = ("stiffness", "damping", "twice_ratio", "dt", "pulls", "jump")
TANGENTIAL = ("coefficient", "along", "share", "inertia", "step")


def _loop(builder: Any, data: dict[str, Any], limits: Any, given: dict[str, Any]) -> Any:
    """The loop over contacts found, eight at a time; the sums over them.

    LIMITS: where they begin and end, whether they are across the boundary, how many are written
    down before them, and whether they are few.
    """
    begin, end, is_far, before, few = cgutils.unpack_tuple(builder, limits, len(LIMITS))
    zero = constant(builder, 0.0)
    number_of_sums = SUMS_WITH_FRICTION if "surface" in data else SUMS
    totals = [cgutils.alloca_once_value(builder, zero.value) for _ in range(number_of_sums)]
    lanes = ir.Constant(ir.VectorType(i64, LANES), list(range(LANES)))
    is_far, few = (builder.icmp_unsigned("!=", flag, ir.Constant(i64, 0)) for flag in (is_far, few))
    with cgutils.for_range_slice(builder, begin, end, ir.Constant(i64, LANES)) as (place, _):
        places = [builder.add(place, ir.Constant(i64, lane)) for lane in range(LANES)]
        found = _numbers_at(builder, data["found"], places)
        first = _numbers_at(builder, data["first"], found)
        second = _numbers_at(builder, data["second"], found)
        d = _relative(builder, data["sphere"], first, second)
        w = _relative(builder, data["velocity"], first, second)
        moved = [d[0], d[1], d[2], w[0], zero]
        kept = [cgutils.alloca_once_value(builder, column.value) for column in moved]
        for store, column in zip(kept, moved, strict=True):
            builder.store(column.value, store)
        with builder.if_then(is_far):
            shifts, jump = _from_image(builder, data, found, given)
            for store, column, more in zip(kept, moved, [*shifts, jump, jump], strict=True):
                builder.store((column + more).value, store)
        *shifted, across, jump = [Lanes(builder, builder.load(store)) for store in kept]
        d, w = [*shifted, d[3]], [across, *w[1:]]
        contact = along_normal(builder, d, w, given)
        counted = builder.add(everywhere(builder, place, LANES), lanes)
        contact["valid"] = builder.icmp_unsigned("<", counted, everywhere(builder, end, LANES))
        contact["jump"] = jump
        _ask_ahead(builder, data, place, end, builder.or_(is_far, few))
        if "surface" in data:
            _rub(builder, data, given, w, contact, (first, second, found))
        else:
            for name, part in (("push", "impulse"), ("loss", "loss")):
                rows = _rows(builder, [*contact[part], zero])
                for k, row in zip(places, rows, strict=True):
                    k = builder.add(k, before)
                    builder.store(row, _address(builder, data[name], k)).align = ROW
        _sum_up(builder, totals, d, contact)
    start, name = ir.Constant(f64, 0.0), f"llvm.vector.reduce.fadd.v{LANES}f64"
    return [call(builder, name, f64, start, builder.load(total)) for total in totals]


# Contacts ahead for which is asked: nobody can guess where in memory the second particles are, and
# stretches, those of all listed pairs, are in no cache.
AHEAD = 24


def _ask_ahead(builder: Any, data: dict[str, Any], place: Any, end: Any, is_scattered: Any) -> None:
    """Ask for what is of the particles and contacts that come soon.

    First particles follow each other in memory, unless contacts are few or come from everywhere.
    """
    ahead = builder.add(place, ir.Constant(i64, AHEAD))
    ahead = builder.select(builder.icmp_signed("<", ahead, end), ahead, place)
    places = [builder.add(ahead, ir.Constant(i64, lane)) for lane in range(LANES)]
    found = _numbers_at(builder, data["found"], places)
    if "stretch" in data:
        for source in _numbers_at(builder, data["source"], found):
            ask_for(builder, _address(builder, data["stretch"], source))
    _ask_for_particles(builder, data, _numbers_at(builder, data["second"], found))
    with builder.if_then(is_scattered):
        _ask_for_particles(builder, data, _numbers_at(builder, data["first"], found))


def _ask_for_particles(builder: Any, data: dict[str, Any], who: list[Any]) -> None:
    for place in who:
        ask_for(builder, _address(builder, data["sphere"], place))
        ask_for(builder, _address(builder, data["velocity"], place))
    if "felt" in data:
        for place, particle in zip(who, _numbers_at(builder, data["particle"], who), strict=True):
            ask_for(builder, _address(builder, data["surface"], particle))
            ask_for(builder, _address(builder, data["felt"], place, FELT_ROW))
            ask_for(builder, _address(builder, data["felt"], place, FELT_ROW, 2 * ROW))


def _rub(
    builder: Any,
    data: dict[str, Any],
    given: dict[str, Any],
    w: list[Lanes],
    contact: dict[str, Any],
    numbers: tuple[list[Any], list[Any], list[Any]],
) -> None:
    """Add friction to eight contacts; keep stretches, and let the particles feel all of it."""
    first, second, found = numbers
    of_first, of_second = (
        _rows_at(builder, data["surface"], _numbers_at(builder, data["particle"], who))
        for who in (first, second)
    )
    surfaces = [builder.fadd(a, b) for a, b in zip(of_first, of_second, strict=True)]
    contact["slip"] = slip_of(w, contact, _columns(builder, surfaces)[:3])
    source = _numbers_at(builder, data["source"], found)
    kept = _columns(builder, _rows_at(builder, data["stretch"], source))
    held = hold(builder, w, contact, given, kept)
    following = given["step"] + constant(builder, 1.0)
    turns = []
    for name in ("impulse", "loss"):
        turns += [contact["arm"] * part for part in cross(contact["normal"], held[name])]
        contact[name] = [a + b for a, b in zip(contact[name], held[name], strict=True)]
    # At the velocities after the step, too, images go with the flow, which particles do not feel.
    carried = given["half"] * contact["loss"][0] * contact["jump"]
    contact["lost"] = contact["lost"] + held["lost"] - carried
    contact["slackened"] = held["slackened"]
    columns = [*contact["impulse"], *contact["loss"], *turns]
    felt = [_rows(builder, columns[k : k + ROW_LANES]) for k in (0, 4, 8)]
    stretch = _rows(builder, [*held["stretch"], following])
    for lane in range(LANES):
        valid = builder.extract_element(contact["valid"], ir.Constant(i32, lane))
        # Beyond the end of what was found stand places that others may have written to.
        with builder.if_then(valid, likely=True):
            address = _address(builder, data["stretch"], source[lane])
            builder.store(stretch[lane], address).align = ROW
            rows = [part[lane] for part in felt]
            _feel(builder, data["felt"], first[lane], rows)
            opposite = [builder.fmul(a, b) for a, b in zip(rows, _OPPOSITE, strict=True)]
            _feel(builder, data["felt"], second[lane], opposite)


def _feel(builder: Any, felt: Any, place: Any, rows: list[Any]) -> None:
    """Add twelve numbers to what a particle feels."""
    for k, row in enumerate(rows):
        address = _address(builder, felt, place, FELT_ROW, k * ROW)
        so_far = builder.load(address)
        so_far.align = ROW
        builder.store(builder.fadd(so_far, row), address).align = ROW


def _code(names: tuple[str, ...], numbers: tuple[str, ...]) -> Any:
    """Code that runs the loop over arrays and numbers with these names."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = {
            name: data_of(context, builder, kind, value)
            for name, kind, value in zip(names, signature.args, args, strict=False)
        }
        given = _given(builder, args[-1], numbers)
        sums = _loop(builder, data, args[-2], given)
        return context.make_tuple(builder, signature.return_type, sums)

    return codegen


SMOOTH = ("sphere", "velocity", "first", "second", "found", "image", "shift", "push", "loss")
ROUGH = (
    *("sphere", "velocity", "first", "second", "found", "image", "shift"),
    *("particle", "surface", "source", "stretch", "felt"),
)


@intrinsic
def squeeze_all(
    typingctx: Any,
    sphere: Array,
    velocity: Any,
    first: Any,
    second: Any,
    found: Any,
    image: Any,
    shift: Any,
    push: Any,
    loss: Any,
    limits: Any,
    given: Any,
) -> Any:
    """Write the impulses of some of the contacts found into ``push``, and what of them takes energy
    into ``loss``; twelve sums over them.

    For contacts across the boundary ``image`` says where the second is. ``given`` are the numbers
    NORMAL. ``found``, ``push`` and ``loss`` have room for seven more.
    """
    arrays = (sphere, velocity, first, second, found, image, shift, push, loss)
    numbers = UniTuple(float64, len(NORMAL))
    signature = UniTuple(float64, SUMS)(*arrays, UniTuple(int64, len(LIMITS)), numbers)
    return signature, _code(SMOOTH, NORMAL)


@intrinsic
def rub_all(
    typingctx: Any,
    sphere: Array,
    velocity: Any,
    first: Any,
    second: Any,
    found: Any,
    image: Any,
    shift: Any,
    particle: Any,
    surface: Any,
    source: Any,
    stretch: Any,
    felt: Any,
    limits: Any,
    given: Any,
) -> Any:
    """Add what some of the contacts found do, friction included, to what particles feel;
    thirteen sums over them. ``given`` are the numbers NORMAL and TANGENTIAL."""
    arrays = (
        *(sphere, velocity, first, second, found, image, shift),
        *(particle, surface, source, stretch, felt),
    )
    numbers = NORMAL + TANGENTIAL
    sums = UniTuple(float64, SUMS_WITH_FRICTION)
    signature = sums(*arrays, UniTuple(int64, len(LIMITS)), UniTuple(float64, len(numbers)))
    return signature, _code(ROUGH, numbers)
