"""Laws, forces, flows and drags that users write: what works, and what is refused in words."""

from __future__ import annotations

import enum
import math
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from refusals import assert_refused

import carom
from carom.collisions import restitution, tangential_restitution
from carom.compiled.components import check_parameters, in_floats
from carom.drags import resistance
from carom.fluids import velocity
from carom.forces import force

SIMPLE = carom.EventDriven("simple")
ONE = carom.Particles([[0.0, 0.0]])


def law_with(function: Any) -> type:
    """A law with one parameter that nobody has compiled yet."""

    class Own(NamedTuple):
        parameter: Any

    restitution.register(Own)(function)
    return Own


def head_on(law: Any) -> carom.Simulation:
    """A pair that is about to collide at the speed 2."""
    particles = carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]])
    return carom.Simulation(carom.System(particles, law=law), method=SIMPLE)


class Shade(enum.IntEnum):
    RED = 1


class Holder(NamedTuple):
    """Whatever it is given."""

    parameter: Any
    inner: Any = 0.0


UNFIT: dict[str, Any] = {
    "word": "fast",
    "bytes": b"fast",
    "list": [0.5],
    "dict": {"a": 1},
    "set": {1},
    "nothing": None,
    "function": math.sin,
    "type": float,
    "enum": Shade.RED,
    "too many bits": 2**63,
    "objects": np.array([0.5, None]),
    "words": np.array(["a"]),
    "times": np.array([1], dtype="datetime64[s]"),
    "records": np.zeros(1, dtype=[("a", float)]),
    "other byte order": np.ones(2, dtype=np.dtype(float).newbyteorder()),
    "half": np.float16(0.5),
    "masked": np.ma.ones(2),
    "in a tuple": (0.5, (1, "fast")),
    "in a law in a tuple": (0.5, Holder("fast")),
    "in a law": Holder(0.5, Holder("fast")),
}
FIT: dict[str, Any] = {
    "number": 0.5,
    "whole number": -(2**63),
    "truth": True,
    "complex": 0.5j,
    "single": np.float32(0.5),
    "of NumPy": np.int8(1),
    "tuple": (0.5, (1, True), ()),
    "array": np.ones((2, 3)),
    "array of singles": np.ones(2, dtype=np.float32),
    "array without axes": np.array(0.5),
    "part of an array": np.ones(6)[::2],
    "read-only": np.broadcast_to(1.0, 3),
    "law": carom.Elastic(),
    "laws in a tuple": (carom.Elastic(), carom.ConstantRestitution(1)),
}


@pytest.mark.parametrize("case", UNFIT)
def test_what_compiled_code_cannot_hold_is_refused_by_its_name(case: str) -> None:
    assert_refused(
        lambda: check_parameters("law", Holder(0.5, UNFIT[case])), "^law: .*Holder", error=TypeError
    )


@pytest.mark.parametrize("case", FIT)
def test_what_compiled_code_can_hold_is_let_through(case: str) -> None:
    check_parameters("law", Holder(0.5, FIT[case]))


def test_every_door_refuses_words_and_lists() -> None:
    """Each of them ended the process, with SIGABRT, as soon as it was run."""

    class Own(NamedTuple):
        name: Any

    restitution.register(Own)(carom.kernel(lambda contact, law: 1.0))
    force.register(Own)(carom.kernel(lambda body, law: (0.0, 0.0, 0.0)))
    velocity.register(Own)(carom.kernel(lambda place, flow: (0.0, 0.0, 0.0)))
    resistance.register(Own)(carom.kernel(lambda slip, radius, drag: 1.0))
    uniform = carom.fluids.Uniform()
    laden = carom.Laden(Own("a"), 0.1, 1.0)
    for make, what in (
        (lambda: carom.System(ONE, law=Own("a")), "law"),
        (lambda: carom.System(ONE, law=carom.ContactDuration(Own("a"), 0.1)), "law"),
        (lambda: carom.System(ONE, force=Own(["a"])), "force"),
        (lambda: carom.Simulation(carom.System(ONE), method=laden), "fluid"),
        (lambda: carom.Laden(uniform, 0.1, 1.0, drag=Own("a")), "drag"),
    ):
        assert_refused(make, f"^{what}: the parameter name of Own is .*'a'", error=TypeError)


@pytest.mark.parametrize("wrong", ["a", None, np.ones(2), 1j, 10**400])
def test_the_packages_own_laws_refuse_what_is_no_number(wrong: Any) -> None:
    for law in (
        carom.ConstantRestitution(wrong),
        carom.ViscoelasticRestitution(1.0, wrong, 0.1),
        carom.RoughRestitution(0.5, wrong),
        carom.ContactDuration(carom.Elastic(), wrong),
    ):
        name = type(law).__name__
        assert_refused(
            lambda law=law: carom.System(ONE, law=law), name, error=(TypeError, ValueError)
        )
    for trap in (carom.forces.HarmonicTrap(1.0, wrong, 0.0), carom.forces.LinearDrag(wrong)):
        name = type(trap).__name__
        assert_refused(
            lambda trap=trap: carom.System(ONE, force=trap), name, error=(TypeError, ValueError)
        )


