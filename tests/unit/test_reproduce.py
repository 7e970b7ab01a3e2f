"""What ``carom reproduce`` says and leaves; the physics of the entries is tested elsewhere."""

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from carom.cli import reproducing
from carom.cli.app import app
from carom.reproduce import Choice, Entry, Findings, Number, Size, Statement
from carom.reproduce.entries import all_entries
from carom.reproduce.fits import fitted
from carom.reproduce.sources import MUTH_2007, SIGURGEIRSSON_2001


def found(*numbers, statements=()):
    return Findings(seed=1, parameters={}, data={}, numbers=numbers, statements=statements)


NEAR = Number("exponent", published=1.5, measured=1.6, within=0.1 + 1e-12)
FAR = Number("slope", published=1.5, measured=1.7, within=0.1, if_not="no walls")
SAID = Statement("it grows", True)


def test_a_number_agrees_within_the_stated_distance_and_two_standard_errors():
    assert NEAR.agrees
    assert not FAR.agrees
    assert Number("slope", 1.5, 1.7, within=0.1, uncertainty=0.051).agrees
    assert not Number("slope", 1.5, 1.7, within=0.1, uncertainty=0.049).agrees
    assert not Number("slope", 1.5, float("nan"), within=10.0).agrees


def test_the_verdict_follows_from_the_criteria():
    assert found(NEAR, statements=[SAID]).verdict == "agrees"
    assert found(NEAR, FAR, statements=[SAID]).verdict == "differs"
    assert found(NEAR, statements=[Statement("it grows", False)]).verdict == "differs"
    assert found(statements=[SAID]).verdict == "qualitative"


def test_the_reason_names_what_differs_and_why():
    assert found(NEAR, FAR).why == "slope 1.7, published 1.5 (no walls)."
    assert found(statements=[Statement("it grows", False)]).why == "not so: it grows."


def test_a_power_law_and_its_error():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    exact = fitted(x, 3.0 * x**1.5)
    assert exact.factor == pytest.approx(3.0)
    assert exact.exponent == pytest.approx(1.5)
    assert exact.error == pytest.approx(0.0, abs=1e-12)
    # Least squares with weights of 1: slope error = sqrt(Σ residual² / 2 / Σ (x − mean)²).
    y = np.log(x) * 1.5 + np.array([0.1, -0.1, -0.1, 0.1])
    spread = np.sum((np.log(x) - np.log(x).mean()) ** 2)
    assert fitted(x, np.exp(y)).error == pytest.approx(np.sqrt(0.04 / 2 / spread))


def an_entry(name="grown <gas>", source=MUTH_2007, figure="Figs. 12, 13", measure=None):
    def draw(data):
        figure = Figure()
        figure.subplots().plot(data["x"])
        return figure

    def measured(size, tell):
        tell(0.5, "half")
        return Findings(
            seed=3,
            parameters={"n": np.int64(5)},
            data={"x": np.array([1.0, np.nan])},
            numbers=[NEAR],
            statements=[SAID],
            choices=[Choice("φ", 0.05, "from Fig. 1")],
        )

    minutes = {Size.QUICK: 0.5, Size.PAPER: 150.0}
    return Entry(name, name, source, figure, "a & b", minutes, measure or measured, draw)


@pytest.fixture
def two_entries(monkeypatch):
    def fail(size, tell):
        raise RuntimeError("no such luck")

    entries = {"good": an_entry("good"), "bad": an_entry("bad", measure=fail)}
    monkeypatch.setattr(reproducing, "all_entries", lambda: entries)


def test_an_entry_leaves_numbers_a_picture_and_a_page(two_entries, tmp_path):
    result = CliRunner().invoke(app, ["reproduce", "good", "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    written = json.loads((tmp_path / "good.json").read_text())
    assert written["verdict"] == "agrees"
    assert written["paper"] == {"exponent": 1.5}
    assert written["measured"]["exponent"]["value"] == 1.6
    assert written["seed"] == 3
    assert written["size"] == "quick"
    assert written["data"] == {"x": [1.0, None]}
    assert written["chosen"] == [{"parameter": "φ", "value": 0.05, "because": "from Fig. 1"}]
    assert {"carom", "numba", "numpy"} <= set(written["versions"])
    assert (tmp_path / "good.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "index.html").read_text()
    assert 'src="good.png"' in page
    assert "a &amp; b" in page
    assert not list(tmp_path.glob(".*"))


def test_an_entry_that_fails_does_not_take_the_others_with_it(two_entries, tmp_path):
    result = CliRunner().invoke(app, ["reproduce", "bad", "good", "-o", str(tmp_path)])
    assert result.exit_code == 1
    assert "bad: failed, no such luck" in result.output
    assert (tmp_path / "good.json").exists()
    assert not (tmp_path / "bad.json").exists()


def test_what_is_there_can_be_kept(two_entries, tmp_path):
    words = ["reproduce", "good", "-o", str(tmp_path), "--keep"]
    CliRunner().invoke(app, words)
    before = (tmp_path / "good.json").stat().st_mtime_ns
    assert "good: kept" in CliRunner().invoke(app, words).output
    assert (tmp_path / "good.json").stat().st_mtime_ns == before
    assert "good: kept" not in CliRunner().invoke(app, [*words, "--size", "paper"]).output


def test_a_misspelt_name_is_refused_with_the_nearest(tmp_path):
    result = CliRunner().invoke(app, ["reproduce", "maxwell-boltzman", "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert "did you mean 'maxwell-boltzmann'?" in result.stderr
    nothing = CliRunner().invoke(app, ["reproduce", "-o", str(tmp_path)])
    assert nothing.exit_code == 2
    assert "--list" in nothing.stderr


def test_entries_are_listed_in_the_order_of_their_sources():
    assert an_entry(figure="Fig. 2").order < an_entry(figure="Figs. 12, 13").order
    assert an_entry(figure="Fig. 16").order < an_entry(source=SIGURGEIRSSON_2001).order
    listed = CliRunner().invoke(app, ["reproduce", "--list"], env={"COLUMNS": "200"}).output
    assert "maxwell-boltzmann" in listed
    for name, entry in all_entries().items():
        assert entry.name == name
        assert set(entry.minutes) == set(Size)


KEPT = Path(__file__).parents[2] / "docs" / "reproduction"


@pytest.mark.parametrize("name", [path.stem for path in sorted(KEPT.glob("*.json"))])
def test_a_figure_is_drawn_again_from_its_numbers(name):
    data = json.loads((KEPT / f"{name}.json").read_text())["data"]
    figure = all_entries()[name].draw(data)
    assert any(axes.has_data() for axes in figure.axes)
