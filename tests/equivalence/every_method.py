"""Runs of every kind in one process; prints digests, to be compared with those of others.

``python every_method.py [kind ...]`` prints {kind: digest} as JSON, of all kinds if none is given,
and under "witnesses" digests of functions of other libraries, which settings are meant to change.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import carom
from carom import fluids
from carom.compiled import pipelines

RECORDED = ("energy", "temperature", "pressure", "compressibility")
Run = Callable[[], Any]
KINDS: dict[str, Run] = {}


def kind(run: Run) -> Run:
    """Add a run to those of every kind, under the name of its function."""
    KINDS[run.__name__] = run
    return run


def digest(*values: Any) -> str:
    """A digest of numbers and arrays, every bit of them."""
    whole = hashlib.sha256()
    for value in values:
        whole.update(np.ascontiguousarray(value).tobytes())
    return whole.hexdigest()


def outcome(system: Any, until: float, observed: Any = (), **options: Any) -> str:
    """What a run says: its state, its counts, its records and its observables."""
    record = carom.Record(until / 8.0, *RECORDED)
    observers = [record, *observed]
    simulation = carom.Simulation(system, seed=7, observers=observers, **options)
    simulation.run(until=until, progress=False)
    particles = simulation.particles
    numbers = [getattr(simulation, name) for name in RECORDED]
    columns = [record["time"], *(record[name] for name in RECORDED)]
    shells = [value for one in observed for value in (*one.shells[1:], *one.shells.contact())]
    state = (particles.position, particles.velocity, particles.unwrapped, simulation.stress)
    more = [] if particles.angular_velocity is None else [particles.angular_velocity]
    if isinstance(simulation.method, (carom.Laden, carom.Coupled)):
        more.append(simulation.fluid.velocity(particles.position))
    counts = simulation.counts
    assert max(counts) > 0
    return digest(*state, *more, np.array(counts), *numbers, *columns, *shells)


def gas(n: int = 256, dimension: int = 3, fraction: float = 0.3, **options: Any) -> carom.System:
    """Particles on a lattice."""
    particles, box = carom.packings.lattice(n, fraction, dimension=dimension, seed=3)
    return carom.System(particles, box, **options)


def mixture(**options: Any) -> carom.System:
    """Disks of many sizes at random places."""
    radius = 0.5 * (1.0 + np.arange(120) % 7 / 3.0)
    particles, box = carom.packings.random(120, 0.3, dimension=2, radius=radius, seed=4)
    return carom.System(particles, box, **options)


VISCOELASTIC = carom.ViscoelasticRestitution(1e4, 0.3, 0.01)


@kind
def viscoelastic() -> str:
    observed = [carom.PairStatistics(1.0)]
    return outcome(gas(law=VISCOELASTIC), 8.0, observed)


@kind
def rough() -> str:
    return outcome(gas(dimension=2, law=carom.RoughRestitution(0.9, 0.5)), 8.0)


@kind
def sheared() -> str:
    particles, box = carom.packings.lattice(128, 0.3, dimension=2, seed=3)
    domain = carom.LeesEdwards(box.lengths, 0.5)
    law = carom.ContactDuration(carom.ConstantRestitution(0.8), 1e-4)
    return outcome(carom.System(particles, domain, law=law), 8.0)


@kind
def settling() -> str:
    particles, _ = carom.packings.lattice(64, 0.3, dimension=2, seed=3)
    walls = [carom.Plane([0.0, 0.5], [0.3, 1.0], restitution=0.7)]
    particles.position += [0.0, 6.0]
    law = carom.ConstantRestitution(0.9)
    system = carom.System(particles, carom.Open(), law=law, gravity=[0.0, -1.0], walls=walls)
    return outcome(system, 4.0)


@kind
def sizes() -> str:
    return outcome(mixture(law=carom.ConstantRestitution(0.95)), 8.0)


@kind
def driven() -> str:
    actors = [
        carom.AndersenThermostat(1.0, every=0.5, rate=0.3),
        carom.RandomKicks(0.1, every=0.3),
        carom.RescalingThermostat(1.0, every=0.7),
    ]
    return outcome(gas(law=VISCOELASTIC), 4.0, actors=actors)


@kind
def grown() -> str:
    spheres, box = carom.packings.grow(64, 0.5, seed=2, progress=False)
    order = carom.packings.bond_order(spheres, box)
    disks, square = carom.packings.lattice(60, 0.6, dimension=2, seed=1)
    planar = carom.packings.bond_order(disks, square)
    return digest(spheres.position, spheres.velocity, spheres.radius, box.lengths, *order, *planar)


@kind
def soft() -> str:
    method = carom.SoftContacts(1e4, restitution=0.7, ends_at="zero_force", friction=0.4)
    system = gas(128, dimension=2, fraction=0.6)
    return outcome(system, 1.0, method=method)


@kind
def time_stepped() -> str:
    system = gas(128, dimension=2, law=carom.ConstantRestitution(0.9))
    return outcome(system, 2.0, method=carom.TimeStepped())


def in_the_unit_box(n: int, radius: float, dimension: int) -> carom.System:
    """Particles at random places of a box that periods of 1 fit into."""
    unit = math.pi if dimension == 2 else 4.0 / 3.0 * math.pi
    fraction = n * unit * radius * radius * (radius if dimension == 3 else 1.0)
    particles, _ = carom.packings.random(
        n, fraction, dimension=dimension, radius=radius, temperature=0.1, seed=5
    )
    return carom.System(particles, carom.Periodic((1.0,) * dimension))


def laden(fluid: Any, dimension: int = 2, **options: Any) -> str:
    """Particles in a flow."""
    options = {"dt": 0.02, "relaxation_time": 0.1} | options
    system = in_the_unit_box(200, 0.01, dimension)
    return outcome(system, 1.0, method=carom.Laden(fluid, **options))


@kind
def taylor_green() -> str:
    rule = carom.PowerOfRadius(60.0, 1.5)
    return laden(fluids.TaylorGreen(), drag=carom.drags.SchillerNaumann(1e-4), relaxation_time=rule)


@kind
def abc() -> str:
    return laden(fluids.ABC(), 3)


@kind
def synthetic_turbulence() -> str:
    spectra = ("karman_obukhov", "kraichnan")
    flows = [fluids.SyntheticTurbulence(spectrum, grid=90, seed=2) for spectrum in spectra]
    return digest(*(np.frombuffer(laden(flow).encode(), np.uint8) for flow in flows))


@kind
def synthetic_turbulence_in_space() -> str:
    return laden(fluids.SyntheticTurbulence(grid=24, correlation_time=0.3, seed=2), 3)


def coupled(fluid: Any) -> str:
    """Particles that act on their fluid."""
    system = in_the_unit_box(150, 4e-3, 2)
    return outcome(system, 0.4, method=carom.Coupled(fluid, dt=0.02, relaxation_time=0.2))


@kind
def diffusion_flow() -> str:
    forcing = fluids.StochasticForcing(seed=3)
    return coupled(fluids.DiffusionFlow(32, 0.01, forcing=forcing))


@kind
def navier_stokes() -> str:
    forcing, start = (
        fluids.StochasticForcing("kraichnan"),
        fluids.SyntheticTurbulence(grid=60, seed=6),
    )
    return coupled(
        fluids.NavierStokes2D(40, 0.01, forcing=forcing, start=start, scheme="conserving")
    )


def witnesses() -> dict[str, str]:
    """What other libraries give, and what the compiler compiles for."""
    random = np.random.Generator(np.random.PCG64(1))
    a, b = random.random((2, 5000))
    z = a + 1j * b
    return {
        "blas": digest(a @ b),
        "numpy": digest(z * z[::-1]),
        "libm": digest([math.exp(x) for x in 700.0 * a - 300.0]),
        "compiler": f"{numba.config.CPU_NAME} {numba.config.CPU_FEATURES}",
        "pipelines": str(pipelines.IS_USED),
    }


if __name__ == "__main__":
    chosen = sys.argv[1:] or list(KINDS)
    print(json.dumps({name: KINDS[name]() for name in chosen} | {"witnesses": witnesses()}))