def test_numbers_of_all_kinds_make_one_law() -> None:
    for number in (1, True, np.float32(1.0), np.int64(1), np.float64(1.0)):
        law = carom.ContactDuration(carom.ConstantRestitution(number), number)
        kept = carom.System(ONE, law=law).law
        assert [type(kept.law.coefficient), type(kept.duration)] == [float, float]
    assert in_floats(Holder(1, carom.Elastic())) == Holder(1, carom.Elastic())


def helper(x: float) -> float:
    return x


@pytest.mark.parametrize(
    ("function", "parts"),
    [
        (lambda contact, law: None, ["restitution of None"]),
        (lambda contact, law: (0.5,), [r"restitution of \(0.5,\)"]),
        (lambda contact, law: 0.5j, ["restitution of .*0.5j"]),
        (lambda contact, law: helper(0.5), ["'helper'", "test_own_components.py, line"]),
        (lambda contact, law: law.nothing, ["nothing", "test_own_components.py, line"]),
        (lambda contact, law: restitution(contact, law.parameter), ["cannot be used"]),
        (lambda contact, law: 1.0 if contact.wind else 0.0, ["wind"]),
    ],
)
@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler's errors")
@pytest.mark.parametrize("wrap", [carom.kernel, lambda function: function, numba.njit])
def test_a_wrong_function_is_named_with_its_file(function: Any, parts: Any, wrap: Any) -> None:
    own = law_with(wrap(function))
    assert_refused(lambda: carom.System(ONE, law=own(0.5)), "Own", *parts)


@pytest.mark.parametrize("function", [lambda contact: 1.0, lambda contact, law, more: 1.0])
def test_other_arguments_are_refused_at_once(function: Any) -> None:
    assert_refused(
        lambda: law_with(carom.kernel(function)),
        "restitution of Own",
        "test_own_components.py, line",
        r"it is called with \(contact, law\)",
        error=TypeError,
    )


def test_what_is_no_function_is_refused_at_once() -> None:
    assert_refused(lambda: law_with(0.5), "must be a function", "0.5", error=TypeError)
    assert_refused(lambda: law_with(math.sin), "must be a function", error=TypeError)


def test_a_type_that_nobody_has_registered_is_refused_in_the_same_words_by_compiled_code() -> None:
    class Unheard(NamedTuple):
        parameter: float

    @carom.kernel
    def asked(law: Any) -> float:
        return restitution(law, law)

    words = r"restitution is not defined for Unheard; .*Elastic.* @restitution.register\(Unheard\)"
    for ask in (asked, lambda law: restitution(law, law)):
        with pytest.raises((TypeError, numba.TypingError), match=words):
            ask(Unheard(0.5))


def test_a_law_that_reads_outside_its_array_is_stopped_and_saved_before(tmp_path: Path) -> None:
    """And one that reads inside runs, is saved, and goes on when handed over again.

    The contacts that are tried first are told from this one by their reduced mass.
    """

    @carom.kernel
    def beyond(contact: Any, law: Any) -> float:
        far = contact.reduced_mass > 1.0
        return law.parameter[1000 if far else 0][0]

    own = law_with(beyond)
    table = np.linspace(0.5, 1.0, 400).reshape(200, 2)
    right, wrong = head_on(own(table)), head_on(own(table))
    right.run(until=10.0)
    assert right.dissipated_energy == pytest.approx(0.75)

    heavy = carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]], mass=4.0)
    wrong = carom.Simulation(carom.System(heavy, law=own(table)), method=SIMPLE)
    wrong.save(tmp_path / "wrong.carom")
    with pytest.raises(carom.KernelError, match=r"IndexError.*test_own_components.py, line"):
        wrong.run(until=10.0)

    right.save(tmp_path / "right.carom")
    again = carom.load(tmp_path / "right.carom", law=own(table.copy()))
    assert again.dissipated_energy == right.dissipated_energy
    assert_refused(
        lambda: carom.load(tmp_path / "right.carom", law=own(table + 1e-9)),
        "would not continue",
        error=carom.CheckpointError,
    )
    with pytest.raises(carom.CheckpointError, match=r"law=Own\(parameter=<array of shape"):
        carom.load(tmp_path / "right.carom")


