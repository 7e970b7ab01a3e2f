"""What lies in ``docs/reproduction`` is what the code that is here finds."""

import json
from pathlib import Path

import pytest

from carom_studies import Entry, Findings, Number, Size, Statement
from carom_studies.entries import all_entries
from carom_studies.fingerprint import fingerprint
from carom_studies.report import read_report, report

KEPT = Path(__file__).parents[2] / "docs" / "reproduction"
OF_THE_RUN = ("date", "seconds", "versions")
TO_STORE = "run `carom reproduce all --size quick -o docs/reproduction`, on a quiet machine"
ENTRIES = all_entries()
UNTIMED = [name for name, entry in ENTRIES.items() if not entry.takes_time]
QUICKEST = ("billiard-box", "bouncing-ball", "maxwell-boltzmann")  # seconds each

all_names = pytest.mark.parametrize("name", list(ENTRIES))


def stored(name):
    """The result of an entry that is stored."""
    found = read_report(KEPT, name)
    assert found is not None, f"nothing is stored for {name}: {TO_STORE}"
    return found


@all_names
def test_a_stored_result_is_of_the_entry_as_it_is(name):
    assert stored(name)["fingerprint"] == fingerprint(ENTRIES[name]), (
        f"{name} or an experiment that it uses has changed since: {TO_STORE}"
    )


def test_nothing_else_is_stored():
    assert {path.stem for path in KEPT.glob("*.json")} == set(ENTRIES)
    assert {path.stem for path in KEPT.glob("*.png")} == set(ENTRIES)


@all_names
def test_a_figure_is_drawn_again_from_its_numbers(name):
    figure = ENTRIES[name].draw(stored(name)["data"])
    assert any(axes.has_data() for axes in figure.axes)


def known(value):
    """A stored number; none that is finite was stored as null."""
    return float("nan") if value is None else value


@all_names
def test_a_stored_verdict_is_what_the_rule_makes_of_the_stored_numbers(name):
    written = stored(name)
    numbers = [
        Number(
            quantity,
            published,
            known(ours["value"]),
            ours["within"],
            known(ours["uncertainty"]),
            by_choice=ours["by_choice"],
            at_most=ours["at_most"],
        )
        for (quantity, published), ours in zip(
            written["paper"].items(), written["measured"].values(), strict=True
        )
    ]
    statements = [Statement(each["text"], each["holds"]) for each in written["statements"]]
    again = Findings(0, {}, {}, numbers, statements)
    assert again.verdict == written["verdict"]
    for number in numbers:
        assert written["measured"][number.quantity]["judgement"] == number.judgement


@all_names
def test_a_stored_result_says_whether_it_measures_time(name):
    assert stored(name)["measures_time"] == ENTRIES[name].takes_time


@all_names
def test_no_inconclusive_result_of_the_papers_size_is_stored(name):
    written = stored(name)
    assert (written["size"], written["verdict"]) != (Size.PAPER.value, "inconclusive")


def run_again(entry: Entry, size: str) -> dict:
    """The report of a new run, as it would be stored."""
    findings = entry.measure(Size(size), lambda share, doing: None)
    return json.loads(json.dumps(report(entry, Size(size), findings, 0.0)))


def assert_the_stored_numbers_come_out(name):
    written = stored(name)
    again = run_again(ENTRIES[name], written["size"])
    for part in written.keys() - set(OF_THE_RUN):
        assert again[part] == written[part], part


@pytest.mark.parametrize("name", QUICKEST)
def test_the_quickest_give_the_stored_numbers_bit_for_bit(name):
    assert name in UNTIMED
    assert_the_stored_numbers_come_out(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in UNTIMED if name not in QUICKEST])
def test_all_that_measure_no_time_give_the_stored_numbers_bit_for_bit(name):
    assert_the_stored_numbers_come_out(name)
