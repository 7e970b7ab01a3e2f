"""Species of particles, and laws by pair of them."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import gsd.hoomd
import numpy as np
import pytest

import carom
from carom.cli.building import start_of
from carom.cli.scene_files import checked_scene
from carom.collisions import Contact, restitution
from carom.collisions.laws_by_pair import compiled_law
from carom.plotting import Looks, TrajectoryLooks, picture
from carom.plotting.colouring import colouring

Constant = carom.ConstantRestitution


class Own(NamedTuple):
    """A law of somebody else's."""

    coefficient: float


@restitution.register(Own)
@carom.kernel
def _(contact: Any, law: Any) -> float:
    return law.coefficient


class TellsSpecies(NamedTuple):
    """A law that asks for the species of both."""

    base: float


@restitution.register(TellsSpecies)
@carom.kernel
def _(contact: Any, law: Any) -> float:
    return law.base + 0.1 * contact.species + 0.01 * contact.partner_species


TABLE = carom.ByPair(
    {
        ("a", "a"): Constant(0.9),
        ("b", "a"): carom.RoughRestitution(0.6, -1.0),
        ("b", "b"): carom.ContactDuration(Constant(0.3), 0.0),
        ("a", "wall"): Constant(0.5),
    }
)
KEPT = {("a", "a"): 0.9, ("a", "b"): 0.6, ("b", "a"): 0.6, ("b", "b"): 0.3}


def mixture(n: int = 40, **options: Any) -> tuple[carom.Particles, Any]:
    names = ["a", "b"] * (n // 2)
    return carom.packings.random(n, 0.2, dimension=2, species=names, seed=1, **options)


# Particles


def test_names_are_numbered_as_they_appear() -> None:
    particles = carom.Particles(np.arange(8.0).reshape(4, 2), species=["z", "a", "z", "b"])
    assert particles.species.tolist() == [0, 1, 0, 2]
    assert particles.species_names == ("z", "a", "b")
    assert particles.of_species("z").tolist() == [True, False, True, False]
    assert repr(particles).endswith("2 z and 1 a and 1 b>")


def test_one_name_is_that_of_all_and_none_is_a() -> None:
    places = np.zeros((2, 3))
    assert carom.Particles(places, species="steel").species_names == ("steel",)
    plain = carom.Particles(places)
    assert plain.species_names == ("A",)
    assert plain.species.tolist() == [0, 0]
    assert "A" not in repr(plain)


def test_numbers_come_with_names_that_may_be_of_nobody() -> None:
    particles = carom.Particles(np.zeros((2, 2)), species=[2, 0], species_names=("a", "b", "c"))
    assert particles.species.tolist() == [2, 0]
    assert not particles.of_species("b").any()


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]
)
def test_species_stay_in_copies(again: Any) -> None:
    particles, box = mixture()
    system = carom.System(particles, box)
    for one in (again(system).particles, system.particles.copy(), again(system.particles)):
        assert one.species.tolist() == particles.species.tolist()
        assert one.species_names == ("a", "b")


