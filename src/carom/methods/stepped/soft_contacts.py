"""Soft contacts: the discrete element method with springs and dashpots."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from carom.checks import is_not_negative, is_one_of, is_positive
from carom.collisions import ByPair, ConstantRestitution, Elastic
from carom.collisions.restitution import check_coefficient
from carom.contacts import DashpotsByPair, LinearSpringDashpot, contact_duration, ratio_of
from carom.domains import LeesEdwards
from carom.errors import CaromWarning
from carom.methods.exchange import Stays
from carom.methods.stepped.course import fitted_rule
from carom.methods.stepped.engine import SteppedEngine
from carom.methods.stepped.friction import (
    Coulomb,
    Frictionless,
    new_felt,
    new_frictionless,
    new_stretches,
    room_for_contacts,
    with_room,
    with_stretches_of,
)
from carom.methods.stepped.longest_step import longest_stable_step
from carom.methods.stepped.soft import SoftRule
from carom.methods.stepped.springs import energy_in_springs, overlaps_now
from carom.methods.stepped.surface_spin import new_spins
from carom.methods.stepped.world import World, first_pairs
from carom.neighbours.pairs.pair_list import PairList
from carom.particles import LARGEST, SMALLEST, Array, Particles, inertia_factor
from carom.representation import shown_as_call
from carom.system import System

# Parts of a diameter: overlaps that are warned of, and those that are small.
DEEP, SHALLOW = 0.5, 0.05
ENDS = ("zero_overlap", "zero_force")
# Walls whose restitution is lower act as if it were this: that of 0 would need an infinite damping.
LOWEST_AT_WALLS = 0.01
# Steps in the shortest contact: with "auto", and no fewer than.
STEPS_PER_CONTACT = 25
FEWEST_STEPS_PER_CONTACT = 10
# Strong dashpots get more steps than their swing and stability need: of motions that fade within a
# few steps a tenth of the energy would be missing in the account, and so it is a twenty-fifth.
FADES_FASTER = 1.5
OF_STABLE = 0.625
# Of the normal stiffness: homogeneous spheres then swing with one period in both directions.
TANGENTIAL_STIFFNESS = 2.0 / 7.0
# Coefficients with which the steps follow from masses without overflow.
WEAKEST, STRONGEST = 1e-150, 1e150


@shown_as_call
@dataclass(frozen=True)
class SoftContacts:
    """Particles that overlap are pushed apart by a linear spring and a dashpot.

    - ``stiffness``: of the spring, k.
    - ``damping`` of the dashpot, d; or ``restitution``, from which d follows for each pair. Without
      either, the system's law says it (``Elastic`` or ``ConstantRestitution``, or ``ByPair`` of
      these).
    - ``ends_at``: ``"zero_overlap"`` as in Muth et al. 2007, so that a damped contact pulls before
      it ends; or ``"zero_force"``: it never pulls. ``restitution`` is what comes out either way.
    - ``friction``: Coulomb's coefficient μ; particles then spin. The tangential spring has
      ``tangential_stiffness``, 2/7 of ``stiffness`` when left out, and its dashpot
      ``tangential_damping`` times the damping along the normal.
    - ``dt``: the step; ``"auto"`` is the shortest contact over 25, or where a spring along the
      surfaces is stiffer still, half its shortest period over 25. Dashpots that are stronger than
      critical, or so strong that a crowd of particles would gain energy, make it shorter.
    - ``neighbours``: a neighbour method, or ``"auto"``.
    """

    stiffness: float
    damping: float | None = None
    restitution: float | None = None
    ends_at: str = "zero_overlap"
    friction: float | None = None
    tangential_stiffness: float | None = None
    tangential_damping: float = 0.5
    dt: float | str = "auto"
    neighbours: Any = "auto"

    def __post_init__(self) -> None:
        _check_positive("stiffness", self.stiffness)
        if self.damping is not None and self.restitution is not None:
            raise ValueError(
                "SoftContacts: give damping or restitution, not both: each follows from the other."
            )
        if self.damping is not None:
            _check_not_negative("damping", self.damping)
        if self.restitution is not None:
            check_coefficient("SoftContacts", self.restitution)
            if self.restitution == 0.0:
                raise ValueError(
                    "SoftContacts: restitution=0 needs an infinite damping; use a small number."
                )
        if not is_one_of(self.ends_at, ENDS):
            raise ValueError(f"SoftContacts: ends_at={self.ends_at!r} is unknown; use {ENDS}.")
        if not is_one_of(self.dt, ("auto",)):
            _check_positive("dt", self.dt)
        self._check_friction()

    def _check_friction(self) -> None:
        if self.friction is None:
            if self.tangential_stiffness is not None:
                raise ValueError(
                    "SoftContacts: tangential_stiffness needs friction=..., Coulomb's coefficient."
                )
            return
        _check_not_negative("friction", self.friction)
        _check_not_negative("tangential_damping", self.tangential_damping)
        if self.tangential_stiffness is not None:
            _check_not_negative("tangential_stiffness", self.tangential_stiffness)

    def settled(self, system: System) -> SoftContacts:
        """The same method with the step that it chooses for a system."""
        return replace(self, dt=self.step(system))

    def engine(self, system: System) -> SoftEngine:
        """The engine that runs a system with this method."""
        return SoftEngine(system, self)

    @property
    def pulls(self) -> bool:
        """Whether a damped contact pulls before it ends."""
        return self.ends_at == "zero_overlap"

    def law(self, system: System) -> LinearSpringDashpot | DashpotsByPair:
        """The contact law for a system."""
        if isinstance(system.law, ByPair) and self._follows_law:
            return DashpotsByPair(float(self.stiffness), self._ratios(system), math.nan)
        return self._strongest(system)

    @property
    def _follows_law(self) -> bool:
        """Whether it is the law of the system that says how contacts are damped."""
        return self.damping is None and self.restitution is None

    def _strongest(self, system: System) -> LinearSpringDashpot:
        """The contact law; where it differs from pair to pair, that of the strongest dashpots."""
        stiffness = float(self.stiffness)
        if self.damping is not None:
            return LinearSpringDashpot(stiffness, float(self.damping), 0.0)
        if self.restitution is not None:
            ratio = ratio_of(self.restitution, pulls=self.pulls)
        elif isinstance(system.law, ByPair):
            ratio = float(self._ratios(system).max())
        else:
            ratio = ratio_of(_restitution_of(system.law), pulls=self.pulls)
        return LinearSpringDashpot(stiffness, 0.0, ratio)

    def _ratios(self, system: System) -> Array:
        """The damping ratios (s + 1, s + 1) of s species, with those at walls behind them."""
        names, table = system.particles.species_names, system.law
        ratios = np.zeros((len(names) + 1, len(names) + 1))
        for a, one in enumerate(names):
            ratios[a, -1] = ratios[-1, a] = self._ratio(table.at_wall(one))
            for b, other in enumerate(names):
                ratios[a, b] = self._ratio(table.between(one, other))
        return ratios

    def _ratio(self, law: Any) -> float:
        """The damping ratio that follows from a law; pairs without one never meet."""
        return 0.0 if law is None else ratio_of(_restitution_of(law), pulls=self.pulls)

    def step(self, system: System) -> float:
        """The step for a system; one that is too large is refused."""
        shortest = self._shortest_swing(system)
        stable = self._longest_stable_step(system)
        if not SMALLEST <= min(shortest, stable) <= LARGEST:
            raise ValueError(
                f"{self!r} needs a step of {min(shortest, stable):.3g} or less, which is "
                f"not between {SMALLEST:g} and {LARGEST:g}; use other units."
            )
        automatic = min(shortest / STEPS_PER_CONTACT, OF_STABLE * stable)
        if self.dt == "auto":
            return automatic
        largest = min(shortest / FEWEST_STEPS_PER_CONTACT, stable)
        if float(self.dt) > largest:
            reason = (
                f"the shortest swing of a contact lasts {shortest:.3g} and needs at least "
                f"{FEWEST_STEPS_PER_CONTACT} steps"
                if float(self.dt) > shortest / FEWEST_STEPS_PER_CONTACT
                else "so strong a damping would drive a crowd of particles instead of calming it"
            )
            raise ValueError(
                f"SoftContacts: dt={self.dt:g} is too large for stiffness={self.stiffness:g}: "
                f"{reason}. Use dt={_rounded_down(largest):g} or less; 'auto' takes "
                f"{automatic:.3g}."
            )
        return float(self.dt)

    def wall_ratios(self, system: System) -> Array:
        """The damping ratios at the walls, NaN for the law's own damping."""
        return np.array(
            [
                math.nan
                if plane.restitution is None
                else ratio_of(max(plane.restitution, LOWEST_AT_WALLS), pulls=self.pulls)
                for plane in system.planes
            ]
        )

    def _shortest_swing(self, system: System) -> float:
        """How long the shortest contact lasts, or what else has to be resolved like it."""
        law, lightest = self._strongest(system), np.sort(system.particles.mass)[:2]
        reduced = float(lightest[0])
        if len(lightest) == 2:
            reduced *= float(lightest[1] / lightest.sum())
        swings = [_swing(law, law.ratio, reduced)]
        for ratio in self.wall_ratios(system):
            if not math.isnan(ratio):
                undamped = law._replace(damping=0.0)
                swings.append(_swing(undamped, float(ratio), float(lightest[0])))
        return min(swings) / self._faster_along(system)

    def _longest_stable_step(self, system: System) -> float:
        along = (0.0, 0.0)
        if self.friction is not None:
            along = (self._stiffness_along() / float(self.stiffness), self.tangential_damping)
        return longest_stable_step(
            system, self._strongest(system), self.wall_ratios(system), *along
        )

    def _stiffness_along(self) -> float:
        if self.tangential_stiffness is None:
            return TANGENTIAL_STIFFNESS * float(self.stiffness)
        return float(self.tangential_stiffness)

    def _faster_along(self, system: System) -> float:
        """How many times faster the springs along the surfaces swing than those across, if so."""
        if self.friction is None:
            return 1.0
        lighter = 1.0 + 1.0 / inertia_factor(system.dimension)
        return max(1.0, math.sqrt(self._stiffness_along() / float(self.stiffness) * lighter))


