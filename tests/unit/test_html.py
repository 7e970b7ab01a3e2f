"""What cells of notebooks show of particles, systems, simulations and records."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from time import perf_counter
from typing import Any

import numpy as np
import pytest

import carom

MARK = "<script>alert('x')</script>"


class _Tags(HTMLParser):
    """The tags of a text, which must be closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_startendtag(self, tag: str, attributes: Any) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def shown(thing: Any) -> tuple[str, str]:
    """The HTML of a thing and the words in it; it is whole, and runs and loads nothing."""
    html = thing._repr_html_()
    tags = _Tags(html)
    assert tags.seen <= {"div", "table", "tr", "td", "svg", "g", "path", "span"}
    assert not re.search(r'd="[^"]*(nan|inf)', html)
    # Frames and text have the colour of the page; nothing has a background.
    assert set(re.findall(r"background:(\w+)", html)) <= {"none"}
    return html, " ".join(tags.words)


def drawn(html: str) -> int:
    """How many dots a picture has."""
    return html.count("h0")


def gas(n: int = 100, dimension: int = 2) -> tuple[carom.Particles, carom.Periodic]:
    return carom.packings.lattice(n, 0.3, dimension=dimension, temperature=1.0, seed=1)


def test_particles_are_shown_with_their_species() -> None:
    particles = carom.Particles(
        [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]], radius=[0.5, 0.5, 0.7], species=[MARK, "a&b", "a&b"]
    )
    html, words = shown(particles)
    assert "3 disks" in words and "0.5 to 0.7" in words
    assert MARK in words and "a&b 2" in words  # as letters: no such tag is in the HTML
    assert drawn(html) == 3
    assert len(set(re.findall(r'stroke="(#\w+)"', html))) == 2


def test_a_system_is_shown_in_its_box() -> None:
    particles, box = gas()
    html, words = shown(carom.System(particles, box, law=carom.ConstantRestitution(0.9)))
    assert "0.3" in words and "ConstantRestitution(coefficient=0.9)" in words
    assert html.count("stroke-dasharray") == 2  # both axes repeat
    html, words = shown(carom.System(particles, carom.Box(box.lengths, periodic="x")))
    assert html.count("stroke-dasharray") == 1
    assert 'stroke="currentColor"' in html


def test_a_simulation_is_shown_where_it_is() -> None:
    particles, box = gas()
    record = carom.Record(1.0, "energy")
    simulation = carom.Simulation(carom.System(particles, box), observers=[record])
    before, words = shown(simulation)
    assert "at time 0" in words and "temperature" not in words
    simulation.run(5.0)
    after, words = shown(simulation)
    assert "at time 5" in words and f"{simulation.counts.collisions:,}" in words
    assert "temperature" in words and "Record" in words
    assert drawn(before) == drawn(after) == 100
    assert before.partition("<svg")[2] != after.partition("<svg")[2]