def test_species_that_are_handed_out_are_read_only() -> None:
    system = carom.System(*mixture())
    with pytest.raises(ValueError, match="read-only"):
        system.particles.species[0] = 1
    with pytest.raises(AttributeError, match="read-only"):
        system.particles.species_names = ("c", "d")
    changed = system.particles.copy()
    changed.species[0] = 1
    assert carom.System(changed, system.domain).particles.species[0] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"species": ["a"]}, "one name or 2 of them"),
        ({"species": [["a", "b"]]}, "one name or 2 of them"),
        ({"species": ["a", 3]}, "species of particle 1 must be a name in quotes, not 3"),
        ({"species": ["a", None]}, "particle 1"),
        ({"species": 1.5}, "particle 0 must be a name"),
        ({"species": [0, 1]}, "without names"),
        ({"species": [0, 2], "species_names": ("a", "b")}, "species of particle 1 is 2"),
        ({"species": [0, -1], "species_names": ("a", "b")}, "species of particle 1 is -1"),
        ({"species": ["a", "bb"], "species_names": ("aa", "bb")}, "did you mean 'aa'"),
        ({"species_names": ("a", "b")}, "does not say which"),
        ({"species": [0, 0], "species_names": ("a", "a")}, "twice"),
        ({"species": [0, 0], "species_names": "a"}, "must be names"),
        ({"species": "wall"}, "any wall"),
        ({"species": ""}, "has a name"),
        ({"species": 'an "a"'}, "has a name"),
    ],
)
def test_species_that_cannot_be_are_refused(options: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        carom.Particles(np.zeros((2, 2)), **options)


def test_particles_of_no_species_are_not_found() -> None:
    with pytest.raises(ValueError, match="no species 'stel'; did you mean 'steel'"):
        carom.Particles(np.zeros((1, 2)), species="steel").of_species("stel")


@pytest.mark.parametrize(
    "pack", [carom.packings.lattice, carom.packings.random, carom.packings.grow]
)
def test_packings_have_species(pack: Any) -> None:
    names = ["small"] * 10 + ["large"] * 10
    particles, _ = pack(20, 0.3, dimension=2, species=names, seed=1)
    assert particles.species.tolist() == [0] * 10 + [1] * 10
    assert particles.species_names == ("small", "large")


@pytest.mark.parametrize(
    "method",
    [carom.EventDriven(), carom.TimeStepped(dt=0.01), carom.SoftContacts(1e4, neighbours="auto")],
)
def test_species_follow_particles_that_are_renumbered(method: Any) -> None:
    particles, box = mixture(200)
    names = np.array(["small", "large"])[
        (particles.position[:, 0] > box.lengths[0] / 2).astype(int)
    ]
    given = carom.Particles(particles.position, particles.velocity, species=names)
    law = carom.ByPair({}, otherwise=Constant(0.99))
    simulation = carom.Simulation(carom.System(given, box, law=law), method=method)
    simulation.run(until=3.0)
    assert simulation.particles.species.tolist() == given.species.tolist()
    assert simulation.particles.species_names == given.species_names
    engine: Any = simulation._engine
    if isinstance(method, carom.EventDriven):
        ledger = engine.world.bodies.ledger
        assert ledger.species.tolist() == given.species[ledger.name].tolist()
    else:
        flock = engine.world.flock
        assert flock.species.tolist() == given.species[flock.name].tolist()


# Laws by pair


METHODS = [
    *(
        carom.EventDriven(algorithm=name)
        for name in ("cells", "lists", "heap", "collision_list", "simple")
    ),
    carom.TimeStepped(dt=1e-3),
    carom.TimeStepped(dt=1e-3, simultaneous="backtrack"),
    carom.Laden(carom.fluids.Uniform(0.0, 0.0, 0.0), dt=0.1, relaxation_time=1e12),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_each_pair_keeps_what_its_law_says(method: Any) -> None:
    """Four pairs fly at each other along lines far apart, in all methods of hard particles."""
    rows = np.arange(4.0)[:, None] * [0.0, 5.0]
    left, right = rows + np.array([10.0, 1.0]), rows + np.array([11.5, 1.0])
    speeds = np.repeat([[1.0, 0.0], [-1.0, 0.0]], 4, axis=0)
    names = [pair[0] for pair in KEPT] + [pair[1] for pair in KEPT]
    particles = carom.Particles(np.concatenate([left, right]), speeds, species=names)
    system = carom.System(particles, carom.Periodic((20.0, 20.0)), law=TABLE)
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=1.0)
    velocity = simulation.particles.velocity[:, 0]
    # A drag with so long a relaxation time takes less than 1e-11 of the speeds.
    np.testing.assert_allclose((velocity[4:] - velocity[:4]) / 2.0, list(KEPT.values()), rtol=1e-11)


SOFT = carom.ByPair(
    {("a", "a"): Constant(0.9), ("a", "b"): Constant(0.6), ("b", "b"): Constant(0.3)}
)


@pytest.mark.parametrize("pair", KEPT, ids="".join)
def test_soft_contacts_are_damped_by_the_law_of_the_pair(pair: tuple[str, str]) -> None:
    """The same bits as with the law of this pair alone, taken one by one in shear-free flight.

    Four at a time and one by one round differently, so that they agree to rounding.
    """
    runs = []
    for law in (SOFT, SOFT.between(*pair)):
        particles = carom.Particles(
            [[0.0, 0.0], [1.2, 0.1]],
            [[1.0, 0.0], [-1.0, 0.0]],
            species=pair,
            species_names=("a", "b"),
        )
        method = carom.SoftContacts(1e4, dt=1e-4)
        simulation = carom.Simulation(carom.System(particles, law=law), method=method)
        simulation.run(until=0.5)
        runs.append(simulation.particles.velocity)
        assert simulation.counts.collisions == 1
    np.testing.assert_allclose(runs[0], runs[1], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("own", [None, 0.7])
@pytest.mark.parametrize("method", [carom.EventDriven(), carom.TimeStepped(dt=1e-3)], ids=repr)
def test_walls_take_the_pair_with_the_wall_or_the_own_kind(method: Any, own: Any) -> None:
    """Particle a has a law at walls, b meets them as it meets b; a wall's own holds for both."""
    particles = carom.Particles([[2.0, 1.0], [7.0, 1.0]], [[0.0, -1.0]] * 2, species=["a", "b"])
    box = carom.Box((10.0, 10.0), restitution=own)
    simulation = carom.Simulation(carom.System(particles, box, law=TABLE), method=method)
    simulation.run(until=1.0)
    kept = simulation.particles.velocity[:, 1]
    np.testing.assert_allclose(kept, [0.5, 0.3] if own is None else [own, own], rtol=1e-14)


@pytest.mark.parametrize(("name", "expected"), [("a", 0.5), ("b", 0.3)])
def test_soft_walls_likewise(name: str, expected: float) -> None:
    """Against the damping of a single law at a wall."""
    table = carom.ByPair(
        {("a", "wall"): Constant(0.5), ("a", "b"): carom.Elastic(), ("b", "b"): Constant(0.3)},
        otherwise=carom.Elastic(),
    )
    speeds = []
    for law in (table, Constant(expected)):
        particles = carom.Particles([[5.0, 1.0]], [[0.0, -1.0]], species=name, species_names=[name])
        if law is table:
            particles = carom.Particles(
                [[5.0, 1.0], [8.0, 8.0]],
                [[0.0, -1.0], [0.0, 0.0]],
                species=[name, {"a": "b", "b": "a"}[name]],
            )
        box = carom.Box((10.0, 10.0), restitution=None)
        method = carom.SoftContacts(1e4, dt=1e-4)
        simulation = carom.Simulation(carom.System(particles, box, law=law), method=method)
        simulation.run(until=1.0)
        speeds.append(float(simulation.particles.velocity[0, 1]))
    assert speeds[0] == pytest.approx(speeds[1], rel=1e-12)


@pytest.mark.parametrize(
    "method", [carom.EventDriven(), carom.TimeStepped(dt=1e-3)], ids=["events", "steps"]
)
def test_a_table_of_one_law_is_that_law_bit_for_bit(method: Any) -> None:
    particles, box = mixture()
    states = []
    for law in (Constant(0.9), carom.ByPair({("a", "b"): Constant(0.9)}, Constant(0.9))):
        for around in (law, carom.ContactDuration(law, 1e-3)):
            system = carom.System(particles, box, law=around)
            simulation = carom.Simulation(system, method=method)
            simulation.run(until=5.0)
            assert simulation.counts.collisions > 100
            states.append(simulation.particles.velocity)
    assert (states[0] == states[2]).all()
    assert (states[1] == states[3]).all()


def test_laws_of_ones_own_know_the_species() -> None:
    particles = carom.Particles(
        [[0.0, 0.0], [1.5, 0.0]], [[1.0, 0.0], [-1.0, 0.0]], species=["a", "b"]
    )
    law = carom.ByPair({("a", "b"): TellsSpecies(0.5)})
    method = carom.EventDriven(algorithm="simple")
    simulation = carom.Simulation(carom.System(particles, law=law), method=method)
    simulation.run(collisions=1)
    velocity = simulation.particles.velocity[:, 0]
    # Which of both is the first is for the method to say.
    assert (velocity[1] - velocity[0]) / 2.0 in (pytest.approx(0.51), pytest.approx(0.6))


def test_kernels_find_the_law_of_each_pair() -> None:
    table = carom.ByPair({**TABLE.table, ("b", "b"): Own(0.3)})
    law = compiled_law(carom.ContactDuration(table, 0.1), ("b", "a"))
    asked = {(0, 0): 0.3, (0, 1): 0.6, (1, 0): 0.6, (1, 1): 0.9, (0, -1): 0.3, (1, -1): 0.5}
    for (one, other), expected in asked.items():
        assert restitution(Contact(1.0, 0.5, 0.25, math.inf, one, other), law) == expected
        assert restitution(Contact(1.0, 0.5, 0.25, 0.05, one, other), law) == 1.0


def test_laws_without_a_table_reach_kernels_as_they_are() -> None:
    law = carom.ContactDuration(Constant(0.9), 0.1)
    assert compiled_law(law, ("a", "b")) is law


def test_rough_pairs_make_all_spin() -> None:
    particles, box = mixture()
    table = carom.ByPair({("a", "b"): carom.RoughRestitution(0.9, 0.5)}, otherwise=Constant(0.9))
    simulation = carom.Simulation(carom.System(particles, box, law=table))
    simulation.run(until=5.0)
    assert simulation.rotational_energy > 0.0


def test_one_alone_needs_no_law_for_its_own_kind() -> None:
    table = carom.ByPair({("a", "a"): Constant(0.9), ("a", "b"): Constant(0.5)})
    places = [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0]]
    carom.System(carom.Particles(places, species=["a", "a", "b"]), law=table)
    with pytest.raises(ValueError, match=r"no law for \('b', 'b'\)"):
        carom.System(carom.Particles(places, species=["a", "b", "b"]), law=table)
    box = carom.Box((10.0, 10.0), restitution=None)
    inside = np.array(places) + 2.0
    with pytest.raises(ValueError, match=r"no law for \('b', 'wall'\)"):
        carom.System(carom.Particles(inside, species=["a", "a", "b"]), box, law=table)


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: carom.ByPair([]), TypeError, "takes a table"),
        (lambda: carom.ByPair({}), ValueError, "holds no law"),
        (lambda: carom.ByPair({"ab": Constant(0.9)}), ValueError, "a pair of species"),
        (lambda: carom.ByPair({("a", 1): Constant(0.9)}), ValueError, "a pair of species"),
        (lambda: carom.ByPair({("wall", "wall"): Constant(0.9)}), ValueError, "walls do not"),
        (lambda: carom.ByPair({("a", "b"): 0.9}), TypeError, r"for \('a', 'b'\).*not a collision"),
        (lambda: carom.ByPair({}, otherwise=Constant(2.0)), ValueError, "otherwise.*between 0"),
        (lambda: carom.ByPair({("a", "b"): TABLE}), ValueError, "a table itself"),
        (
            lambda: carom.ByPair({("a", "b"): Constant(0.9), ("b", "a"): Constant(0.8)}),
            ValueError,
            "has two laws",
        ),
    ],
)
def test_tables_that_cannot_be_are_refused(make: Any, error: Any, said: str) -> None:
    with pytest.raises(error, match=said):
        make()


