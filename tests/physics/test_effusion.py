"""A gas that leaves through a face, against the kinetic theory of effusion."""

from __future__ import annotations

import math

import numpy as np

import carom


def test_a_gas_leaves_through_a_face_as_kinetic_theory_says() -> None:
    """The flux is n v̄ / 4 with v̄ = √(8 T / π m), and who leaves carries 2 T on average.

    Without collisions this is so until the fastest have come from the opposite wall. Numbers that
    leave are binomial; their energies, weighted with the velocity along the way out, have a mean of
    2 T and a variance of 2 T² (L. D. Landau & E. M. Lifshitz, Statistical Physics, § 39).
    """
    n, temperature, time = 20_000, 1.5, 1.5
    random = np.random.default_rng(4)
    position = random.uniform(0.0, 10.0, (n, 3)) * 0.9998 + 1e-3
    velocity = math.sqrt(temperature) * random.standard_normal((n, 3))
    particles = carom.Particles(position, velocity, radius=1e-7)
    system = carom.System(particles, carom.Box((40.0, 10.0, 10.0), "yz"))
    face = carom.regions.Beyond((10.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    log = carom.PassageLog()
    sim = carom.Simulation(system, actors=[carom.Outlet(face, every=0.25)], observers=[log], seed=1)
    sim.run(time)
    share = math.sqrt(8.0 * temperature / math.pi) / 4.0 * time / 10.0
    assert abs(sim.left - n * share) <= 4.0 * math.sqrt(n * share * (1.0 - share))
    energy = 0.5 * (log["velocity"] ** 2).sum(axis=1)
    error = math.sqrt(2.0 / sim.left) * temperature
    assert abs(energy.mean() - 2.0 * temperature) <= 4.0 * error
    assert abs(sim.traffic[0].left_energy / sim.left - energy.mean()) <= 1e-9