def test_to_show_a_simulation_that_has_not_run_does_not_wait_for_the_compiler(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulation = carom.Simulation(
        carom.System(*gas()), method=carom.SoftContacts(stiffness=1e4, dt=1e-3)
    )
    monkeypatch.setattr(type(simulation), "_look", lambda self: pytest.fail("it looked"))
    assert "SoftContacts" in shown(simulation)[1]


def test_a_simulation_that_failed_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = carom.Simulation(carom.System(*gas()))
    simulation.run(1.0)

    def fail(self: Any) -> Any:
        raise carom.CaromError("nothing can be seen any more")

    monkeypatch.setattr(type(simulation), "_look", fail)
    html, words = shown(simulation)
    assert "at time 1" in words and "collisions" in words
    assert "temperature" not in words
    assert drawn(html) == 100  # where they began


def test_spheres_are_drawn_from_the_back_to_the_front() -> None:
    html, _ = shown(carom.System(*gas(108, dimension=3)))
    opacities = [float(x) for x in re.findall(r'<g opacity="([\d.]+)"', html)]
    assert opacities == sorted(opacities) and len(set(opacities)) > 5
    assert drawn(html) in (108, 2 * 108)  # once more for the rims, where there is room


@pytest.mark.parametrize("dimension", [2, 3])
def test_of_many_some_are_drawn_and_that_is_said(dimension: int) -> None:
    position = np.random.default_rng(1).uniform(0.0, 1e3, (100_000, dimension))
    particles = carom.Particles(position)
    particles._repr_html_()
    start = perf_counter()
    html, words = shown(particles)
    assert perf_counter() - start < 1.0  # 10 ms here, on a machine that nobody else uses
    most = {2: 2000, 3: 1000}[dimension]
    assert drawn(html) == most
    assert f"{most:,} of 100,000 drawn" in words
    assert len(html) < 50_000


def test_many_sizes_are_a_few_in_the_picture() -> None:
    rng = np.random.default_rng(1)
    html, _ = shown(carom.Particles(rng.uniform(0, 100, (500, 2)), radius=rng.uniform(0.5, 2, 500)))
    assert drawn(html) == 500
    assert html.count("<path") <= 12


def test_strays_do_not_shrink_the_others() -> None:
    near = np.random.default_rng(1).uniform(0.0, 10.0, (50, 2))
    _, words = shown(carom.Particles([*near, [1e9, 0.0]]))
    assert "1 farther out" in words
    _, words = shown(carom.System(carom.Particles([[3.0, 4.0]])))
    assert "farther" not in words


def test_what_is_nowhere_is_counted() -> None:
    particles = carom.Particles([[0.0, 0.0], [2.0, 0.0]])
    particles.position[1] = np.nan
    html, words = shown(particles)
    assert drawn(html) == 1 and "1 nowhere" in words
    particles.position[0] = np.inf
    assert drawn(shown(particles)[0]) == 0


def record_of(*values: Any) -> str:
    """What is shown of a record of some values at times 0, 1, 2, ..."""
    turn = iter(values)
    record = carom.Record(1.0, **{MARK: lambda _: next(turn)})
    particles = carom.Particles([[0.0, 0.0], [9.0, 0.0]])
    simulation = carom.Simulation(carom.System(particles), observers=[record])
    simulation.run(len(values) - 1.0)
    html, words = shown(record)
    assert MARK in words
    return f"{html} {words}"


def curves(html: str) -> list[str]:
    return re.findall(r'<path d="(M[^"]*)" fill="none"', html)


def test_a_record_is_shown_as_curves() -> None:
    html = record_of(1.0, 3.0, 2.0)
    assert "time 0 to 2" in html and "1 → 2" in html
    (line,) = curves(html)
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", line)]
    assert heights[1] < heights[2] < heights[0]  # y points down


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ((1.0, np.nan, 2.0, 3.0), 1),
        ((np.nan, np.nan), 0),
        ((2.0, 2.0, 2.0), 1),
        ((-np.inf, 1.0), 1),
        (((1.0, 2.0), (2.0, 1.0)), 2),
        (("a", "b"), 0),
        ((1.0, (1.0, 2.0)), 0),
    ],
)
def test_odd_columns_are_shown(values: Any, lines: int) -> None:
    assert len(curves(record_of(*values))) == lines


def test_a_gap_is_left_where_a_value_is_not_known() -> None:
    (line,) = curves(record_of(1.0, np.nan, 2.0, 3.0))
    assert line.count("M") == 2 and line.count("L") == 1


def test_values_over_decades_are_drawn_by_their_logarithms() -> None:
    assert "logarithmic" in record_of(1.0, 0.1, 0.001)
    assert "logarithmic" not in record_of(1.0, 0.1, 0.05)
    assert "logarithmic" not in record_of(1000.0, 0.0, 1.0)


def test_an_empty_record_is_shown() -> None:
    _, words = shown(carom.Record(1.0, "energy"))
    assert "0 looks" in words and "nothing yet" in words
    assert "time 0" not in words
