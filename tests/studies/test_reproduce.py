"""What ``carom reproduce`` says and leaves; the physics of the entries is tested elsewhere."""

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from carom.cli import reproducing as cli
from carom.cli.app import app
from carom_studies import Choice, Entry, Findings, Number, Size, Statement, reproducing
from carom_studies.entries import all_entries
from carom_studies.entry import is_so
from carom_studies.fingerprint import fingerprint, meaning
from carom_studies.fits import fitted, least_squares
from carom_studies.page import article
from carom_studies.report import report
from carom_studies.sources import MUTH_2007, SIGURGEIRSSON_2001


def found(*numbers, statements=()):
    return Findings(seed=1, parameters={}, data={}, numbers=numbers, statements=statements)


NEAR = Number("exponent", published=1.5, measured=1.6, within=0.1 + 1e-12)
FAR = Number("slope", published=1.5, measured=1.7, within=0.1, if_not="no walls")
SAID = Statement("it grows", True)


NOISY = Number("power", published=1.5, measured=1.55, within=0.1, uncertainty=0.06)
CHOSEN = replace(NEAR, by_choice=True)


def a_slope(measured, uncertainty=0.0):
    return Number("slope", 1.5, measured, within=0.1, uncertainty=uncertainty)


def test_a_number_agrees_within_the_stated_distance():
    assert NEAR.judgement == "agrees"
    assert FAR.judgement == "differs"
    assert a_slope(1.59, uncertainty=0.05).judgement == "agrees"
    assert a_slope(float("nan")).judgement == "differs"


def test_noise_of_our_own_does_not_help_to_agree():
    for uncertainty in (0.0, 0.01, 0.049, 0.051, 0.2):
        assert a_slope(1.61, uncertainty).judgement != "agrees"


def test_a_number_whose_error_exceeds_what_is_allowed_is_inconclusive():
    # Two standard errors are our own error; ± 0.1 is allowed.
    assert a_slope(1.5, uncertainty=0.051).judgement == "inconclusive"
    assert a_slope(1.7, uncertainty=0.051).judgement == "inconclusive"
    assert a_slope(1.71, uncertainty=0.051).judgement == "differs"  # whatever the noise
    assert a_slope(1.5, uncertainty=float("nan")).judgement == "inconclusive"


def test_a_rate_of_which_no_event_was_met_is_but_an_upper_bound():
    def below(bound):
        return Number("logarithm", -9.0, bound, within=1.0, at_most=True)

    assert below(-5.5).judgement == "inconclusive"
    assert below(-9.0).judgement == "inconclusive"
    assert below(-10.1).judgement == "differs"
    assert "below -5.5" in below(-5.5).told


def test_the_verdict_follows_from_the_criteria():
    assert found(NEAR, statements=[SAID]).verdict == "agrees"
    assert found(NEAR, FAR, NOISY, statements=[SAID]).verdict == "differs"
    assert found(NEAR, statements=[Statement("it grows", False)]).verdict == "differs"
    assert found(statements=[SAID]).verdict == "qualitative"
    assert found(NEAR, NOISY, statements=[SAID]).verdict == "inconclusive"
    assert found(NEAR, statements=[SAID, Statement("it grows", None)]).verdict == "inconclusive"


def test_a_number_by_which_a_parameter_was_chosen_does_not_count_as_met():
    assert found(CHOSEN, statements=[SAID]).verdict == "qualitative"
    assert found(CHOSEN, NEAR).verdict == "agrees"
    assert found(replace(FAR, by_choice=True), NEAR).verdict == "differs"
    assert "by which a parameter was chosen" in found(CHOSEN).why


def test_what_is_said_of_several_is_so_if_it_is_so_of_all():
    assert is_so(["agrees", "agrees"]) is True
    assert is_so(["agrees", "inconclusive"]) is None
    assert is_so(["inconclusive", "differs"]) is False


def test_the_reason_names_what_differs_and_why():
    assert found(NEAR, FAR).why == "slope 1.7, published 1.5 (no walls)."
    assert found(statements=[Statement("it grows", False)]).why == "not so: it grows."
    assert found(NOISY).why == "power 1.55 ± 0.06, published 1.5: too uncertain for ± 0.1."


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


def test_the_error_of_a_power_law_through_two_points_is_unknown():
    assert np.isnan(fitted([1.0, 2.0], [1.0, 4.0]).error)
    assert fitted([1.0, 2.0], [1.0, 4.0]).exponent == pytest.approx(2.0)


def test_a_fit_with_weights_and_its_errors():
    x, y, weight = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 4.0]), np.array([1.0, 4.0, 1.0])
    fit = least_squares([x**0, x], y, weight)
    slope, constant = np.polyfit(x, y, 1, w=np.sqrt(weight))
    _, covariance = np.polyfit(x, y, 1, w=np.sqrt(weight), cov="unscaled")
    assert fit.coefficients == pytest.approx([constant, slope])
    assert fit.errors == pytest.approx(np.sqrt(np.diag(covariance))[::-1])


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


