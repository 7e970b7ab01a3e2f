"""Runs of coupled_2001.py: particles and a fluid that act on each other; what is seen of them."""

from __future__ import annotations

import math
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, eigsh

import carom
from carom.errors import FlowNotSolved
from carom.fluids import DiffusionFlow, StochasticForcing, TaylorGreen, TaylorGreenForcing
from carom.particles import Array

# The paper gives neither; these make its numbers of the one-way case come out.
FRACTION = 0.05
RELAXATION = 35.0  # τ / r
# With it the force ∇⊥ψ of amplitude 1 holds the Taylor–Green flow of speed 1.
VISCOSITY = 1.0 / (8.0 * math.pi**2)
CLOSEST = math.pi / math.sqrt(12.0)  # the share of the plane that close-packed disks fill
NEAR = 0.02  # of a separatrix: less than this away
FORCINGS: dict[str, Any] = {"Taylor–Green": TaylorGreenForcing(), "stochastic": StochasticForcing()}


class Setting(NamedTuple):
    """What a run is made of; n particles, about as many nodes, and the step 1 / √n."""

    n: int
    scheme: str = "implicit"
    strength: float = 1.0  # α / r
    starts: str = "vortices"  # the fluid: as the Taylor–Green flow; or "at rest"
    forcing: str = "Taylor–Green"
    fraction: float = FRACTION
    lengthened: float = 1.0  # the step, in units of 1 / √n

    @property
    def nodes(self) -> int:
        """Along each axis."""
        return round(math.sqrt(self.n))

    @property
    def dt(self) -> float:
        """The time step."""
        return self.lengthened / self.nodes

    @property
    def radius(self) -> float:
        """Of the particles, in the unit square."""
        return math.sqrt(self.fraction / (math.pi * self.n))

    @property
    def name(self) -> str:
        """By which its results are kept."""
        return (
            f"{self.forcing}, {self.n}, {self.scheme}, {self.strength:g} r, {self.starts}, "
            f"fraction {self.fraction:g}, step {self.lengthened:g}"
        )

    def simulation(self) -> carom.Simulation:
        """The run, at its start."""
        particles, _ = carom.packings.random(
            self.n, self.fraction, dimension=2, radius=self.radius, temperature=0.0, seed=1
        )
        fluid = DiffusionFlow(
            self.nodes,
            VISCOSITY,
            FORCINGS[self.forcing],
            scheme=self.scheme,
            exchange=self.strength * self.radius,
            start=TaylorGreen() if self.starts == "vortices" else None,
        )
        return carom.Simulation(
            carom.System(particles, carom.Periodic((1.0, 1.0))),
            method=carom.Coupled(fluid, self.dt, RELAXATION * self.radius),
        )


class Stability(NamedTuple):
    """What tells whether the explicit scheme is stable while particles stay where they are.

    It is not when something can change its sign in a step and grow: u → −g u, v → −g v, g ≥ 1. At
    g = 1 the step of the fluid and that of the particles, with θ = Δt / τ,

        (1 + ν Δt A) u' = (1 − Δt D) u + Δt Sᵀ α v / (Δx Δy),  (1 + θ) v' = v + θ S u',

    demand v = θ / (2 + θ) S u, and so

        2 / (2 + θ) Δt D u = (2 + ν Δt A) u.
    """

    exchange: float  # the largest eigenvalue of Δt D
    ratio: float  # that of (2 + ν Δt A)⁻¹ Δt D · 2 / (2 + θ): above 1, perturbations grow


def stability(setting: Setting, position: Array) -> Stability:
    """Where a run with particles at these positions (n, 2) stands."""
    nodes, dt = setting.nodes, setting.dt
    shares = bilinear_shares(position, nodes)
    factor = dt * setting.strength * setting.radius * nodes**2
    exchange = factor * (shares.T @ shares)
    waves = 4.0 * (nodes * np.sin(np.pi * np.arange(nodes) / nodes)) ** 2
    damping = 2.0 + VISCOSITY * dt * (waves[:, None] + waves)
    slip = 2.0 / (2.0 + dt / (RELAXATION * setting.radius))

    def filtered(field: Array) -> Array:
        """(2 + ν Δt A)^(−1/2) times a field; on both sides it keeps the matrix symmetric."""
        modes = np.fft.fft2(field.reshape(nodes, nodes)) / np.sqrt(damping)
        return np.real(np.fft.ifft2(modes)).ravel()

    whole = LinearOperator(
        exchange.shape, matvec=lambda field: slip * filtered(exchange @ filtered(field))
    )
    return Stability(_largest(exchange), _largest(whole))


