"""Event-driven programs of others, run beside carom: the same spheres, in pieces that take turns.

They are built by their users, and environment variables name their folders:

- CAROM_EDMD: F. Smallenburg's EDMD (github.com/FSmallenburg/EDMD), with ``md`` made in some or all
  of its folders Cell, Multi and Single. The programs run as they come; where nothing else is set in
  their sources, they read ``init.sph`` and report once in a unit of time.
- CAROM_DYNAMO: DynamO (dynamomd.com), the folder that holds ``dynamod`` and ``dynarun``.
"""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import carom

NANOSECONDS = 1e-9
VARIANTS = ("Cell", "Multi", "Single")  # of EDMD
WRAP = 2**32  # its counter is an unsigned integer
REPORT = re.compile(r"Collisions: (\d+)")
EVENT_RATE = re.compile(r'EventsPerSec="([^"]+)"')
SETTLING = 20  # collisions per particle from the lattice, in DynamO


class Program(Protocol):
    """A program with a fluid of its own."""

    def seconds_each(self, collisions: int) -> float:
        """Carry out a piece of so many collisions or a few more; its time per collision."""

    def close(self) -> None:
        """End it."""


def programs(system: carom.System, packing_fraction: float) -> dict[str, Program]:
    """Those that are there, by name."""
    found: dict[str, Program] = {}
    if folder := os.environ.get("CAROM_EDMD"):
        for variant in VARIANTS:
            program = Path(folder, variant, "md").absolute()
            if program.exists():
                found[f"EDMD, {variant}"] = Edmd(program, system)
    if folder := os.environ.get("CAROM_DYNAMO"):
        found["DynamO"] = Dynamo(Path(folder).absolute(), len(system.particles), packing_fraction)
    return found


class Edmd:
    """One of the programs EDMD, which is stopped while others run (Linux).

    It reports its collisions once in a unit of time; the processor time between two reports is
    told by the system. A run ends by itself after some units of time, and then begins again.
    """

    def __init__(self, program: Path, system: carom.System) -> None:
        self._program = program
        self._last = (0, 0.0)  # collisions and processor time at the latest report
        self._folder = tempfile.TemporaryDirectory()
        _write_spheres(Path(self._folder.name, "init.sph"), system)
        self._begin()

    def seconds_each(self, collisions: int) -> float:
        """The processor time per collision, from report to report."""
        os.kill(self._process.pid, signal.SIGCONT)
        done, seconds = 0, 0.0
        while done < collisions:
            before = self._last
            if (report := self._next_report()) is None:
                self.stop()
                self._begin()
                continue
            self._last = report
            done += (report[0] - before[0]) % WRAP
            seconds += report[1] - before[1]
        os.kill(self._process.pid, signal.SIGSTOP)
        return seconds / done

    def close(self) -> None:
        """End it and remove its files."""
        self.stop()
        self._folder.cleanup()

    def stop(self) -> None:
        """End the present run."""
        self._process.kill()
        self._process.wait()
        self._output.close()

    def _begin(self) -> None:
        """Start a run, up to its first report: lists and calendar are filled by then."""
        import pty  # not on Windows

        # At a terminal programs write line by line.
        ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [self._program], cwd=self._folder.name, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self._output = os.fdopen(ours, errors="replace")
        self._said: list[str] = []
        first = self._next_report()
        if first is None:
            said = "".join(self._said[-5:])
            raise RuntimeError(f"{self._program} ended without a report of collisions:\n{said}")
        self._last = first

    def _next_report(self) -> tuple[int, float] | None:
        """Collisions and processor time at the next report, or None at the end."""
        for line in self._lines():
            self._said.append(line)
            if found := REPORT.search(line):
                return int(found[1]), self._processor_time()
        return None

    def _lines(self) -> Iterator[str]:
        try:
            yield from iter(self._output.readline, "")
        except OSError:  # how a terminal tells that its program has ended
            return

    def _processor_time(self) -> float:
        told = Path(f"/proc/{self._process.pid}/schedstat").read_text().split()[0]
        return NANOSECONDS * int(told)


def _write_spheres(path: Path, system: carom.System) -> None:
    """The spheres as EDMD reads them: how many, the box, and a line for each; in diameters."""
    particles, sides = system.particles, system.sides
    assert sides is not None
    diameter = 2.0 * float(particles.radius.max())
    places = (particles.position % sides) / diameter
    lines = [str(len(particles)), " ".join(repr(float(side / diameter)) for side in sides)]
    lines += [f"a {x!r} {y!r} {z!r} 0.5" for x, y, z in places.tolist()]
    path.write_text("\n".join(lines) + "\n")


class Dynamo:
    """DynamO: a process for each piece, which goes on where the last one ended.

    It tells its own rate, by the clock: the machine should have nothing else to do.
    """

    def __init__(self, folder: Path, n: int, packing_fraction: float) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._programs = folder
        cells = round((n / 4) ** (1 / 3))  # of a face-centred lattice
        density = 6.0 * packing_fraction / math.pi
        self._call("dynamod", "-m", 0, "-C", cells, "-d", density, "-o", "state.xml")
        self.seconds_each(SETTLING * n // 2)

    def seconds_each(self, collisions: int) -> float:
        """The time per collision by DynamO's own clock, without reading and writing files."""
        output = ("-o", "state.xml", "--out-data-file", "told.xml")
        self._call("dynarun", "state.xml", "-c", collisions, *output)
        told = EVENT_RATE.search(Path(self._folder.name, "told.xml").read_text())
        if told is None:
            raise RuntimeError("DynamO has not told its EventsPerSec.")
        return 1.0 / float(told[1])

    def close(self) -> None:
        """Remove its files."""
        self._folder.cleanup()

    def _call(self, program: str, *arguments: object) -> None:
        subprocess.run(
            [self._programs / program, *map(str, arguments)],
            cwd=self._folder.name,
            capture_output=True,
            check=True,
        )