class SoftEngine(SteppedEngine):
    """Runs a system with soft contacts."""

    _method: SoftContacts

    def __init__(self, system: System, method: SoftContacts) -> None:
        super().__init__(system, method, method.step(system), method.neighbours)
        self._alarming = math.inf  # a speed at which contacts are looked at
        self._look_for_deep_contacts(system.particles, stacklevel=5)

    def advance(self, until: float, collisions: int) -> int:
        """Take steps for a fraction of a second at most; the status says why it came back."""
        status = super().advance(until, collisions)
        # What falls gets faster than it was at the start.
        if float(self.world.tally[0].fastest) > self._alarming:
            self._look_for_deep_contacts(self.snapshot(self.time)[0], stacklevel=6)
        return status

    def _look_for_deep_contacts(self, particles: Particles, stacklevel: int) -> None:
        """Warn once of particles so fast that they fly deep into others, or through them.

        Two that meet head-on with one speed v overlap by v √(2 m / k).
        """
        velocity, stiffness = particles.velocity, float(self._method.stiffness)
        if isinstance(self.system.domain, LeesEdwards):
            velocity = velocity - self.system.domain.flow(particles.position)
        speed = np.sqrt((velocity**2).sum(axis=1))
        per_speed = np.sqrt(2.0 * particles.mass / stiffness) / (2.0 * particles.radius)
        depth = speed * per_speed
        i = int(np.argmax(depth))
        if depth[i] <= DEEP:
            # Not again before somebody can be much faster than now.
            self._alarming = max(DEEP / float(per_speed.max()), 1.5 * float(speed.max()))
            return
        self._alarming = math.inf
        enough = stiffness * (float(depth[i]) / SHALLOW) ** 2
        warnings.warn(
            f"SoftContacts: particle {i} with a speed of {speed[i]:.3g} flies {depth[i]:.2g} "
            f"diameters into another like it at stiffness={stiffness:g}; they may pass through "
            f"each other. stiffness={enough:.2g} would keep it at {SHALLOW:g}.",
            CaromWarning,
            stacklevel=stacklevel,
        )

    def _rule(self) -> SoftRule:
        method, system = self._method, self.system
        friction = self._friction(2 * len(system.particles) + 64)
        return SoftRule(method.law(system), method.pulls, method.wall_ratios(system), friction)

    def change(self, time: float, system: System, method: SoftContacts) -> None:
        """Go on with other numbers, for which the step has to be short enough."""
        try:
            replace(method, dt=self.dt).step(system)
        except ValueError as error:
            raise ValueError(
                f"the run cannot go on with the steps that it takes: {error}"
            ) from error
        super().change(time, system, method)

    def _changed_rule(self, rule: SoftRule) -> SoftRule:
        friction = rule.friction
        if isinstance(friction, Coulomb):
            friction = friction._replace(coefficient=float(self._method.friction or 0.0))
        law, ratios = self._method.law(self.system), self._method.wall_ratios(self.system)
        return rule._replace(law=law, wall_ratio=ratios, friction=friction)

    def _friction(self, room: int) -> Frictionless | Coulomb:
        method, system = self._method, self.system
        if method.friction is None:
            return new_frictionless(room)
        n = len(system.particles)
        return Coulomb(
            coefficient=float(method.friction),
            stiffness=method._stiffness_along(),
            damping_share=float(method.tangential_damping),
            spin=new_spins(system),
            stretches=new_stretches(n, len(system.planes), first_pairs(n), room),
            felt=new_felt(n),
        )

    def _per_particle(self) -> Iterator[Any]:
        yield from super()._per_particle()
        friction = self.world.rule.friction
        if isinstance(friction, Coulomb):
            yield friction.spin.surface
            yield from friction.stretches.wall

    def _rename(self, number: Any) -> None:
        friction = self.world.rule.friction
        if isinstance(friction, Coulomb):
            stretches = friction.stretches
            kept = slice(0, int(stretches.number[0]))
            for whose in (stretches.kept_first, stretches.kept_second):
                whose[kept] = number[whose[kept]]

    def _angular(self, world: World) -> Array | None:
        friction = world.rule.friction
        return friction.spin.surface[:, :3] if isinstance(friction, Coulomb) else None

    def _follow_pairs(self, before: World, number: Any) -> None:
        """Friction goes on where both are still there."""
        rule, was = self.world.rule, before.rule
        if not (isinstance(rule.friction, Coulomb) and isinstance(was.friction, Coulomb)):
            return
        room = max(room_for_contacts(rule.friction), room_for_contacts(was.friction))
        roomy = with_room(rule.friction, self.world.pairs, room)
        rule = rule._replace(friction=with_stretches_of(roomy, was.friction, number))
        self._course.world = self.world._replace(rule=rule)

    def exchanged(self, time: float, system: System, stays: Stays) -> Any:
        """An engine that goes on from the present step with other particles, for the lightest of
        which the step has to be short enough."""
        lost = float(self.world.tally[0].dissipated) + 0.5 * self._present().lost
        successor = super().exchanged(time, system, stays)
        successor._alarming = self._alarming
        # Of a contact with one who goes, what it has lost up to the present stays lost.
        successor.world.tally[0].dissipated = lost - 0.5 * successor._present().lost
        return successor

    def _begin(self, surface: Array | None) -> None:
        """Begin with the velocities at hand; what is lost at the present step does not change."""
        lost = float(self.world.tally[0].dissipated)
        if self._seen is not None:
            lost += 0.5 * self._seen.lost
        super()._begin(surface)
        self.world.tally[0].dissipated = lost - 0.5 * self._present().lost

    @property
    def dissipated(self) -> float:
        """The energy lost in contacts up to the present step."""
        # Sums over steps go up to half a step before it, as the velocities do; springs are those of
        # the present step.
        now = self._present()
        tally = now.course.world.tally[0]
        return float(self.world.tally[0].dissipated + 0.5 * now.lost + tally.slackened)

    @property
    def elastic_energy(self) -> float:
        """The energy in all springs at the present step."""
        return float(energy_in_springs(self._present().course.world))

    @property
    def overlaps(self) -> tuple[float, float]:
        """The mean and the largest overlap of the pairs in touch, relative to the sum of radii."""
        mean, largest = overlaps_now(self._present().course.world)
        return float(mean), float(largest)


