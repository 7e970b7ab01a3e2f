"""What the experiments of ``carom reproduce`` derive from runs, on numbers that are made up."""

import math

import numpy as np
import pytest

from carom_studies.entries.inelastic_collapse import even_chance
from carom_studies.experiments.billiards import Scan
from carom_studies.experiments.impacts import ThreeBody
from carom_studies.experiments.muth_times import Point, crossing, scaled
from carom_studies.experiments.stress_errors import step_at_limit
from carom_studies.timing import by_rounds


def a_scan(cost, cells, most=1000, noise=0.0):
    random = np.random.default_rng(1)
    seconds = np.array([cost(m) for m in cells]) * (1.0 + noise * random.random((20, len(cells))))
    return Scan(5000, 2, cells, most, seconds, 1.0, np.ones(len(cells)))


def cost(m):
    """Three of the four terms of equation 8, the least at m = 90."""
    return 2.0 + m / 90.0 + 90.0 / m


TRIED = [35, 50, 71, 100, 141, 200]


def test_the_best_number_of_cells_lies_between_those_tried():
    scan = a_scan(cost, TRIED)
    assert scan.best == 90
    assert scan.least == pytest.approx(4.0)
    assert scan.curve([45, 180]) == pytest.approx([4.5, 4.5])
    assert scan.error == 0.0


def test_the_best_number_of_cells_can_be_the_last_possible():
    assert a_scan(lambda m: 1.0 + 50.0 / m**2, TRIED, most=200).best == 200


def test_noise_gives_the_best_number_an_error():
    scan = a_scan(cost, TRIED, noise=0.2)
    assert scan.error > 0.0
    # Medians of 20 values that spread evenly over 20 % have errors of 20 % / sqrt(4 · 22) = 2 %;
    # where m is off by a factor of 2 the cost is higher by six times that, 12.5 %.
    assert 45 < scan.best < 180


def times(*seconds):
    return [Point(1000, k, 0.1, s, 0.0, 0.0, 0.0) for k, s in enumerate(seconds, start=1)]


def test_where_one_method_becomes_slower():
    level = times(1.0, 1.0, 1.0)
    assert crossing(times(0.5, 0.5, 2.0), level) == pytest.approx(2.5)
    assert crossing(times(2.0, 0.5, 2.0), level) == pytest.approx(2.5)
    assert crossing(times(2.0, 2.0, 2.0), level) == 1.0
    assert math.isnan(crossing(times(0.5, 2.0, 0.5), level))


def test_times_are_scaled_to_start_together():
    assert scaled(times(0.5, 1.0, 2.0)) == pytest.approx([1.0, 2.0, 4.0])


def test_a_machine_that_is_slow_for_whole_rounds_changes_no_best_number():
    quiet = a_scan(cost, TRIED, noise=0.05)
    slowed = quiet.seconds * np.repeat([[1.0], [3.0]], len(quiet.seconds) // 2, axis=0)
    ratio = by_rounds(slowed) / by_rounds(quiet.seconds)
    assert ratio == pytest.approx(ratio[0, 0])
    scan = quiet._replace(seconds=slowed)
    assert scan.best == quiet.best
    assert scan.error == pytest.approx(quiet.error)


def test_where_collapses_become_unlikely():
    def run(e, *until):
        return {"e": e, "until": until}

    # All of four, two of four, none of four: a half is reached at 0.5.
    runs = [run(0.4, 1, 1, 1, 1), run(0.5, 1, 1, None, None), run(0.6, None, None, None, None)]
    even, error = even_chance(runs)
    assert even == pytest.approx(0.5)
    assert error == pytest.approx(math.hypot(0.25 * 0.1 / 0.5, 0.1 / math.sqrt(12.0)))
    assert math.isnan(even_chance(runs[:1])[0])


def test_events_that_were_not_met_are_not_made_up():
    none = ThreeBody(1_000_000, 0, 1e-15, 0, False)
    assert none.least == 0.0
    assert none.most == pytest.approx(3e-6)  # e^−3 = 5 % would meet none
    some = ThreeBody(1_000_000, 100, 1e-15, 0, False)
    assert (some.least, some.most) == pytest.approx((80e-6, 120e-6))


def test_the_step_at_which_an_error_reaches_the_limit():
    assert step_at_limit(250.0, 0.0) == pytest.approx(0.01)  # 250 dt = 2.5
    assert step_at_limit(-250.0, 0.0) == pytest.approx(0.01)
    assert step_at_limit(0.0, 2.5e4) == pytest.approx(0.01)
    # 2.5 = 500 dt − 25,000 dt² at the top, dt = 0.01, and so never before.
    assert step_at_limit(500.0, -2.5e4) == pytest.approx(0.01)
    assert step_at_limit(0.0, 0.0) == math.inf
