"""Sweeps with a scheduler of Dask and worker processes: the same bits as in one process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
from carom.simulation.runs import read_table

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.apart

END = {"until": 2.0}


def bath(restitution: float, random: np.random.Generator) -> carom.Simulation:
    particles, box = carom.packings.lattice(30, 0.3, dimension=2, seed=random.integers(2**32))
    system = carom.System(particles, box, law=carom.ConstantRestitution(restitution))
    actors = [carom.AndersenThermostat(temperature=1.0, every=0.3, rate=1.0)]
    return carom.Simulation(system, actors=actors, observers=[carom.Record(0.1, "energy")])


def measure(sim: carom.Simulation) -> dict[str, Any]:
    return {"x": sim.particles.unwrapped[:3], "energies": sim.observers[0]["energy"]}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        yield cluster


def test_a_cluster_gives_the_same_bits(cluster: Any, tmp_path: Path) -> None:
    parameters = {"restitution": [0.8, 0.9]}
    expected = carom.sweep(bath, parameters, run=END, measure=measure, replicas=3)
    with distributed.Client(cluster) as client:
        for given in (client, cluster, cluster.scheduler_address):
            folder = tmp_path / str(type(given).__name__)
            found = carom.sweep(
                bath, parameters, run=END, measure=measure, replicas=3, client=given, folder=folder
            )
            assert found.identical(expected)
            assert carom.sweeps.read(folder).identical(expected)
        assert client.status == "running"


def test_failures_on_workers_are_rows(cluster: Any) -> None:
    def fails(sim: carom.Simulation) -> dict[str, Any]:
        if sim.system.law.coefficient == 0.8:
            raise ArithmeticError("nothing to see")
        return {"T": sim.temperature}

    parameters = {"restitution": [0.8, 0.9]}
    table = carom.sweep(bath, parameters, run=END, measure=fails, client=cluster)
    assert table.error.values.ravel().tolist() == ["ArithmeticError: nothing to see", ""]


def energies(path: Path) -> list[float]:
    log = read_table(path)
    return [*log["time"].tolist(), *log["energy"].tolist()]


class Killer(carom.Observer):
    """Ends its worker at a moment of the run, once."""

    def __init__(self, mark: Path) -> None:
        super().__init__(0.5)
        self.mark = mark

    def observe(self, simulation: Any) -> None:
        if simulation.time >= 1.5 and not self.mark.exists():
            self.mark.touch()
            (self.mark.parent / "checkpoints").write_text(
                "\n".join(path.name for path in self.mark.parent.rglob("state-*.carom"))
            )
            os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.posix
def test_a_run_goes_on_elsewhere_when_its_worker_is_killed(cluster: Any, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    attempts = tmp_path / "attempts"

    def build(restitution: float, random: np.random.Generator) -> carom.Simulation:
        with attempts.open("a") as file:
            file.write(f"{restitution}\n")
        return bath(restitution, random)

    def start(sim: carom.Simulation) -> dict[str, Any]:
        return measure(sim) | {"looks": sim.observers[-1].looks}

    def observers(folder: Path) -> list[carom.Observer]:
        return [carom.Table(folder / "log.csv", 0.2, "energy"), Killer(mark)]

    options: Any = {"parameters": {"restitution": [0.7, 0.8, 0.9]}, "run": END, "measure": start}
    options |= {"observers": observers, "checkpoint_every": 1e-9}
    found = carom.sweep(build, **options, client=cluster, folder=tmp_path / "cluster")
    assert mark.exists()
    assert (tmp_path / "checkpoints").read_text()
    assert len(attempts.read_text().split()) > 3
    expected = carom.sweep(build, **options, folder=tmp_path / "here")
    assert found.identical(expected)
    for folder in ("cluster", "here"):
        assert not list((tmp_path / folder).rglob("*.carom"))
    logs = [
        sorted(energies(path) for path in (tmp_path / folder).rglob("log.csv"))
        for folder in ("cluster", "here")
    ]
    assert len(logs[0]) == 3
    assert logs[0] == logs[1]


SCRIPT = """
import os
from typing import Any, NamedTuple
import numpy as np
import carom
from carom.collisions import restitution