def test_names_that_no_particle_has_are_refused() -> None:
    particles, box = mixture()
    law = carom.ContactDuration(carom.ByPair({("a", "bb"): Constant(0.9)}, Constant(0.8)), 0.1)
    with pytest.raises(ValueError, match="species 'bb'; did you mean 'b'"):
        carom.System(particles, box, law=law)


def test_soft_contacts_refuse_laws_without_a_damping() -> None:
    table = carom.ByPair({("a", "b"): Own(0.9)}, otherwise=Constant(0.9))
    system = carom.System(*mixture(), law=table)
    with pytest.raises(ValueError, match="no damping follows from law=Own"):
        carom.Simulation(system, method=carom.SoftContacts(1e4))


def test_tables_are_values() -> None:
    laws = {("b", "a"): Constant(0.9), ("a", "a"): Constant(1)}
    one, other = carom.ByPair(laws), carom.ByPair(dict(reversed(laws.items())))
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    assert one != carom.ByPair(laws, otherwise=Constant(0.9))
    assert one != 1
    assert eval(repr(one), vars(carom)) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert one.table["a", "b"] == Constant(0.9)
    with pytest.raises(AttributeError, match="stays as it is"):
        one.otherwise = Constant(0.9)


# Files


@pytest.mark.parametrize("method", [carom.EventDriven(), carom.SoftContacts(1e4)], ids=repr)
def test_checkpoints_keep_species_and_tables(tmp_path: Path, method: Any) -> None:
    particles, box = mixture()
    system = carom.System(particles, box, law=SOFT)
    simulation = carom.Simulation(system, method=method)
    simulation.run(until=1.0)
    simulation.save(tmp_path / "state.carom")
    loaded = carom.load(tmp_path / "state.carom")
    assert loaded.system.law == SOFT
    assert loaded.particles.species_names == ("a", "b")
    for one in (simulation, loaded):
        one.run(until=2.0)
    assert (loaded.particles.velocity == simulation.particles.velocity).all()
    assert (loaded.particles.species == particles.species).all()