@fitted_rule.register
def _(rule: SoftRule, pairs: PairList, more_contacts: bool) -> SoftRule:
    room = room_for_contacts(rule.friction) * (2 if more_contacts else 1)
    return rule._replace(friction=with_room(rule.friction, pairs, room))


def _check_positive(name: str, value: Any) -> None:
    if not is_positive(value):
        raise ValueError(f"SoftContacts: {name}={value!r} must be a positive number.")
    if not WEAKEST <= value <= STRONGEST:
        raise ValueError(
            f"SoftContacts: {name}={value!r} is not between {WEAKEST:g} and {STRONGEST:g}; use "
            "other units."
        )


def _check_not_negative(name: str, value: Any) -> None:
    if not is_not_negative(value):
        raise ValueError(f"SoftContacts: {name}={value!r} must be a number of at least 0.")
    if value > STRONGEST:
        raise ValueError(
            f"SoftContacts: {name}={value!r} is beyond {STRONGEST:g}; use other units."
        )


def _restitution_of(law: Any) -> float:
    """The restitution that a collision law has at all speeds."""
    if isinstance(law, Elastic):
        return 1.0
    if isinstance(law, ConstantRestitution):
        return float(law.coefficient)
    raise ValueError(
        f"SoftContacts: no damping follows from law={law!r}; give SoftContacts(damping=...) or "
        "SoftContacts(restitution=...)."
    )


def _swing(law: LinearSpringDashpot, ratio: float, reduced_mass: float) -> float:
    """How long a contact lasts without damping, or how long a strong dashpot needs to stop it for
    good: both have to be resolved by steps."""
    critical = 2.0 * math.sqrt(law.stiffness * reduced_mass)
    undamped = contact_duration(law.stiffness, 0.0, reduced_mass)
    return undamped / max(1.0, FADES_FASTER * (ratio + law.damping / critical))


def _rounded_down(value: float) -> float:
    """Three digits that are not above a positive number."""
    digits = 2 - math.floor(math.log10(value))
    return math.floor(value * 10.0**digits) / 10.0**digits
