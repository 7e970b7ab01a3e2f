"""How long it takes to the first collision: a new process, and a million spheres."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from time import perf_counter

from carom_studies.benchmarks.tables import Table

FIRST_COLLISION = """
import carom
particles, box = carom.packings.lattice(4000, 0.30, seed=1)
simulation = carom.Simulation(carom.System(particles, box))
simulation.run(collisions=1, progress=True)
print("collided", flush=True)
"""

MILLION = """
import json, sys
from time import perf_counter
import carom
from carom_studies.benchmarks.measuring import bytes_of_arrays, resident_bytes

n = int(sys.argv[1])
small, box = carom.packings.lattice(4000, 0.30, seed=1)
carom.Simulation(carom.System(small, box)).run(collisions=1, progress=False)
before, start = resident_bytes(), perf_counter()
particles, box = carom.packings.lattice(n, 0.30, seed=1)
made = perf_counter()
simulation = carom.Simulation(carom.System(particles, box))
simulation.run(collisions=1, progress=False)
seconds = perf_counter() - start
held = resident_bytes() - before
engine = bytes_of_arrays(simulation._engine)
print(json.dumps([made - start, seconds, held / n, engine / n]))
"""


def seconds_to_first_collision(cache: str) -> tuple[float, bool]:
    """Wall time of a new process until its first collision, and whether it said what it did."""
    environment = os.environ | {"CAROM_CACHE_DIR": cache}
    start = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", FIRST_COLLISION],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        seconds = perf_counter() - start
        said = line + process.stdout.read() + process.stderr.read()
    if process.returncode != 0:
        raise RuntimeError(said)
    return seconds, "Compiling" in said


def processes(warm: int) -> Table:
    """A process that has to compile, and the best of some that need not."""
    with tempfile.TemporaryDirectory() as cache:
        cold, said = seconds_to_first_collision(cache)
        later = min(seconds_to_first_collision(cache)[0] for _ in range(warm))
    message = "with a message" if said else "without a message"
    rows = [
        ["cold, " + message, f"{cold:.1f} s"],
        ["warm", f"{later:.2f} s"],
    ]
    headings = ("process", "to the first collision")
    note = "Wall time from the start of Python to the first of 4,000 spheres' collisions."
    return Table("start-up", "Start of a process", headings, rows, note)


def million(n: int) -> Table:
    """Time and memory to set up many spheres."""
    finished = subprocess.run(
        [sys.executable, "-c", MILLION, str(n)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=True,
    )
    placing, seconds, held, engine = json.loads(finished.stdout.splitlines()[-1])
    rows = [
        [
            f"set-up to first collision ({placing:.1f} s of it the lattice)",
            f"{seconds:.1f} s",
        ],
        ["memory held, per particle", f"{held:.0f} bytes"],
        ["arrays of the engine alone, per particle", f"{engine:.0f} bytes"],
    ]
    note = (
        "The memory held counts everything the process has more than before: the particles of the "
        "user, their copy in the engine, grids, calendar and what the allocator keeps."
    )
    return Table("million", f"{n:,} spheres, φ = 0.30", ("", "measured"), rows, note)