class Sticky(NamedTuple):
    coefficient: float

def softened(x):
    return 0.9 * x

@restitution.register(Sticky)
@carom.kernel
def _(contact: Any, law: Any) -> float:
    return law.coefficient if contact.approach_speed < 1.0 else 0.5 * law.coefficient

def gas(law, random):
    particles, box = carom.packings.lattice(30, 0.3, dimension=2, seed=random.integers(2**32))
    return carom.System(particles, box, law=law)

def main():
    from dask.distributed import LocalCluster
    measure = lambda sim: {"T": softened(sim.temperature)}
    options = dict(run={"until": 2.0}, replicas=2, measure=measure)
    parameters = {"law": [Sticky(0.8), Sticky(0.9)]}
    here = carom.sweep(gas, parameters, **options)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = carom.sweep(gas, parameters, **options, client=cluster)
    assert here.identical(there), (here, there)
    assert (here.error == "").all(), here.error.values
    print("the same")

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "plain", ["1", pytest.param("0", marks=pytest.mark.slow)], ids=["plain", "compiled"]
)
def test_what_a_script_defines_reaches_the_workers(plain: str, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": plain},
    )
    assert done.stdout == "the same\n", done.stderr


@pytest.mark.posix
def test_ctrl_c_stops_the_workers_which_keep_checkpoints(cluster: Any, tmp_path: Path) -> None:
    def long(restitution: float, random: np.random.Generator) -> carom.Simulation:
        (tmp_path / f"begun {restitution}").touch()
        return bath(restitution, random)

    parameters = {"restitution": [0.8, 0.9]}

    def presses() -> None:
        while len(list(tmp_path.glob("begun*"))) < 2:
            time.sleep(0.05)
        time.sleep(3.0)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=presses)
    thread.start()
    with distributed.Client(cluster) as client:
        with pytest.raises(KeyboardInterrupt, match="stopped after 0 of 2 runs"):
            carom.sweep(
                long,
                parameters,
                run={"until": 1e9},
                measure=measure,
                client=client,
                folder=tmp_path / "sweep",
            )
        thread.join()
        # The workers are free again, and what they had done is kept.
        while len(list((tmp_path / "sweep").rglob("state-*.carom"))) < 2:
            time.sleep(0.05)  # a worker asks twice a second; the limit is that of the test
        assert client.submit(sum, [1, 2], pure=False).result(timeout=30) == 3


def test_a_client_that_is_closed_in_the_middle_is_said(cluster: Any, tmp_path: Path) -> None:
    folder, client = tmp_path / "sweep", distributed.Client(cluster)
    options: Any = {"run": END, "measure": measure, "folder": folder}
    parameters = {"restitution": [round(0.5 + 0.002 * k, 3) for k in range(200)]}
    closing = threading.Thread(target=lambda: (wait_for_rows(folder), client.close()))
    closing.start()
    with pytest.raises(carom.SweepError, match="connection to Dask's scheduler is lost"):
        carom.sweep(bath, parameters, **options, client=client)
    closing.join()
    errors = carom.sweeps.read(folder).error.values.ravel()
    assert set(errors) == {"", "not run yet"}  # no failures that are none of the runs


def wait_for_rows(folder: Path) -> None:
    while not any(path.stat().st_size > 2000 for path in folder.glob("rows/*")):
        time.sleep(0.01)


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.sweeps.cluster.LONGEST_CALL", "1s")
    with pytest.raises(carom.SweepError, match=r"no scheduler of Dask at 'tcp://127.0.0.1:9'"):
        carom.sweep(
            bath, {"restitution": [0.8]}, run=END, measure=measure, client="tcp://127.0.0.1:9"
        )


def test_without_dask_only_clusters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    options: Any = {"run": END, "measure": measure}
    carom.sweep(bath, {"restitution": [0.8]}, **options)
    with pytest.raises(ImportError, match=r"pip install 'carom\[sweep\]'"):
        carom.sweep(bath, {"restitution": [0.8]}, **options, client="tcp://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match=r"pip install 'carom\[sweep\]'"):
        carom.sweep(bath, {"restitution": [0.8]}, **options)