def test_tables_with_laws_of_ones_own_are_handed_over_again(tmp_path: Path) -> None:
    path, (particles, box) = tmp_path / "state.carom", mixture()
    law = carom.ContactDuration(carom.ByPair({**TABLE.table, ("b", "b"): Own(0.3)}), 1e-3)
    carom.Simulation(carom.System(particles, box, law=law)).save(path)
    with pytest.raises(carom.CheckpointError, match=r"your own, Own.*\('b', 'b'\): Own\(coef"):
        carom.load(path)
    with pytest.raises(carom.CheckpointError, match="would not continue"):
        carom.load(path, law=SOFT)
    assert carom.load(path, law=law).system.law == law


def test_trajectories_have_species_as_types(tmp_path: Path) -> None:
    system = carom.System(*mixture())
    path = tmp_path / "mixture.gsd"
    simulation = carom.Simulation(system, observers=[carom.Trajectory(path, 1.0)])
    simulation.run(until=1.0)
    with gsd.hoomd.open(str(path)) as file:
        assert file[-1].particles.types == ["a", "b"]
        assert file[-1].particles.typeid.tolist() == system.particles.species.tolist()
    look = TrajectoryLooks(path, system)[-1]
    assert look.particles.of_species("b").tolist() == system.particles.of_species("b").tolist()