def test_what_was_left_by_another_version_of_the_entry_is_not_kept(two_entries, tmp_path):
    words = ["reproduce", "good", "-o", str(tmp_path), "--keep"]
    CliRunner().invoke(app, words)
    path = tmp_path / "good.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"fingerprint": "of old"}))
    assert "good: kept" not in CliRunner().invoke(app, words).output
    path.write_text('{"name": "good", "size": "quick"}')  # as versions before wrote less
    assert CliRunner().invoke(app, words).exit_code == 0
    assert json.loads(path.read_text())["fingerprint"] == fingerprint(an_entry("good"))


def test_an_inconclusive_run_of_the_papers_size_is_not_accepted(monkeypatch, tmp_path):
    entry = an_entry("noisy", measure=lambda size, tell: replace(found(NOISY), data={"x": [1.0]}))
    monkeypatch.setattr(reproducing, "all_entries", lambda: {"noisy": entry})
    words = ["reproduce", "noisy", "-o", str(tmp_path)]
    quick = CliRunner().invoke(app, words)
    assert quick.exit_code == 0
    assert "inconclusive 1" in quick.output
    paper = CliRunner().invoke(app, [*words, "--size", "paper"])
    assert paper.exit_code == 1
    assert "noisy: not accepted, its runs are too few" in paper.output
    assert '<span class="verdict inconclusive">' in (tmp_path / "index.html").read_text()


def test_a_fingerprint_changes_with_what_is_run_and_not_with_its_layout():
    def of(text):
        return meaning(ast.parse(text))

    plain = of("def f(x):\n    return x + 1")
    assert plain == of('def f(x):\n    """Say."""\n    return (x  # why\n            + 1)')
    assert plain != of("def f(x):\n    return x + 2")
    assert of("E(minutes=1, n=2)") == of("E(minutes=3, n=2)") != of("E(minutes=1, n=3)")
    assert of('f"a {x:.{d}g} b"') == of('f"a " f"{x:.{d}g}" " b" ""') != of('f"a {x:.{d}g} c"')
    entries = all_entries().values()
    assert len({fingerprint(entry) for entry in entries}) == len(entries)


def test_a_fingerprint_covers_what_an_entry_uses(monkeypatch):
    from carom_studies import fingerprint as module

    read: list[str] = []
    real = module.meaning

    def noted(node):
        if isinstance(node, ast.Module):
            read.append(ast.get_docstring(node) or "")
        return real(node)

    monkeypatch.setattr(module, "meaning", noted)
    fingerprint(all_entries()["cost-2d"])
    # The entry, how costs are found, the billiards that are run, fits and how times are taken.
    assert len(read) == 5


def test_a_fingerprint_does_not_tell_where_modules_lie():
    def of(text):
        return meaning(ast.parse(text))

    assert of("from carom.fluids.stream import a") == of("from carom.fluids import a")
    assert of("from carom.fluids import a") != of("from carom.fluids import b")
    assert of("from carom_studies.fits import a") != of("from carom_studies.timing import a")
    assert "carom_studies" not in of("from carom_studies.fits import a")


def test_without_the_studies_the_command_says_how_to_install_them(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "carom_studies", None)
    result = CliRunner().invoke(app, ["reproduce", "all", "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert "pip install ./studies" in result.output


def test_the_command_knows_the_sizes_without_the_studies():
    assert [size.value for size in cli.Size] == [size.value for size in Size]


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
    for name, entry in all_entries().items():
        assert entry.name == name
        assert set(entry.minutes) == set(Size)


def test_the_list_fits_80_columns():
    main = "from carom.cli import main; main()"
    words = [sys.executable, "-c", main, "reproduce", "--list"]
    for columns in ({"COLUMNS": "80"}, {}):  # a terminal; piped
        outside = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        listed = subprocess.run(
            words, env=outside | columns, capture_output=True, text=True, check=True
        ).stdout
        assert max(map(len, listed.splitlines())) <= 80
        for entry in all_entries().values():
            assert f"  {entry.name} " in listed
            assert entry.source.short in listed.splitlines()


def test_a_page_tells_the_verdict_first_and_nothing_twice():
    reason = "no walls"
    numbers = [NEAR, FAR, replace(FAR, quantity="power", if_not=reason)]
    statements = [SAID, Statement("it falls", False, if_not=reason)]
    findings = found(*numbers, statements=statements)
    told = article(report(an_entry(), Size.QUICK, findings, 1.0))
    assert told.index("verdict differs") < told.index("<img") < told.index("a &amp; b")
    assert "1 of 3 numbers, 1 of 2 statements" in told
    for sentence in (reason, "it falls", "it grows", "a &amp; b"):
        assert told.count(sentence) == 1
