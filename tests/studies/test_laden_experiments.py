"""What the entries about disks in a flow share."""

import math

import numpy as np
import pytest

from carom_studies.entries import laden_piecewise_paths
from carom_studies.experiments import processor_time
from carom_studies.experiments.laden_flows import SQUARES, unevenness
from carom_studies.experiments.laden_panels import PIXELS, occupied
from carom_studies.experiments.processor_time import ProcessorTime
from carom_studies.fits import Power


def test_a_picture_of_disks_has_a_bit_where_one_is():
    rows = occupied(np.array([[0.5, 0.25], [1.5, 0.25], [0.0, 0.999999]]))
    bits = np.array([[int(bit) for bit in f"{int(row, 16):0{PIXELS}b}"] for row in rows])
    assert bits.shape == (PIXELS, PIXELS)
    assert list(zip(*np.nonzero(bits), strict=True)) == [
        (PIXELS // 4, PIXELS // 2),
        (PIXELS - 1, 0),
    ]


def test_unevenness_of_one_disk_a_square_and_of_all_in_one():
    middles = (np.arange(SQUARES) + 0.5) / SQUARES
    places = np.stack(np.meshgrid(middles, middles), -1).reshape(-1, 2)
    assert unevenness(places) == 0.0
    # n in one of S² squares: the variance is n²/S² − (n/S²)², the mean n/S².
    together = np.full((100, 2), 0.999)
    assert unevenness(together) == pytest.approx(100 * (1 - 1 / SQUARES**2))


def test_processor_time_leaves_out_compilations(monkeypatch):
    now = iter([10.0, 11.0, 14.0, 16.0])  # begins, compiles from 11 to 14, ends
    monkeypatch.setattr(processor_time, "process_time", lambda: next(now))
    with ProcessorTime() as clock:
        clock.on_start(None)
        clock.on_start(None)  # one within the other
        clock.on_end(None)
        clock.on_end(None)
    assert clock.seconds == pytest.approx(1.0 + 2.0)


def test_digits_of_a_printed_power_law_leave_its_value_open():
    fit = Power(2.85, 1.61)
    # To first order in half a digit of both numbers; the second is 0.05² / 2 of the value.
    farthest = Power(2.855, 1.615)(1e4) - fit(1e4)
    assert fit.rounding(1e4) == pytest.approx(farthest, rel=0.05)


def test_the_best_number_of_steps_in_a_path():
    k = np.array(laden_piecewise_paths.PATHS)
    coefficients = laden_piecewise_paths.cost(10.0 + 2.0 * k + 18.0 / k)
    assert coefficients == pytest.approx([10.0, 2.0, 18.0])
    assert laden_piecewise_paths.best(coefficients) == pytest.approx(3.0)  # √(18 / 2)
    assert laden_piecewise_paths.best(np.array([10.0, -1.0, 18.0])) == math.inf