def test_pictures_are_coloured_by_species(tmp_path: Path) -> None:
    looks = Looks(1.0)
    simulation = carom.Simulation(carom.System(*mixture()), observers=[looks])
    simulation.run(until=1.0)
    chosen = colouring(simulation, "species", {})
    assert list(chosen.legend) == ["a", "b"]
    assert len(np.unique(chosen.colours, axis=0)) == 2
    assert (chosen.colours[::2] == chosen.colours[0]).all()
    figure = picture(looks[-1], colour="species")
    legend = figure.axes[0].get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b"]


# Records


def test_quantities_of_a_species() -> None:
    particles, box = mixture(mass=np.tile([1.0, 3.0], 20))
    names = ("temperature", "kinetic_energy", "number", "momentum", "centre")
    columns = [f'{name} of "{species}"' for species in "ab" for name in names]
    record = carom.Record(1.0, "temperature", "kinetic_energy", "momentum", *columns)
    simulation = carom.Simulation(carom.System(particles, box, law=SOFT), observers=[record])
    simulation.run(until=2.0)
    now = simulation.particles
    assert record['number of "b"'].tolist() == [20, 20, 20]
    for name in ("kinetic_energy", "momentum"):
        both = record[f'{name} of "a"'] + record[f'{name} of "b"']
        np.testing.assert_allclose(both, record[name], rtol=1e-12, atol=1e-12)
    some = now.of_species("b")
    np.testing.assert_allclose(record['centre of "b"'][-1], now.unwrapped[some].mean(axis=0))
    # Degrees of freedom are those of all: 2 (20 - 1/4) and 2 (20 - 3/4) of 2 (40 - 1).
    parts = 2 * 19.75 * record['temperature of "a"'] + 2 * 19.25 * record['temperature of "b"']
    np.testing.assert_allclose(parts, 78 * record["temperature"], rtol=1e-12)


