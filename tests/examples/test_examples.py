"""Every example runs and leaves a picture that shows something."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
# Half a minute and more each; what they run is tested by smaller runs elsewhere.
LONG = (
    "coupled_flow",
    "equation_of_state",
    "fluid",
    "rough_spheres",
    "steady_granular_gas",
    "steel_and_glass",
    "taylor_green",
    "turbulence",
)
SLOW = [
    pytest.param(path, marks=pytest.mark.slow if path.stem in LONG else (), id=path.stem)
    for path in EXAMPLES
]


@pytest.mark.parametrize("script", SLOW)
def test_example(script: Path, tmp_path: Path, run_script: Any) -> None:
    picture = tmp_path / "picture.png"
    done = run_script(script, picture)
    assert done.returncode == 0, done.stderr
    assert str(picture) in done.stdout
    pixels = imread(picture)[..., :3]
    # Axes and labels are black and grey; what the example has computed is coloured.
    coloured = np.ptp(pixels, axis=-1) > 0.2
    assert coloured.sum() > 300


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short(script: Path) -> None:
    assert len(script.read_text(encoding="utf-8").splitlines()) < 60


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4
