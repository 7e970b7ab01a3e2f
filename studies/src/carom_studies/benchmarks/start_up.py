"""How long it takes until a run has begun: in a new process, and with a million spheres."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile

from carom_studies.benchmarks.tables import Table

BEGINNING = """
import sys
from time import perf_counter
start = perf_counter()
from typing import NamedTuple
import carom
particles, box = carom.packings.lattice(2000, 0.30, temperature=1.0, seed=1)
options = {"law": carom.ConstantRestitution(0.9)}
"""
ENDING = """
carom.Simulation(carom.System(particles, box, **options), method=method).run(until=until)
print(perf_counter() - start)
"""
KINDS = {
    "event-driven": "method, until = carom.EventDriven(), 0.01",
    "SoftContacts": "method, until = carom.SoftContacts(stiffness=1e5), 0.001",
    "SoftContacts with friction": (
        "method, until = carom.SoftContacts(stiffness=1e5, friction=0.5), 0.001"
    ),
    "TimeStepped": "method, until = carom.TimeStepped(dt=0.01), 0.01",
    "Laden": """
fluid = carom.fluids.SyntheticTurbulence(seed=2)
rule = carom.PowerOfRadius(35.0, exponent=1.0)
method, until = carom.Laden(fluid=fluid, dt=0.01, relaxation_time=rule), 0.01
""",
    "Coupled": """
particles, box = carom.packings.lattice(900, 1e-3, dimension=2, temperature=1.0, seed=1)
fluid = carom.fluids.DiffusionFlow(64, 0.01)
method, until = carom.Coupled(fluid, dt=0.01, relaxation_time=0.5), 0.01
""",
    "packings.grow": """
carom.packings.grow(200, 0.6, seed=1)
print(perf_counter() - start)
sys.exit()
""",
    "event-driven, a law of one's own": """
class Own(NamedTuple):
    coefficient: float

@carom.collisions.restitution.register(Own)
@carom.kernel
def _(contact, law):
    return law.coefficient if contact.approach_speed > 1.0 else 1.0

options = {"law": Own(0.9)}
method, until = carom.EventDriven(), 0.01
""",
    "SoftContacts, a force of one's own": """
class Own(NamedTuple):
    strength: float

@carom.forces.force.register(Own)
@carom.kernel
def _(body, own):
    return (-own.strength * body.position[0], 0.0, 0.0)

options = {"force": Own(0.1)}
method, until = carom.SoftContacts(stiffness=1e5), 0.001
""",
    "Laden, a flow of one's own": """
class Own(NamedTuple):
    speed: float

@carom.fluids.velocity.register(Own)
@carom.kernel
def _(place, flow):
    return (flow.speed, 0.0, 0.0)

method, until = carom.Laden(fluid=Own(0.5), dt=0.01, relaxation_time=1.0), 0.01
""",
}

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


def seconds_to_begin(kind: str, cache: str, **variables: str) -> float:
    """How long a new process takes to import carom, to make a system and to begin its run."""
    finished = subprocess.run(
        [sys.executable, "-c", BEGINNING + KINDS[kind] + ENDING],
        env=os.environ
        | {"CAROM_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        | variables,
        capture_output=True,
        text=True,
    )
    if finished.returncode != 0:
        raise RuntimeError(finished.stderr)
    return float(finished.stdout.split()[-1])


def processes(times: int) -> Table:
    """Processes that have to compile, and those that need not; the best of some of each."""
    rows = []
    for kind in KINDS:
        columns: list[list[float]] = [[], [], []]
        for _ in range(times):
            with tempfile.TemporaryDirectory() as cache:
                columns[0].append(seconds_to_begin(kind, cache))
                columns[1].append(seconds_to_begin(kind, cache))
            with tempfile.TemporaryDirectory() as cache:
                columns[2].append(seconds_to_begin(kind, cache, CAROM_COMPILER="plain"))
        rows.append([kind, *(f"{min(column):.1f} s" for column in columns)])
    headings = ("kind of run", "first run", "in the next process", "first, with plain Numba")
    note = (
        "Seconds by the clock from the first line of a script until a run of 2,000 spheres has "
        "begun, the import of carom included; with an empty cache, with what the first process "
        "left there, and with an empty one where Numba compiles as it does by itself "
        f"(`CAROM_COMPILER=plain`). The best of {times}."
    )
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
