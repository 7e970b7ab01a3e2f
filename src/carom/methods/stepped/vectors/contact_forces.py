"""Springs, dashpots and friction of four contacts at a time.

In dense systems most of the time is spent here. The functions below write the loops of ``soft.py``
and ``friction.py`` for linear springs in the compiler's own vectors: impulses agree with those of
the plain loops to the last bit, sums up to the order of summation.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils
from numba.core.types import UniTuple, float64, int64  # type: ignore[attr-defined]
from numba.extending import intrinsic

from carom.compiled.lanes import (
    Four,
    at,
    call,
    everywhere,
    f64,
    four_of,
    i32,
    i64,
    rows_of,
    transposed,
)
from carom.compiled.views import data_of
from carom.types import Array

LANES = 4
ROW = 32  # bytes, of four numbers
VECTOR = ir.VectorType(f64, LANES)
# Differences of three columns and the sum of the fourth; the products are exact.
_MIRROR = ir.Constant(VECTOR, [-1.0, -1.0, -1.0, 1.0])
# What is summed: nine products of impulse and separation, the energy lost, the contacts begun; and
# with friction the energy that springs have lost at once.
SUMS = 11
SUMS_WITH_FRICTION = 12


def _constant(builder: Any, value: float) -> Four:
    return Four(builder, ir.Constant(VECTOR, [value] * LANES))


def _dot(a: list[Four], b: list[Four]) -> Four:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: list[Four], b: list[Four]) -> list[Four]:
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]


def _columns(builder: Any, rows: list[Any]) -> list[Four]:
    return [Four(builder, column) for column in transposed(builder, rows)]


def _relative(builder: Any, data: Any, first: Any, second: Any) -> list[Four]:
    """Columns: the differences of three numbers of two rows, and the sum of the fourth."""
    of_first = rows_of(builder, data, first, ROW)
    of_second = rows_of(builder, data, second, ROW)
    rows = [
        builder.fadd(a, builder.fmul(b, _MIRROR)) for a, b in zip(of_first, of_second, strict=True)
    ]
    return _columns(builder, rows)


def _numbers_at(builder: Any, data: Any, places: Any) -> Any:
    """The whole numbers (4 x i32) at four places of an array."""
    numbers = ir.Constant(ir.VectorType(i32, LANES), ir.Undefined)
    for lane in range(LANES):
        place = builder.extract_element(places, ir.Constant(i32, lane))
        offset = builder.mul(builder.zext(place, i64), ir.Constant(i64, 4))
        number = builder.load(at(builder, data, offset, i32))
        numbers = builder.insert_element(numbers, number, ir.Constant(i32, lane))
    return numbers


def _write_rows(
    builder: Any, data: Any, places: list[Any], columns: list[Four], valid: Any
) -> None:
    """Write columns as rows at four places of an array, as far as they are valid."""
    rows = transposed(builder, [column.value for column in columns])
    for lane, (place, row) in enumerate(zip(places, rows, strict=True)):
        address = at(builder, data, builder.mul(place, ir.Constant(i64, ROW)), VECTOR)
        if valid is None:
            builder.store(row, address).align = ROW
            continue
        with builder.if_then(builder.extract_element(valid, ir.Constant(i32, lane)), likely=True):
            builder.store(row, address).align = ROW


def _lagging(builder: Any, dashpot: Four, given: dict[str, Any], per_mass: Four) -> Four:
    """See dashpots.py."""
    one, share = _constant(builder, 1.0), given["quarter_dt"] * per_mass * dashpot
    return dashpot * ((one + share * share).root() - share)


def _normal(builder: Any, d: list[Four], w: list[Four], given: dict[str, Any]) -> dict[str, Any]:
    """Force, energy lost and more along the normal; see ``squeezed`` and ``normal_force``."""
    one, dt = _constant(builder, 1.0), given["dt"]
    distance = _dot(d, d).root()
    inverse = one / distance
    normal = [part * inverse for part in d[:3]]
    spring = given["stiffness"] * (d[3] - distance)
    dashpot = given["damping"] + given["twice_ratio"] * (given["stiffness"] * (one / w[3])).root()
    before = -_dot(w, normal)
    force = spring + _lagging(builder, dashpot, given, w[3]) * before
    zero = _constant(builder, 0.0)
    force = force.where(builder.or_(given["pulls"], force > zero), zero)
    damped = dt * (force - spring)
    back = [part - dt * speed for part, speed in zip(d[:3], w[:3], strict=True)]
    return {
        "arm": distance / d[3],
        "normal": normal,
        "dashpot": dashpot,
        "force": force,
        "lost": given["half"] * damped * before,
        "loss": [damped * part for part in normal],
        "impulse": [dt * force * part for part in normal],
        "begun": _dot(back, back) >= d[3] * d[3],
    }


def _slip(w: list[Four], contact: dict[str, Any], surfaces: list[Four]) -> list[Four]:
    """The slip of the surfaces along the plane of contact; see ``_slip`` in friction.py."""
    normal, arm = contact["normal"], contact["arm"]
    turning = [arm * part for part in _cross(surfaces, normal)]
    relative = [speed - turn for speed, turn in zip(w[:3], turning, strict=True)]
    along = -_dot(relative, normal)
    return [part + along * n for part, n in zip(relative, normal, strict=True)]


def _hold(
    builder: Any, w: list[Four], contact: dict[str, Any], given: dict[str, Any], kept: list[Four]
) -> dict[str, Any]:
    """Tangential impulse, energy lost and new stretch; see ``_hold`` in friction.py."""
    zero, one = _constant(builder, 0.0), _constant(builder, 1.0)
    stiffness, dt, slip = given["along"], given["dt"], contact["slip"]
    known = kept[3].equals(given["step"])
    before = [part.where(known, zero) for part in kept[:3]]
    tilted = -_dot(before, contact["normal"])
    turned = [part + tilted * n for part, n in zip(before, contact["normal"], strict=True)]
    stretch = [
        (part + dt * speed).where(known, zero) for part, speed in zip(turned, slip, strict=True)
    ]
    per_mass = w[3] * (one + contact["arm"] * contact["arm"] / given["inertia"])
    dashpot = _lagging(builder, given["share"] * contact["dashpot"], given, per_mass)
    pull = [-stiffness * part + -dashpot * speed for part, speed in zip(stretch, slip, strict=True)]
    strength = _dot(pull, pull).root()
    limit = given["coefficient"] * contact["force"].where(contact["force"] > zero, zero)
    slides = strength > limit
    weaker = (limit / strength).where(slides, one)
    pull = [weaker * part for part in pull]
    loose = builder.and_(slides, stiffness > zero)
    slack = -one / stiffness
    stretch = [(slack * part).where(loose, old) for part, old in zip(pull, stretch, strict=True)]
    impulse, energy, braking = (
        [dt * part for part in pull],
        given["half"] * stiffness,
        -dt * dashpot,
    )
    loss = [a.where(slides, braking * speed) for a, speed in zip(impulse, slip, strict=True)]
    slackened = energy * _dot(before, before) - energy * _dot(stretch, stretch)
    slackened = slackened.where(slides, energy * (tilted * tilted))
    return {
        "impulse": impulse,
        "loss": loss,
        "lost": -given["half"] * _dot(loss, slip),
        "slackened": slackened,
        "stretch": stretch,
    }


def _sum_up(builder: Any, totals: list[Any], d: list[Four], contact: dict[str, Any]) -> None:
    """Add four contacts, those that are there, to the totals of each lane."""
    zero, one, valid = _constant(builder, 0.0), _constant(builder, 1.0), contact["valid"]
    impulse = [part.where(valid, zero) for part in contact["impulse"]]
    parts = [impulse[a] * d[b] for a in range(3) for b in range(3)]
    parts.append(contact["lost"].where(valid, zero))
    parts.append(one.where(builder.and_(contact["begun"], valid), zero))
    if "slackened" in contact:
        parts.append(contact["slackened"].where(valid, zero))
    for total, part in zip(totals, parts, strict=True):
        builder.store(builder.fadd(builder.load(total), part.value), total)


def _given(builder: Any, values: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Numbers that are the same for all contacts, by name."""
    numbers = cgutils.unpack_tuple(builder, values, len(names))
    given: dict[str, Any] = {
        name: Four(builder, everywhere(builder, value, LANES))
        for name, value in zip(names, numbers, strict=True)
    }
    given["half"] = _constant(builder, 0.5)
    given["quarter_dt"] = _constant(builder, 0.25) * given["dt"]
    given["pulls"] = given["pulls"] > _constant(builder, 0.0)
    return given