def test_one_species_has_the_temperature_of_all() -> None:
    particles, box = carom.packings.random(20, 0.1, species="gas", seed=1)
    record = carom.Record(1.0, "temperature", 'temperature of "gas"')
    carom.Simulation(carom.System(particles, box), observers=[record]).run(until=1.0)
    np.testing.assert_allclose(record["temperature"], record['temperature of "gas"'], rtol=1e-14)


def test_quantities_that_no_species_has_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no quantity 'temperatur'; did you mean 'temperature'"):
        carom.Record(1.0, 'temperatur of "a"')
    with pytest.raises(ValueError, match="is an array"):
        carom.Table(tmp_path / "log.csv", 1.0, 'momentum of "a"')
    record = carom.Record(1.0, 'temperature of "bb"')
    with pytest.raises(ValueError, match="species 'bb'; did you mean 'b'"):
        carom.Simulation(carom.System(*mixture()), observers=[record])


def test_tables_hold_quantities_of_species(tmp_path: Path) -> None:
    table = carom.Table(tmp_path / "log.csv", 1.0, 'number of "a"')
    carom.Simulation(carom.System(*mixture()), observers=[table]).run(until=1.0)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0] == 'time,"number of ""a""",seconds'
    assert lines[1].startswith("0.0,20,")


def test_a_checkpoint_spells_the_columns_of_species(tmp_path: Path) -> None:
    path, name = tmp_path / "state.carom", 'number of "a"'
    table = carom.Table(tmp_path / "log.csv", 1.0, name)
    simulation = carom.Simulation(carom.System(*mixture()), observers=[table])
    simulation.run(until=1.0)
    simulation.save(path)
    with pytest.raises(carom.CheckpointError, match=f"'{name}'"):
        carom.load(path, observers=[carom.Record(1.0, "energy")])


def test_actors_see_species() -> None:
    seen = []

    @dataclass(frozen=True)
    class Looker(carom.Actor):
        every: float
        conserves_momentum: ClassVar[bool] = True

        def velocities(self, particles: Any, random: Any) -> Any:
            seen.append(int(particles.of_species("b").sum()))
            return particles.velocity

    simulation = carom.Simulation(carom.System(*mixture()), actors=[Looker(1.0)])
    simulation.run(until=1.5)
    assert seen == [20]


# Scenes

SCENE = """
[[particles]]
name = "small"
packing = "random"
number = 10
radius = 0.2

[[particles]]
species = "large"
position = [[5.0, 5.0], [7.0, 5.0]]

[[particles]]
species = ["small", "odd"]
position = [[5.0, 8.0], [7.0, 8.0]]

[domain]
kind = "box"
lengths = [10.0, 10.0]

[law]
kind = "contact_duration"
duration = 1e-4

[law.law]
kind = "by_pair"
otherwise = { kind = "elastic" }

[[law.law.pairs]]
species = ["small", "large"]
law = { kind = "constant", restitution = 0.8 }

[run]
until = 1.0

[output]
colour = "species"
columns = ['temperature of "odd"']
"""


def system_of(text: str) -> carom.System:
    return start_of(checked_scene("scene.toml", text), seed=1).system


def test_scenes_have_species_and_laws_by_pair() -> None:
    system = system_of(SCENE)
    assert system.particles.species_names == ("small", "large", "odd")
    assert system.particles.species.tolist() == [0] * 10 + [1, 1, 0, 2]
    table = carom.ByPair({("small", "large"): Constant(0.8)}, otherwise=carom.Elastic())
    assert system.law == carom.ContactDuration(table, 1e-4)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["small", "large"]', '["small", "lage"]', "did you mean 'large'"),
        ('["small", "large"]', '["small"]', r"pairs\[0\].species.*at least 2"),
        ('of "odd"', 'of "od"', "did you mean 'odd'"),
        ("'temperature of", "'temperatur of", "unknown column"),
        ("'temperature of", "'momentum of", "unknown column"),
        ('species = "large"', "species = 3", "'particles.*species' must be a name"),
        ('["small", "odd"]', '["odd"]', "one name or 2"),
        ('otherwise = { kind = "elastic" }', "", "no law for"),
    ],
)
def test_scenes_that_name_other_species_are_refused(old: str, new: str, said: str) -> None:
    assert old in SCENE
    with pytest.raises(carom.SceneError, match=said):
        system_of(SCENE.replace(old, new))
