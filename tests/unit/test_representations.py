"""What people see of particles, systems, simulations and settings when they print them."""

from __future__ import annotations

from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom import fluids
from carom.representation import call_of, shortened


def test_particles_tell_their_number_kind_and_sizes() -> None:
    disks = carom.Particles([[1.0, 1.0], [3.0, 3.0]], radius=[0.25, 0.5], mass=2.0)
    assert repr(disks) == "<Particles: 2 disks, radius 0.25 to 0.5, mass 2>"
    assert repr(carom.Particles([[0.0, 0.0, 0.0]])) == "<Particles: 1 sphere, radius 0.5, mass 1>"


def test_systems_tell_all_that_acts_on_the_particles() -> None:
    one = carom.Particles([[1.0, 1.0]])
    plain = carom.System(one, carom.Periodic(4.0))
    assert repr(plain) == f"<System: 1 disk in {carom.Periodic(4.0)!r}, Elastic()>"
    floor, drag = carom.Plane((0.0, 0.0), (0.0, 1.0)), carom.forces.LinearDrag(1.0)
    full = carom.System(one, gravity=(0.0, -1.0), walls=[floor], force=drag)
    told = f"gravity [0.0, -1.0], 1 wall with the law of the particles, force {full.force!r}"
    assert repr(full) == f"<System: 1 disk in Open(), Elastic(), {told}>"


def test_simulations_tell_how_far_they_are_and_by_what() -> None:
    simulation = carom.Simulation(carom.System(carom.Particles([[1.0, 1.0]]), carom.Periodic(4.0)))
    assert repr(simulation) == "<Simulation: 1 disk at time 0 after 0 collisions, EventDriven>"


def loud(k: np.ndarray) -> np.ndarray:
    """A spectrum of one's own."""
    return k


AS_CALLS: dict[str, Any] = {
    "EventDriven()": carom.EventDriven(),
    "EventDriven(algorithm='heap', resting=True)": carom.EventDriven("heap", resting=True),
    "TimeStepped(dt=0.01, neighbours=VerletList(skin=0.2))": carom.TimeStepped(
        0.01, neighbours=carom.VerletList(0.2)
    ),
    "SoftContacts(stiffness=10000.0, friction=0.5)": carom.SoftContacts(1e4, friction=0.5),
    "Laden(fluid=TaylorGreen(), dt=0.1, relaxation_time=<array of shape (20,)>)": carom.Laden(
        fluids.TaylorGreen(), 0.1, np.ones(20)
    ),
    "Coupled(fluid=DiffusionFlow(grid=8, viscosity=0.1, forcing=StochasticForcing(seed=3)), "
    "dt=0.1, relaxation_time=PowerOfRadius(factor=2.0, exponent=1.0))": carom.Coupled(
        fluids.DiffusionFlow(8, 0.1, fluids.StochasticForcing(seed=3)),
        0.1,
        carom.PowerOfRadius(2.0, 1.0),
    ),
    "SyntheticTurbulence(spectrum=loud, grid=(8, 16))": fluids.SyntheticTurbulence(
        loud, grid=(8, 16)
    ),
    "Periodic(lengths=(4.0, 5.0))": carom.Periodic((4, 5)),
    "Box(lengths=(4.0,), periodic='x')": carom.Box(4.0, "x"),
    "Box(lengths=(4.0,), restitution={'y': (0.5, None)})": carom.Box(4.0, "", {"y": (0.5, None)}),
    "LeesEdwards(lengths=(4.0,), shear_rate=0.5)": carom.LeesEdwards(4.0, 0.5),
    "Open()": carom.Open(),
    "Plane(point=(0.0, 0.0), normal=(0.0, 1.0))": carom.Plane([0, 0], [0, 2]),
    "Elastic()": carom.Elastic(),
    "ContactDuration(law=ConstantRestitution(coefficient=0.9), duration=0.1)": (
        carom.ContactDuration(carom.ConstantRestitution(0.9), 0.1)
    ),
    "LinearDrag(coefficient=0.5, y=1.0)": carom.forces.LinearDrag(0.5, y=1.0),
    "SchillerNaumann(viscosity=0.1)": carom.drags.SchillerNaumann(0.1),
    "RandomKicks(strength=0.5, every=0.1)": carom.RandomKicks(0.5, 0.1),
}


@pytest.mark.parametrize("text", AS_CALLS)
def test_settings_are_shown_as_the_call_that_makes_them(text: str) -> None:
    assert repr(AS_CALLS[text]) == text


@pytest.mark.parametrize("text", [text for text in AS_CALLS if "<" not in text])
def test_what_is_shown_makes_the_same_again(text: str) -> None:
    names = {**vars(fluids), **vars(carom.forces), **vars(carom.drags), **vars(carom)}
    again = eval(text, {**names, "loud": loud})
    assert repr(again) == text and type(again) is type(AS_CALLS[text])


def test_every_setting_that_is_public_leaves_out_its_defaults() -> None:
    """None shows an argument of which nothing was said."""
    homes = (carom, fluids, carom.forces, carom.drags)
    types = {kind for home in homes for kind in vars(home).values() if isinstance(kind, type)}
    tuples = {kind for kind in types if issubclass(kind, tuple) and hasattr(kind, "check")}
    measured = {fluids.GridField, carom.Traffic}  # these tell what they hold
    dataclasses = set(filter(is_dataclass, types)) - measured
    kinds = tuples | dataclasses
    told = [kind for kind in kinds if kind.__repr__ is not call_of]
    assert len(kinds) > 30 and told == []


def test_long_values_are_shortened() -> None:
    assert shortened(list(range(9))) == "[0, 1, ..., 7, 8]"
    assert shortened((np.float64(0.5),)) == "(0.5,)"
    assert shortened(np.arange(3.0)) == "[0.0, 1.0, 2.0]"
    assert shortened(np.zeros((9, 2))) == "<array of shape (9, 2)>"
    assert shortened({"y": np.float64(1.0)}) == "{'y': 1.0}"


def test_observers_tell_their_settings_and_how_much_they_have_seen(tmp_path: Path) -> None:
    assert repr(carom.Record(0.5, "energy")) == (
        "<Record: every=0.5, columns=['time', 'energy'], 0 looks>"
    )
    table = repr(carom.Table(tmp_path / "table.csv", 0.5))
    assert "'time', 'collisions', ..., " in table
    assert repr(carom.CollisionLog()) == "<CollisionLog: 0 collisions>"
