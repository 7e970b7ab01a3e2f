"""Springs, dashpots and friction of eight contacts at a time: the formulas.

In dense systems most of the time is spent here. The functions below write what is in ``squeeze.py``
and ``rubbing.py`` for linear springs in the compiler's own vectors: impulses agree with those of
the plain formulas to the last bit.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from carom.compiled.lanes import Lanes, f64

LANES = 8
VECTOR = ir.VectorType(f64, LANES)


def constant(builder: Any, value: float) -> Lanes:
    """The same number in all lanes."""
    return Lanes(builder, ir.Constant(VECTOR, [value] * LANES))


def dot(a: list[Lanes], b: list[Lanes]) -> Lanes:
    """a . b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _any_of(builder: Any, bits: Any) -> Any:
    """Whether a bit of any lane is set."""
    number = builder.bitcast(bits, ir.IntType(LANES))
    return builder.icmp_unsigned("!=", number, ir.Constant(ir.IntType(LANES), 0))


def cross(a: list[Lanes], b: list[Lanes]) -> list[Lanes]:
    """a × b"""
    return [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]


def _lagging(builder: Any, dashpot: Lanes, given: dict[str, Any], per_mass: Lanes) -> Lanes:
    """See dashpots.py."""
    one, share = constant(builder, 1.0), given["quarter_dt"] * per_mass * dashpot
    return dashpot * ((one + share * share).root() - share)


def no_masses(builder: Any) -> list[Any]:
    """Where ``_dashpots`` remembers its last answer; nothing yet, which equals no mass."""
    return [cgutils.alloca_once_value(builder, constant(builder, math.nan).value) for _ in range(3)]


def _dashpots(builder: Any, per_mass: Lanes, given: dict[str, Any]) -> tuple[Lanes, Lanes]:
    """The damping coefficients, and what makes up for their lag.

    They depend on the masses alone, which are often the same for all.
    """
    last, dashpots, brakings = given["remembered"]
    same = Lanes(builder, builder.load(last)).equals(per_mass)
    with builder.if_then(_any_of(builder, builder.not_(same))):
        mass = constant(builder, 1.0) / per_mass
        dashpot = given["damping"] + given["twice_ratio"] * (given["stiffness"] * mass).root()
        braking = _lagging(builder, dashpot, given, per_mass)
        for store, value in ((last, per_mass), (dashpots, dashpot), (brakings, braking)):
            builder.store(value.value, store)
    return Lanes(builder, builder.load(dashpots)), Lanes(builder, builder.load(brakings))


def along_normal(
    builder: Any, d: list[Lanes], w: list[Lanes], given: dict[str, Any]
) -> dict[str, Any]:
    """Force, energy lost and more along the normal; see ``squeezed`` and ``thrust_of``."""
    one, dt = constant(builder, 1.0), given["dt"]
    distance = dot(d, d).root()
    inverse = one / distance
    normal = [part * inverse for part in d[:3]]
    spring = given["stiffness"] * (d[3] - distance)
    dashpot, braking = _dashpots(builder, w[3], given)
    before = -dot(w, normal)
    force = spring + braking * before
    zero = constant(builder, 0.0)
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
        "begun": dot(back, back) >= d[3] * d[3],
    }


def slip_of(w: list[Lanes], contact: dict[str, Any], surfaces: list[Lanes]) -> list[Lanes]:
    """The slip of the surfaces along the plane of contact; see ``_slip`` in rubbing.py."""
    normal, arm = contact["normal"], contact["arm"]
    turning = [arm * part for part in cross(surfaces, normal)]
    relative = [speed - turn for speed, turn in zip(w[:3], turning, strict=True)]
    along = -dot(relative, normal)
    return [part + along * n for part, n in zip(relative, normal, strict=True)]


def hold(
    builder: Any, w: list[Lanes], contact: dict[str, Any], given: dict[str, Any], kept: list[Lanes]
) -> dict[str, Any]:
    """Tangential impulse, energy lost and new stretch; see ``_hold`` in rubbing.py."""
    zero, one = constant(builder, 0.0), constant(builder, 1.0)
    stiffness, dt, slip = given["along"], given["dt"], contact["slip"]
    known = kept[3].equals(given["step"])
    before = [part.where(known, zero) for part in kept[:3]]
    tilted = -dot(before, contact["normal"])
    turned = [part + tilted * n for part, n in zip(before, contact["normal"], strict=True)]
    stretch = [
        (part + dt * speed).where(known, zero) for part, speed in zip(turned, slip, strict=True)
    ]
    per_mass = w[3] * (one + contact["arm"] * contact["arm"] * given["per_inertia"])
    dashpot = _lagging(builder, given["share"] * contact["dashpot"], given, per_mass)
    pull = [-stiffness * part + -dashpot * speed for part, speed in zip(stretch, slip, strict=True)]
    square = dot(pull, pull)
    limit = given["coefficient"] * contact["force"].where(contact["force"] > zero, zero)
    slides = square > limit * limit
    kept_weaker = cgutils.alloca_once(builder, one.value.type)
    builder.store(one.value, kept_weaker)
    with builder.if_then(_any_of(builder, slides)):
        builder.store((limit / square.root()).where(slides, one).value, kept_weaker)
    weaker = Lanes(builder, builder.load(kept_weaker))
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
    slackened = energy * dot(before, before) - energy * dot(stretch, stretch)
    slackened = slackened.where(slides, energy * (tilted * tilted))
    return {
        "impulse": impulse,
        "loss": loss,
        "lost": -given["half"] * dot(loss, slip),
        "slackened": slackened,
        "stretch": stretch,
    }
