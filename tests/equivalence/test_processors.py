"""The same bits on every x86-64 processor: runs of every kind, under settings that make libraries
and the compiler take this processor for another one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("every_method.py")
# What each setting is to change, and its environment.
SETTINGS: dict[str, tuple[str, dict[str, str]]] = {
    "another BLAS": ("blas", {"OPENBLAS_CORETYPE": "Prescott"}),
    "NumPy's baseline": (
        "numpy",
        {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"},
    ),
    "libm without FMA": ("libm", {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"}),
}
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
# For another processor everything has to be compiled anew.
QUICK_TO_COMPILE = ("sizes",)


def digests(run_script: Any, *kinds: str, **environment: str) -> dict[str, Any]:
    """The digests of runs of these kinds, or of all, in a process of its own."""
    finished = run_script(SCRIPT, *kinds, **environment)
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def here(run_script: Any) -> dict[str, Any]:
    """The digests on this processor."""
    return digests(run_script)


def differing(here: dict[str, Any], there: dict[str, Any]) -> list[str]:
    """The kinds of runs that another processor changes."""
    return [name for name in there if name != "witnesses" and there[name] != here[name]]


@pytest.mark.parametrize("setting", SETTINGS)
def test_libraries_change_no_bit(setting: str, here: dict[str, Any], run_script: Any) -> None:
    witness, environment = SETTINGS[setting]
    there = digests(run_script, **environment)
    assert differing(here, there) == []
    if there["witnesses"][witness] == here["witnesses"][witness]:
        pytest.skip(f"{environment} changes nothing on this machine.")


def test_the_compilers_target_changes_no_bit(here: dict[str, Any], run_script: Any) -> None:
    there = digests(run_script, *QUICK_TO_COMPILE, **GENERIC)
    assert there["witnesses"]["compiler"].split() == ["generic"]
    assert differing(here, there) == []


@pytest.mark.slow
def test_the_compilers_target_changes_no_bit_of_any_run(
    here: dict[str, Any], run_script: Any
) -> None:
    """One process for each kind, as compiling them all takes minutes."""
    for kind in here:
        if kind != "witnesses":
            there = digests(run_script, kind, **GENERIC)
            assert differing(here, there) == []


# With Numba's own pipelines; in slow tests all kinds.
PLAIN = {"CAROM_COMPILER": "plain"}
QUICK_WITH_PLAIN = ("sizes", "time_stepped")


def test_how_kernels_are_compiled_changes_no_bit(here: dict[str, Any], run_script: Any) -> None:
    there = digests(run_script, *QUICK_WITH_PLAIN, **PLAIN)
    assert (here["witnesses"]["pipelines"], there["witnesses"]["pipelines"]) == ("True", "False")
    assert differing(here, there) == []


@pytest.mark.slow
def test_how_kernels_are_compiled_changes_no_bit_of_any_run(
    here: dict[str, Any], run_script: Any
) -> None:
    assert differing(here, digests(run_script, **PLAIN)) == []


TRANSFORMS = """
import hashlib, json
import numpy as np
from scipy import fft

random = np.random.Generator(np.random.PCG64(1))
numbers = random.random(4096)
waves = random.random(4096) + 1j * random.random(4096)
products = (2**a * 3**b * 5**c for a in range(12) for b in range(7) for c in range(5))
sizes = sorted(n for n in products if n <= 2048)
found = {}
for n in sizes:
    parts = fft.rfft(numbers[:n]), fft.irfft(waves[: n // 2 + 1], n), fft.fft(waves[:n])
    found[n] = hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()
print(json.dumps(found))
"""


def test_transforms_of_usual_sizes_are_the_same_with_another_libm(
    tmp_path: Path, run_script: Any
) -> None:
    """SciPy asks the C library for sines, the same ones for all transforms of a size.

    Of sizes with other factors than 2, 3 and 5 some 6 % differ, and so do 2250 and 2880: there the
    promise ends.
    """
    script = tmp_path / "transforms.py"
    script.write_text(TRANSFORMS)
    _, environment = SETTINGS["libm without FMA"]
    runs = [run_script(script, **variables) for variables in ({}, environment)]
    assert [run.returncode for run in runs] == [0, 0], runs[0].stderr
    here, there = (json.loads(run.stdout) for run in runs)
    assert len(here) > 100
    assert [n for n in here if here[n] != there[n]] == []
