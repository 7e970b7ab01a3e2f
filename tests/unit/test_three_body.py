"""Collisions that leave a particle overlapping two others (Bannerman et al. 2014, figure 5)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_overlaps import SLOW, three_spheres

import carom
from carom.methods.event_driven import engine

ALGORITHMS = ("cells", "lists", "heap")
N = 500


def fluid(density: float, law: Any) -> carom.System:
    """Spheres of diameter 1, melted elastically, in a periodic box."""
    particles, box = carom.packings.lattice(N, density * math.pi / 6.0, radius=0.5, seed=1)
    melting = carom.Simulation(carom.System(particles, box))
    melting.run(collisions=10 * N)
    return carom.System(melting.particles, box, law=law)


def hit_while_overlapping(k: int) -> carom.System:
    """The three spheres, the third so fast that rounding decides whether it overlaps, too."""
    system = three_spheres(k)
    start = system.particles.copy()
    position, velocity = start.position, start.velocity
    speed = 8.0 + 0.3 * k
    met_at = position[1, 0] - 0.5 * SLOW / 4.0
    position[2, 0] = met_at + 1.0 + speed * (0.25 + 2.0**-38)
    velocity[2, 0] = -speed
    return carom.System(carom.Particles(position, velocity), law=system.law)


class Onlooker:
    """Counts three-body collisions from outside: by the log, and the positions after each."""

    def __init__(self, simulation: carom.Simulation, log: carom.CollisionLog) -> None:
        self._simulation, self._log = simulation, log
        self._met: list[list[int]] = [[] for _ in simulation.system.particles.radius]
        self._times = [-math.inf] * len(self._met)
        self.found = 0

    def watch(self, collisions: int) -> None:
        """Go on by so many collisions, one by one."""
        for _ in range(collisions):
            self._log.clear()
            self._simulation.run(collisions=1, progress=False)
            time, i, j = (self._log[name][0] for name in ("time", "i", "j"))
            if _length(self._log["separation"][0]) < 1.0:
                self.found += self._is_double(i, j, time) or self._is_double(j, i, time)
            for own, other in ((i, j), (j, i)):
                self._met[own].append(other)
                self._times[own] = time

    def _is_double(self, own: int, other: int, time: float) -> bool:
        """Whether ``own`` still overlaps whom it met before, and does not go back and forth."""
        met = self._met[own]
        if not met or met[-1] == other:
            return False
        if time == self._times[own] and met[-2:-1] == [other]:
            return False
        position, sides = self._simulation.particles.position, self._simulation.system.sides
        far = position[own] - position[met[-1]]
        return _length(far - sides * np.rint(far / sides)) < 1.0


def _length(vector: Any) -> float:
    """In the order of the kernels: here the last bit decides, and BLAS's is the processor's."""
    x, y, z = vector.tolist()
    return math.sqrt(x * x + y * y + z * z)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_count_is_that_of_an_onlooker(algorithm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a gas that clusters and is about to collapse.

    The origin of times moves often, and with it the particles are renumbered.
    """
    monkeypatch.setattr(engine, "COLLISIONS_PER_ORIGIN", 1)
    log = carom.CollisionLog()
    simulation = carom.Simulation(
        fluid(0.9, carom.ConstantRestitution(0.2)),
        method=carom.EventDriven(algorithm, three_body=True),
        observers=[log],
    )
    onlooker = Onlooker(simulation, log)
    onlooker.watch(3500)
    print(f"{algorithm}: {simulation.counts.three_body} three-body collisions")
    assert simulation.counts.three_body == onlooker.found
    assert onlooker.found >= 20


def test_none_in_a_dilute_elastic_gas() -> None:
    system = fluid(0.1, carom.Elastic())
    simulation = carom.Simulation(system, method=carom.EventDriven(three_body=True))
    simulation.run(collisions=100_000)
    assert simulation.counts.three_body == 0


@pytest.mark.parametrize("algorithm", ["cells", "heap", "collision_list", "simple"])
def test_who_had_met_whom_is_saved(algorithm: str, tmp_path: Path) -> None:
    """Between the first contact and the second, which may be a three-body collision."""
    method = carom.EventDriven(algorithm, three_body=True)
    found = 0
    for k in range(100):
        whole = carom.Simulation(hit_while_overlapping(k), method=method)
        whole.run(until=0.5)
        found += whole.counts.three_body

        cut = carom.Simulation(hit_while_overlapping(k), method=method)
        cut.run(collisions=1)
        assert cut.counts.three_body == 0
        cut.save(tmp_path / "state.carom")
        loaded = carom.load(tmp_path / "state.carom")
        loaded.run(until=0.5)
        assert loaded.counts.three_body == whole.counts.three_body
    print(f"{algorithm}: {found} three-body collisions")
    assert found >= 3


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_loaded_run_counts_on(algorithm: str, tmp_path: Path) -> None:
    method = carom.EventDriven(algorithm, three_body=True)
    simulation = carom.Simulation(fluid(0.9, carom.ConstantRestitution(0.2)), method=method)
    simulation.run(collisions=2500)
    simulation.save(tmp_path / "state.carom")
    before = simulation.counts.three_body
    loaded = carom.load(tmp_path / "state.carom")
    for either in (simulation, loaded):
        either.run(collisions=1000)
    assert loaded.counts == simulation.counts
    assert loaded.counts.three_body > before
    watched = (loaded._engine.world.watch, simulation._engine.world.watch)
    for array, expected in zip(*watched, strict=True):
        np.testing.assert_array_equal(array, expected)


def test_who_does_not_ask_carries_nothing() -> None:
    simulation = carom.Simulation(three_spheres(0))
    assert simulation._engine.world.watch == ()
    simulation.run(until=0.5)
    assert simulation.counts.three_body == 0