NORMAL = ("stiffness", "damping", "twice_ratio", "dt", "pulls")
TANGENTIAL = ("coefficient", "along", "share", "inertia", "step")


def _loop(builder: Any, data: dict[str, Any], number: Any, given: dict[str, Any]) -> Any:
    """The loop over all contacts found, four at a time; the sums over them."""
    zero = _constant(builder, 0.0)
    number_of_sums = SUMS_WITH_FRICTION if "surface" in data else SUMS
    totals = [cgutils.alloca_once_value(builder, zero.value) for _ in range(number_of_sums)]
    lanes = ir.Constant(ir.VectorType(i64, LANES), list(range(LANES)))
    groups = builder.lshr(builder.add(number, ir.Constant(i64, LANES - 1)), ir.Constant(i64, 2))
    with cgutils.for_range(builder, groups) as loop:
        place = builder.mul(loop.index, ir.Constant(i64, LANES))
        found = four_of(builder, data["found"], place, i32, 4)
        first = _numbers_at(builder, data["first"], found)
        second = _numbers_at(builder, data["second"], found)
        d = _relative(builder, data["sphere"], first, second)
        w = _relative(builder, data["velocity"], first, second)
        contact = _normal(builder, d, w, given)
        counted = builder.add(everywhere(builder, place, LANES), lanes)
        contact["valid"] = builder.icmp_unsigned("<", counted, everywhere(builder, number, LANES))
        places = [builder.add(place, ir.Constant(i64, lane)) for lane in range(LANES)]
        if "surface" in data:
            _rub(builder, data, given, w, contact, (first, second, found), places, number)
        _sum_up(builder, totals, d, contact)
        _write_rows(builder, data["push"], places, [*contact["impulse"], zero], None)
        _write_rows(builder, data["loss"], places, [*contact["loss"], zero], None)
    start, name = ir.Constant(f64, 0.0), "llvm.vector.reduce.fadd.v4f64"
    return [call(builder, name, f64, start, builder.load(total)) for total in totals]