def bilinear_shares(position: Array, nodes: int) -> Any:
    """The matrix (n, nodes²) that interpolates from a grid in the periodic unit square."""
    place = np.asarray(position) * nodes
    corner = np.floor(place).astype(int)
    share = place - corner
    rows = np.arange(len(place))
    parts = []
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - share[:, 0]) * np.abs(1 - j - share[:, 1])
            column = (corner[:, 0] + i) % nodes * nodes + (corner[:, 1] + j) % nodes
            parts.append(scipy.sparse.coo_matrix((weight, (rows, column)), (len(place), nodes**2)))
    return sum(parts[1:], parts[0]).tocsr()


def _largest(matrix: Any) -> float:
    """The largest eigenvalue of a symmetric matrix; the start is fixed, as the result should be."""
    start = np.random.default_rng(0).random(matrix.shape[0])
    return float(eigsh(matrix, 1, which="LA", tol=1e-4, v0=start, return_eigenvectors=False)[0])


def close_packed(setting: Setting) -> float:
    """The eigenvalue of Δt D where disks are packed as closely as can be over many nodes: the
    force of so many particles on a fluid that moves as one."""
    per_area = CLOSEST / (math.pi * setting.radius**2)
    return setting.dt * setting.strength * setting.radius * per_area


def energies(setting: Setting, until: float, every: int) -> dict[str, Any]:
    """The energy of the fluid after each step, and the stability after every few."""
    simulation, dt = setting.simulation(), setting.dt
    found: dict[str, Any] = {"energy": [simulation.fluid_energy], "stability": []}
    iterations = 0
    for step in range(1, round(until / dt) + 1):
        try:
            simulation.run(until=step * dt, progress=False)
        except FlowNotSolved:
            found["ended"] = step * dt
            break
        iterations += simulation.solver_iterations
        found["energy"].append(simulation.fluid_energy)
        if every and step % every == 0:
            position = simulation.particles.position
            found["stability"].append([step * dt, *stability(setting, position)])
    steps = len(found["energy"]) - 1
    return (
        found
        | setting._asdict()
        | {
            "dt": dt,
            "close_packed": close_packed(setting),
            "iterations": iterations / max(steps, 1),
            "collisions": simulation.counts.collisions,
        }
    )


def near_separatrices(position: Array) -> float:
    """The share of particles near the lines between the vortices of the Taylor–Green flow."""
    away = np.abs(2.0 * position - np.round(2.0 * position)) / 2.0
    return float((away.min(axis=1) < NEAR).mean())


def costs(setting: Setting, until: float) -> dict[str, Any]:
    """Collisions, and processor time for them and for the fluid."""
    setting.simulation().run(until=2.0 * setting.dt, progress=False)  # compiles
    simulation = setting.simulation()
    stream = simulation._engine.fluid
    watch = Stopwatch(stream)
    start = process_time()
    simulation.run(until=until, progress=False)
    seconds = process_time() - start
    return setting._asdict() | {
        "until": until,
        "collisions": simulation.counts.collisions,
        "fluid_seconds": watch.seconds,
        "collision_seconds": seconds - watch.seconds,
        "iterations": stream.iterations / stream.steps,
        "near": near_separatrices(simulation.particles.position),
    }


class Stopwatch:
    """Stands before the steps of a fluid and sums up their processor time."""

    def __init__(self, stream: Any) -> None:
        self.seconds = 0.0
        self._step = stream.go_on
        stream.go_on = self._timed

    def _timed(self, *arguments: Any) -> None:
        start = process_time()
        self._step(*arguments)
        self.seconds += process_time() - start
