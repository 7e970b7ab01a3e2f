"""When the explicit exchange of momentum blows up: linear theory against the scheme itself."""

from __future__ import annotations

import numpy as np
import pytest

from carom.fluids import DiffusionFlow, coupled_stream
from carom.particles import Array
from carom_studies.experiments.coupled_flow import Setting
from carom_studies.experiments.exchange_stability import bilinear_shares, stability

SETTING = Setting(144, viscosity=0.001)
STEPS = 300


def crowded() -> Array:
    """Particles in a few cells of the grid, at places that are no nodes of it."""
    return np.random.default_rng(1).normal(0.5, 0.08, size=(SETTING.n, 2)) % 1.0


def swings(setting: Setting, position: Array) -> Array:
    """How large the part of the field is that changes its sign in each step: the second
    differences of fields in time, which leave out what changes slowly."""
    fluid = DiffusionFlow(
        setting.nodes,
        setting.viscosity,
        scheme="explicit",
        start=np.random.default_rng(2).normal(size=(setting.nodes, setting.nodes, 2)),
    )
    stream = coupled_stream(fluid, (1.0, 1.0), 2)
    shares = bilinear_shares(position, setting.nodes)
    velocity, theta = np.zeros_like(position), setting.dt / setting.tau
    fields = []
    for _ in range(STEPS):
        strength = setting.strength * setting.radius
        stream.go_on(setting.dt, position, velocity, strength, 1.0 / setting.tau)
        felt = shares @ stream.field.velocity.reshape(-1, 2)
        velocity = (velocity + theta * felt) / (1.0 + theta)  # (14), particles stay where they are
        fields.append(stream.field.velocity.copy())
    return np.linalg.norm(np.diff(fields, 2, axis=0).reshape(STEPS - 2, -1), axis=1)


@pytest.mark.parametrize("ratio", [0.97, 1.03])
def test_above_one_swings_grow(ratio: float) -> None:
    """The ratio is proportional to the strength of the exchange, which is chosen to have it."""
    position = crowded()
    found = stability(SETTING, position)
    setting = SETTING._replace(strength=ratio / found.ratio)
    assert stability(setting, position).ratio == pytest.approx(ratio, rel=1e-3)
    late = swings(setting, position)[STEPS // 2 :]
    # Once a single mode is left, its growth is the same in every step.
    growth = (late[-1] / late[0]) ** (1.0 / (len(late) - 1))
    assert (growth > 1.0) == (ratio > 1.0)
    assert abs(growth - 1.0) > 1e-3
