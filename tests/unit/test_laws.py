"""Collision laws: what they conserve, and what they say."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import beta

import carom
from carom.collisions import Contact, restitution
from carom.collisions.viscoelastic import B1, B2, B3, B4

EPSILON = float(np.finfo(np.float64).eps)
# Compiles fastest, which matters for a user's law: it is compiled in every process.
SIMPLE = carom.EventDriven("simple")


def gas(law: Any, n: int = 40) -> carom.System:
    """Disks of unequal radii and masses in a periodic box."""
    rng = np.random.default_rng(7)
    particles, box = carom.packings.random(
        n, 0.3, dimension=2, radius=rng.uniform(0.3, 0.7, n), mass=rng.uniform(0.5, 4.0, n), seed=7
    )
    return carom.System(particles, box, law=law)


@pytest.fixture(
    params=["elastic", "constant", "viscoelastic", "contact duration", "user's own, nested"]
)
def law(request: Any, hard_when_slow: Any) -> Any:
    return {
        "elastic": carom.Elastic(),
        "constant": carom.ConstantRestitution(0.7),
        "viscoelastic": carom.ViscoelasticRestitution(1e3, 0.3, 1e-3),
        "contact duration": carom.ContactDuration(carom.ConstantRestitution(0.7), 0.01),
        "user's own, nested": carom.ContactDuration(hard_when_slow(0.8, 0.5), 0.01),
    }[request.param]


def test_every_law_conserves_momentum_and_accounts_for_the_energy(law: Any) -> None:
    """Each collision rounds momenta and energies of the two partners, independently.

    The errors of N collisions add up to about sqrt(N) roundings at their size; ten of these
    are allowed.
    """
    simulation = carom.Simulation(gas(law), method=SIMPLE)
    momentum, energy = simulation.momentum, simulation.energy
    collisions = 2000
    simulation.run(collisions=collisions)
    particles = simulation.particles
    largest = (particles.mass * np.abs(particles.velocity).max(axis=1)).max()
    allowed = 10.0 * EPSILON * math.sqrt(collisions)
    assert np.abs(simulation.momentum - momentum).max() <= allowed * max(largest, 4.0)
    lost = energy - simulation.energy
    assert lost == pytest.approx(simulation.dissipated_energy, abs=allowed * energy)
    if isinstance(law, carom.Elastic):
        assert simulation.dissipated_energy == 0.0
    else:
        assert 0.01 * energy < lost < energy


def rebound(law: Any, approach_speed: float, **contact: float) -> float:
    values = {"reduced_mass": 0.5, "effective_radius": 0.25, "time_since_last": math.inf} | contact
    return float(restitution(Contact(approach_speed, **values), law))


def impact_of_viscoelastic_spheres(a: float) -> float:
    """Restitution from x'' = -(x^1.5 + 1.5 a sqrt(x) x'), x' = 1 at first, to the end of the force.

    The force ends, where it would begin to pull, before the deformation x has recovered.
    """

    def rate(t: float, state: Any) -> list[float]:
        x, v = max(state[0], 0.0), state[1]
        return [v, -(x**1.5 + 1.5 * a * math.sqrt(x) * v)]

    def force(t: float, state: Any) -> float:
        return state[0] + 1.5 * a * state[1]

    force.terminal, force.direction = True, -1.0  # type: ignore[attr-defined]
    solution = solve_ivp(
        rate, (0.0, 20.0), [1e-12, 1.0], events=force, rtol=1e-11, atol=1e-13, method="DOP853"
    )
    return float(-solution.y_events[0][0][1])


def test_viscoelastic_restitution_is_that_of_the_integrated_impact() -> None:
    """In x² = β v^(1/5), β = 1.5 A (ρ / m)^(2/5), the approximant has the series of ε up to x⁵.

    The coefficients of that series are of order one, so that the approximant may be off by a
    fraction of x⁶ (one tenth is allowed, and 1e-6 for the six digits of its coefficients).
    Hertz: ρ = 2 Y sqrt(R) / (3 (1 − ν²)), R the effective radius.
    """
    young, poisson, dissipation, mass, radius = 1e3, 0.3, 0.02, 0.7, 0.3
    law = carom.ViscoelasticRestitution(young, poisson, dissipation)
    rho = 2.0 * young * math.sqrt(radius) / (3.0 * (1.0 - poisson**2))
    for speed in (1e-6, 1e-4, 1e-2, 0.1, 1.0, 10.0):
        found = rebound(law, speed, reduced_mass=mass, effective_radius=radius)
        # Lengths in units of (m v² / ρ)^(2/5), speeds in units of v.
        reduced = dissipation * (rho / mass) ** 0.4 * speed**0.2
        x = math.sqrt(1.5 * reduced)
        expected = impact_of_viscoelastic_spheres(reduced)
        assert found == pytest.approx(expected, abs=0.1 * x**6 + 1e-6), speed


def test_viscoelastic_restitution_has_the_known_series() -> None:
    """ε = 1 − C1 x² + C2 x⁴ + ... with C2 = 3/5 C1² (Schwager & Pöschel 1998, Ramírez 1999).

    To first order the dissipated energy is that along the path without dissipation, which gives
    C1 = (4/5)^(2/5) B(3/5, 3/2) = 1.15345. The approximant's coefficients have six digits.
    """
    c1 = 0.8**0.4 * beta(0.6, 1.5)
    assert c1 == pytest.approx(1.15345, abs=5e-6)
    denominator = [1.0, B1, B2, B3, B4]
    series = [1.0]
    for k in range(1, 5):
        known = sum(denominator[m] * series[k - m] for m in range(1, k + 1))
        series.append((B1 if k == 1 else 0.0) - known)
    assert series == pytest.approx([1.0, 0.0, -c1, 0.0, 0.6 * c1**2], abs=1e-5)


def test_contact_duration_is_elastic_while_either_contact_is_younger() -> None:
    law = carom.ContactDuration(carom.ConstantRestitution(0.4), 0.01)
    assert rebound(law, 1.0, time_since_last=0.0) == 1.0
    assert rebound(law, 1.0, time_since_last=0.0099) == 1.0
    assert rebound(law, 1.0, time_since_last=0.01) == 0.4
    assert rebound(law, 1.0, time_since_last=math.inf) == 0.4


def bounces_between_walls(gap: float, law: Any, walls: float | None) -> Any:
    """The first three impulses of a disk that starts at speed 1 between two walls."""
    system = carom.System(
        carom.Particles([[0.5 + gap / 2.0, 5.0]], [[1.0, 0.0]]),
        carom.Box([1.0 + gap, 10.0], restitution={"x": walls}),
        law=law,
    )
    log = carom.CollisionLog()
    simulation = carom.Simulation(system, method=SIMPLE, observers=[log])
    while len(log) < 3:
        simulation.run(duration=gap)
    return log["impulse"][:3]


@pytest.mark.parametrize("walls", [0.5, None])
def test_contacts_with_walls_count_for_the_contact_duration(walls: float | None) -> None:
    """At half its speed the disk reaches the next wall 2 ``gap`` after the first."""
    law = carom.ContactDuration(carom.ConstantRestitution(0.5), 0.01)
    quick = bounces_between_walls(0.004, law, walls)
    assert quick == pytest.approx([1.5, 1.0, 1.0], rel=1e-12)
    slow = bounces_between_walls(0.04, law, walls)
    assert slow == pytest.approx([1.5, 0.75, 0.375], rel=1e-12)


def test_walls_without_a_restitution_take_that_of_the_law() -> None:
    law = carom.ConstantRestitution(0.25)
    assert bounces_between_walls(0.1, law, None) == pytest.approx([1.25, 1.25 / 4, 1.25 / 16])
    assert bounces_between_walls(0.1, law, 0.5) == pytest.approx([1.5, 0.75, 0.375])
    assert bounces_between_walls(0.1, law, 1.0) == pytest.approx([2.0, 2.0, 2.0])


def head_on(speed: float, law: Any) -> carom.Simulation:
    """Two disks of which one flies at the other, two radii away."""
    particles = carom.Particles([[0.0, 0.0], [3.0, 0.0]], [[speed, 0.0], [0.0, 0.0]])
    return carom.Simulation(carom.System(particles, law=law), method=SIMPLE)


def test_a_users_law_decides(hard_when_slow: Any) -> None:
    """Above the threshold a head-on pair keeps 0.8 of its speed, below it all."""
    law = carom.ContactDuration(hard_when_slow(0.8, 0.5), 0.0)
    for speed, kept in ((2.0, 0.8), (0.2, 1.0)):
        simulation = head_on(speed, law)
        simulation.run(collisions=1)
        velocity = simulation.particles.velocity[:, 0]
        assert velocity[1] - velocity[0] == pytest.approx(kept * speed, rel=4 * EPSILON)


@pytest.mark.parametrize("wrong", [math.nan, 1.5])
def test_a_law_that_goes_wrong_in_a_run_is_named(hard_when_slow: Any, wrong: float) -> None:
    """Wrong only for contacts faster than any that is tried when the system is made."""
    simulation = head_on(4096.0, carom.ContactDuration(hard_when_slow(wrong, 2048.0), 0.0))
    with pytest.raises(carom.LawError) as caught:
        simulation.run(until=1.0)
    for part in ("HardWhenSlow", str(wrong), "particle 0", "particle 1", "between 0 and 1"):
        assert part in str(caught.value)
    # The collision has not been carried out; everything can be looked at, where it would be.
    assert simulation.counts.collisions == 0
    assert simulation.time == 2.0 / 4096.0
    assert simulation.particles.position[:, 0].tolist() == [2.0, 3.0]
    assert simulation.energy == 0.5 * 4096.0**2
    with pytest.raises(carom.LawError):
        simulation.run(until=1.0)


class TestCheckpointsOfAUsersLaw:
    def test_needs_the_law_again(self, tmp_path: Any, hard_when_slow: Any) -> None:
        own = carom.ContactDuration(hard_when_slow(0.8, 0.5), 0.01)
        simulation = carom.Simulation(gas(own), method=SIMPLE)
        simulation.run(collisions=50)
        simulation.save(tmp_path / "state.carom")
        with pytest.raises(carom.CheckpointError, match=r"of your own, HardWhenSlow; .*law="):
            carom.load(tmp_path / "state.carom")
        loaded = carom.load(tmp_path / "state.carom", law=own)
        for either in (simulation, loaded):
            either.run(collisions=50)
        assert loaded.particles.position.tolist() == simulation.particles.position.tolist()
        assert loaded.particles.velocity.tolist() == simulation.particles.velocity.tolist()

    def test_refuses_another_law(self, tmp_path: Any, hard_when_slow: Any) -> None:
        own = carom.ContactDuration(hard_when_slow(0.8, 0.5), 0.01)
        carom.Simulation(gas(own), method=SIMPLE).save(tmp_path / "state.carom")
        others = (
            carom.ContactDuration(hard_when_slow(0.8, 0.25), 0.01),
            carom.ContactDuration(hard_when_slow(0.8, 0.5), 0.02),
            carom.Elastic(),
        )
        for other in others:
            with pytest.raises(carom.CheckpointError, match="would not continue as it was"):
                carom.load(tmp_path / "state.carom", law=other)


class TooMuch(NamedTuple):
    """A law that is wrong for every contact."""

    coefficient: float


@restitution.register(TooMuch)
@carom.kernel
def _(contact: Any, law: TooMuch) -> float:
    return law.coefficient


@pytest.mark.parametrize("wrong", [1.5, -0.1, math.nan])
def test_a_wrong_law_is_refused_at_once(wrong: float) -> None:
    particles = carom.Particles([[0.0, 0.0]])
    for law in (carom.ConstantRestitution(wrong), TooMuch(wrong)):
        with pytest.raises(ValueError, match="restitution") as caught:
            carom.System(particles, law=law)
        assert str(wrong) in str(caught.value)


def test_what_is_no_law_is_refused_with_the_way_to_write_one() -> None:
    with pytest.raises(TypeError, match=r"restitution\.register\(float\)"):
        carom.System(carom.Particles([[0.0, 0.0]]), law=0.9)
    with pytest.raises(TypeError, match="not a collision law"):
        carom.System(carom.Particles([[0.0, 0.0]]), law=carom.ContactDuration(0.9, 0.1))


@pytest.mark.parametrize("duration", [-0.1, math.nan, math.inf])
def test_impossible_durations_are_refused(duration: float) -> None:
    law = carom.ContactDuration(carom.Elastic(), duration)
    with pytest.raises(ValueError, match=r"duration must be zero or positive"):
        carom.System(carom.Particles([[0.0, 0.0]]), law=law)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ((0.0, 0.3, 0.01), "young_modulus"),
        ((1.0, 0.6, 0.01), "poisson_ratio"),
        ((1.0, 0.3, -1.0), "dissipation_time"),
        ((math.nan, 0.3, 0.1), "young_modulus"),
    ],
)
def test_impossible_materials_are_refused(parameters: Any, named: str) -> None:
    law = carom.ViscoelasticRestitution(*parameters)
    with pytest.raises(ValueError, match=named):
        carom.System(carom.Particles([[0.0, 0.0]]), law=law)