class Aiming(NamedTuple):
    """Parameters of every kind; a number that is none among them."""

    table: Any
    pair: tuple[float, Any]
    single: Any
    limit: float = math.nan
    phase: complex = 0.5j


@restitution.register(Aiming)
@carom.kernel
def _(contact: Any, law: Aiming) -> float:
    return law.table[0] * law.pair[0]


def test_parameters_of_every_kind_are_kept_and_compared(tmp_path: Path) -> None:
    def law(**changes: Any) -> Aiming:
        whole = Aiming(np.array([1.0, 0.5]), (0.5, np.int8(3)), np.float32(0.1))
        return whole._replace(**changes)

    path = tmp_path / "state.carom"
    head_on(carom.ContactDuration(law(), 0.0)).save(path)
    carom.load(path, law=carom.ContactDuration(law(), 0.0))
    for other in (
        {"table": np.array([1.0, 0.25])},
        {"table": np.array([1.0, 0.5], dtype=np.float32)},
        {"table": np.array([[1.0, 0.5]])},
        {"pair": (0.5, 4)},
        {"single": np.float32(0.2)},
        {"limit": 1.0},
        {"phase": 0.25j},
    ):
        changed = carom.ContactDuration(law(**other), 0.0)
        assert_refused(
            lambda changed=changed: carom.load(path, law=changed),
            "would not continue",
            error=carom.CheckpointError,
        )
    assert_refused(lambda: carom.load(path, law=0.5), "0.5", error=carom.CheckpointError)


class TestRegistering:
    def test_the_packages_types_are_its_own(self) -> None:
        """Compiled code with them is kept, for scripts that know nothing of this one."""
        before = dict(restitution.implementations)
        for function, kind in (
            (restitution, carom.ConstantRestitution),
            (tangential_restitution, carom.ConstantRestitution),  # which has none yet
            (force, carom.forces.LinearDrag),
            (velocity, carom.fluids.Uniform),
            (resistance, carom.drags.Stokes),
            (force, carom.collisions.Contact),
        ):
            assert_refused(
                lambda function=function, kind=kind: function.register(kind),
                kind.__name__,
                "carom's own",
                "NamedTuple of your own",
                error=TypeError,
            )
        assert_refused(lambda: restitution.otherwise(helper), "carom's own", error=TypeError)
        assert dict(restitution.implementations) == before
        with pytest.raises(TypeError):
            restitution.implementations[carom.Elastic] = helper

    @pytest.mark.parametrize("kind", [float, tuple, np.ndarray, object, "law", 0.5])
    def test_only_named_tuples_can_be_components(self, kind: Any) -> None:
        assert_refused(lambda: restitution.register(kind), "NamedTuple", error=TypeError)

    def test_a_type_derived_from_ours_is_ones_own(self) -> None:
        class Derived(carom.ConstantRestitution):
            pass

        assert_refused(
            lambda: carom.System(ONE, law=Derived(0.5)), "not a collision law", error=TypeError
        )
        restitution.register(Derived)(carom.kernel(lambda contact, law: 0.25))
        carom.System(ONE, law=Derived(0.5))
        contact = carom.collisions.Contact(1.0, 0.5, 0.25, math.inf)
        assert restitution(contact, Derived(0.5)) == 0.25
        assert restitution(contact, carom.ConstantRestitution(0.5)) == 0.5

    @pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")
    def test_a_function_is_replaced_until_it_is_compiled_into_a_run(self) -> None:
        """As in a notebook whose cells are run again, with changes."""
        own = law_with(carom.kernel(lambda contact, law: 0.5))
        carom.System(ONE, law=own(0.0))
        restitution.register(own)(carom.kernel(lambda contact, law: 0.0))
        first = head_on(own(0.0))
        first.run(until=2.0)
        assert first.dissipated_energy == pytest.approx(1.0)
        assert_refused(
            lambda: restitution.register(own),
            "compiled already",
            "Define Own again",
            error=TypeError,
        )
        # What was compiled without an implementation cannot get one either.
        assert_refused(
            lambda: tangential_restitution.register(own), "compiled already", error=TypeError
        )
        own = law_with(carom.kernel(lambda contact, law: 1.0))
        again = head_on(own(0.0))
        again.run(until=2.0)
        assert again.dissipated_energy == 0.0


POISON = """
import carom
from carom.collisions import restitution

try:
    @restitution.register(carom.ConstantRestitution)
    @carom.kernel
    def _(contact, law):
        return 1.0
except TypeError as refusal:
    print("refused:", refusal)
"""


def test_a_script_cannot_change_the_physics_of_others(tmp_path: Path, run_script: Any) -> None:
    script = tmp_path / "poison.py"
    script.write_text(POISON)
    result = run_script(script)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("refused: ConstantRestitution is carom's own")
