"""Programs of others beside carom, with stand-ins that speak as they do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import carom
from carom_studies.benchmarks.other_programs import Dynamo, Edmd, programs
from carom_studies.benchmarks.peers import in_turns

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="times of other programs are told by Linux"
)

# Reads the spheres, reports ten collisions in each unit of time, and ends after five of them.
MD = """
lines = open("init.sph").read().split("\\n")
assert len(lines) == int(lines[0]) + 3 and len(lines[1].split()) == 3
assert all(line.split()[-1] == "0.5" for line in lines[2:-1])
open("starts", "a").write("x")
print("Cells: 3, 3, 3")
for time in range(6):
    sum(range(100_000))
    print(f"Simtime: {time}, Collisions: {10 * time}, Press: 1", flush=True)
"""
DYNAMOD = 'open("state.xml", "w").write("0")'
DYNARUN = """
import sys
words = sys.argv
done = int(open("state.xml").read()) + int(words[words.index("-c") + 1])
open(words[words.index("-o") + 1], "w").write(str(done))
told = '<Timing RuntimeSeconds="1" EventsPerSec="4e5" SimTimePerSec="1"/>'
open(words[words.index("--out-data-file") + 1], "w").write(told)
"""


def stand_in(path: Path, script: str) -> Path:
    """A program in the folder of a peer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{script}")
    path.chmod(0o755)
    return path


@pytest.fixture
def system() -> carom.System:
    particles, box = carom.packings.lattice(32, 0.3, seed=1)
    return carom.System(particles, box)


def test_edmd_is_timed_from_report_to_report_and_begins_again(
    system: carom.System, tmp_path: Path
) -> None:
    program = Edmd(stand_in(tmp_path / "md", MD), system)
    starts = Path(program._folder.name, "starts")
    times = in_turns({"one": program, "the same": program}, collisions=40, pieces=2)
    assert all((seconds > 0.0).all() for seconds in times.values())
    assert len(starts.read_text()) == 4  # fifty collisions in a run, ten of them for its start
    program.close()
    assert not starts.exists()


def test_a_program_that_reports_nothing_is_named(system: carom.System, tmp_path: Path) -> None:
    md = stand_in(tmp_path / "md", 'print("Too many neighbors. Increase MAXNEIGH.")')
    with pytest.raises(RuntimeError, match=r"(?s)md ended without a report.*Too many neighbors"):
        Edmd(md, system)


def test_dynamo_goes_on_where_it_was_and_tells_its_rate(tmp_path: Path) -> None:
    stand_in(tmp_path / "dynamod", DYNAMOD)
    stand_in(tmp_path / "dynarun", DYNARUN)
    program = Dynamo(tmp_path, 32, 0.3)
    assert program.seconds_each(500) == pytest.approx(2.5e-6)
    done = Path(program._folder.name, "state.xml").read_text()
    assert int(done) == 20 * 32 // 2 + 500
    program.close()


def test_what_is_not_there_is_left_out(
    system: carom.System, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CAROM_DYNAMO", raising=False)
    monkeypatch.delenv("CAROM_EDMD", raising=False)
    assert programs(system, 0.3) == {}
    monkeypatch.setenv("CAROM_EDMD", str(tmp_path))
    stand_in(tmp_path / "Single" / "md", MD)
    found = programs(system, 0.3)
    assert list(found) == ["EDMD, Single"]
    found["EDMD, Single"].close()