# Contacts ahead for which stretches are asked for: those of all listed pairs are in no cache.
AHEAD = 16


def _ask_ahead(builder: Any, data: dict[str, Any], place: Any, number: Any) -> None:
    """Ask for the stretches that will be needed soon."""
    ahead = builder.add(place, ir.Constant(i64, AHEAD))
    ahead = builder.select(builder.icmp_unsigned("<", ahead, number), ahead, place)
    found = four_of(builder, data["found"], ahead, i32, 4)
    source = _numbers_at(builder, data["source"], found)
    for lane in range(LANES):
        row = builder.zext(builder.extract_element(source, ir.Constant(i32, lane)), i64)
        address = builder.gep(data["stretch"], [builder.mul(row, ir.Constant(i64, ROW))])
        hints = [ir.Constant(i32, value) for value in (0, 3, 1)]  # to read, kept, data
        call(builder, "llvm.prefetch.p0", ir.VoidType(), address, *hints)


def _rub(
    builder: Any,
    data: dict[str, Any],
    given: dict[str, Any],
    w: list[Four],
    contact: dict[str, Any],
    numbers: tuple[Any, Any, Any],
    places: list[Any],
    number: Any,
) -> None:
    """Add friction to four contacts; keep stretches and twists."""
    first, second, found = numbers
    of_first, of_second = (
        rows_of(builder, data["surface"], _numbers_at(builder, data["particle"], who), ROW)
        for who in (first, second)
    )
    surfaces = [builder.fadd(a, b) for a, b in zip(of_first, of_second, strict=True)]
    contact["slip"] = _slip(w, contact, _columns(builder, surfaces)[:3])
    source = _numbers_at(builder, data["source"], found)
    _ask_ahead(builder, data, places[0], number)
    kept = _columns(builder, rows_of(builder, data["stretch"], source, ROW))
    held = _hold(builder, w, contact, given, kept)
    sources = [
        builder.zext(builder.extract_element(source, ir.Constant(i32, lane)), i64)
        for lane in range(LANES)
    ]
    following = given["step"] + _constant(builder, 1.0)
    # Beyond the end of what was found stand places that others may have written to.
    _write_rows(builder, data["stretch"], sources, [*held["stretch"], following], contact["valid"])
    for kept_as, name in (("twist", "impulse"), ("drag", "loss")):
        twists = [contact["arm"] * part for part in _cross(contact["normal"], held[name])]
        _write_rows(builder, data[kept_as], places, [*twists, _constant(builder, 0.0)], None)
        contact[name] = [a + b for a, b in zip(contact[name], held[name], strict=True)]
    contact["lost"] = contact["lost"] + held["lost"]
    contact["slackened"] = held["slackened"]


def _squeeze(names: tuple[str, ...], numbers: tuple[str, ...]) -> Any:
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


SMOOTH = ("sphere", "velocity", "first", "second", "found", "push", "loss")
ROUGH = (*SMOOTH, "particle", "surface", "source", "stretch", "twist", "drag")


@intrinsic
def squeeze_four(
    typingctx: Any,
    sphere: Array,
    velocity: Any,
    first: Any,
    second: Any,
    found: Any,
    push: Any,
    loss: Any,
    number: Any,
    given: Any,
) -> Any:
    """Write the impulses of all contacts found into ``push``, and what of them takes energy into
    ``loss``; eleven sums over them.

    ``given`` are the numbers NORMAL. ``found``, ``push`` and ``loss`` have room for three more.
    """
    arrays = (sphere, velocity, first, second, found, push, loss)
    signature = UniTuple(float64, SUMS)(*arrays, int64, UniTuple(float64, len(NORMAL)))
    return signature, _squeeze(SMOOTH, NORMAL)


@intrinsic
def rub_four(
    typingctx: Any,
    sphere: Array,
    velocity: Any,
    first: Any,
    second: Any,
    found: Any,
    push: Any,
    loss: Any,
    particle: Any,
    surface: Any,
    source: Any,
    stretch: Any,
    twist: Any,
    drag: Any,
    number: Any,
    given: Any,
) -> Any:
    """``squeeze_four`` with friction; ``given`` are the numbers NORMAL and TANGENTIAL."""
    arrays = (
        sphere,
        velocity,
        first,
        second,
        found,
        push,
        loss,
        particle,
        surface,
        source,
        stretch,
        twist,
        drag,
    )
    numbers = NORMAL + TANGENTIAL
    sums = UniTuple(float64, SUMS_WITH_FRICTION)
    signature = sums(*arrays, int64, UniTuple(float64, len(numbers)))
    return signature, _squeeze(ROUGH, numbers)
