"""Whatever is done to a simulation, in any order, it goes the way of a run in one piece."""

from __future__ import annotations

import signal
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

import carom

METHODS = {
    "event-driven": carom.EventDriven(),
    "time-stepped": carom.TimeStepped(dt=0.01),
    "soft": carom.SoftContacts(stiffness=1e4, dt=0.002),
    "laden": carom.Laden(carom.fluids.Uniform(1.0, 0.0, 0.0), dt=0.05, relaxation_time=5.0),
}
COLUMNS = ("energy", "collisions", "pressure")
EVERY = (0.07, 0.2)  # times between looks of the first observer that is added, and of the second
PIECES = st.sampled_from([0.0, 1e-9, 0.003, 0.05, 0.07, 0.21])


def started(method: str) -> carom.Simulation:
    particles, box = carom.packings.random(20, 0.3, dimension=2, seed=4)
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    return carom.Simulation(system, method=METHODS[method], seed=1)


def turn_round(simulation: carom.Simulation) -> None:
    simulation.set_velocities(simulation.particles.velocity[::-1] * -1.01)


class Notes(NamedTuple):
    """What was done that changes a run or what is seen of it, and the rows seen so far."""

    turned: tuple[float, ...] = ()
    added: tuple[float, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()


def rows_of(record: carom.Record) -> tuple[Any, ...]:
    return tuple(zip(*(record[name].tolist() for name in ("time", *COLUMNS)), strict=True))


class AnyOrder(RuleBasedStateMachine):
    """One simulation, and notes from which to run it in one piece."""

    method = "event-driven"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "state.carom"
        self.simulation = started(self.method)
        self.records: list[carom.Record] = []
        self.notes = Notes()
        self.saved: Notes | None = None

    def noted(self) -> Notes:
        """The notes, with what the observers at work have seen."""
        pairs = zip(self.notes.rows, self.records, strict=True)
        rows = tuple(before + rows_of(record) for before, record in pairs)
        return self.notes._replace(rows=rows)

    @rule(piece=PIECES)
    def run(self, piece: float) -> None:
        self.simulation.run(duration=piece)

    @rule(number=st.integers(0, 5))
    def run_collisions(self, number: int) -> None:
        if self.method in ("event-driven", "laden"):
            self.simulation.run(collisions=number)

    @rule()
    def look(self) -> None:
        assert self.simulation.particles.position.shape == (20, 2)
        assert self.simulation.energy > 0.0

    @rule()
    def interrupt(self) -> None:
        def press_once() -> None:
            if not pressed:
                pressed.append(True)
                signal.raise_signal(signal.SIGINT)

        pressed: list[bool] = []
        with pytest.raises(KeyboardInterrupt):
            self.simulation.run(duration=0.3, after_each_piece=press_once)

    @rule()
    def save(self) -> None:
        self.simulation.save(self.path)
        self.saved = self.noted()

    @precondition(lambda self: self.saved is not None)
    @rule()
    def load(self) -> None:
        assert self.saved is not None
        self.notes = self.saved
        every = EVERY[: len(self.notes.added)]
        self.records = [carom.Record(spacing, *COLUMNS) for spacing in every]
        self.simulation = carom.load(self.path, observers=self.records)

    @precondition(lambda self: len(self.records) < len(EVERY))
    @rule()
    def add_observer(self) -> None:
        self.simulation.run(duration=0.01)  # away from the moment of a collision
        self.records.append(carom.Record(EVERY[len(self.records)], *COLUMNS))
        self.simulation.add_observer(self.records[-1])
        added = (*self.notes.added, self.simulation.time)
        self.notes = self.notes._replace(added=added, rows=(*self.notes.rows, ()))

    @rule()
    def set_velocities(self) -> None:
        self.simulation.run(duration=0.01)
        turn_round(self.simulation)
        self.notes = self.notes._replace(turned=(*self.notes.turned, self.simulation.time))

    def teardown(self) -> None:
        self.simulation.run(duration=0.1)
        expected, records = self.in_one_piece(self.simulation.time)
        found = self.simulation
        assert found.counts == expected.counts
        for name in ("position", "velocity", "unwrapped"):
            ours, theirs = getattr(found.particles, name), getattr(expected.particles, name)
            assert ours.tobytes() == theirs.tobytes(), name
        assert found.work_done == expected.work_done
        assert repr(found.pressure) == repr(expected.pressure)
        assert repr(self.noted().rows) == repr(tuple(map(rows_of, records)))
        self.folder.cleanup()

    def in_one_piece(self, end: float) -> tuple[carom.Simulation, list[carom.Record]]:
        """The run again, stopped only where it was changed."""
        simulation, records = started(self.method), []
        stops = [(time, "turn") for time in self.notes.turned]
        stops += [(time, "add") for time in self.notes.added]
        for time, what in sorted(stops):  # no two are at one time
            simulation.run(until=time)
            if what == "turn":
                turn_round(simulation)
            else:
                records.append(carom.Record(EVERY[len(records)], *COLUMNS))
                simulation.add_observer(records[-1])
        simulation.run(until=end)
        return simulation, records


def play(method: str, examples: int, steps: int) -> None:
    machine = type(f"AnyOrderOf{method}", (AnyOrder,), {"method": method})
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, database=None
        ),
    )


@pytest.mark.parametrize("method", METHODS)
def test_any_order_leads_to_the_same_end(method: str) -> None:
    play(method, examples=6, steps=12)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_any_long_order_leads_to_the_same_end(method: str) -> None:
    play(method, examples=300, steps=40)
