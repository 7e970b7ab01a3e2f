"""Scene files: what they make, and what they say about everything that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from scipy.spatial.distance import pdist

import carom
from carom.cli.building import start_of
from carom.cli.folder import changes
from carom.cli.placement import random_places
from carom.cli.running import spacing_of_looks
from carom.cli.scene import Scene
from carom.cli.scene_files import built_in_scenes, checked_scene, read_scene
from carom.packings.lattice_sites import lattice_places
from carom.packings.room import Room

LATTICE = '[particles]\npacking = "lattice"\nnumber = 30\npacking_fraction = 0.4\ndimension = 2\n'
RUN = "[run]\nuntil = 1.0\n"
TWO = "[particles]\nposition = [[1.0, 1.0], [3.0, 1.0]]\n"


def start(text: str, seed: int = 1) -> Any:
    return start_of(checked_scene("scene.toml", text), seed)


def complaint(text: str) -> str:
    with pytest.raises(carom.SceneError) as caught:
        start(text)
    return str(caught.value)


# What scenes make


@pytest.mark.parametrize("name", built_in_scenes())
def test_built_in_scenes_start(name: str) -> None:
    file = read_scene(name)
    begun = start_of(file, file.scene.run.seed)
    carom.Simulation(begun.system, method=begun.method)  # refuses overlaps
    assert sum(begun.sizes) == len(begun.system.particles)
    assert file.scene.title


@pytest.mark.parametrize("packing", ["lattice", "random", "grow"])
def test_a_plain_packing_is_that_of_the_library(packing: str) -> None:
    text = LATTICE.replace("lattice", packing) + "temperature = 2.5\nradius = 0.7\n" + RUN
    begun = start(text, seed=8)
    pack = getattr(carom.packings, packing)
    particles, box = pack(30, 0.4, dimension=2, temperature=2.5, seed=8, radius=0.7)
    assert begun.system.domain == box
    np.testing.assert_array_equal(begun.system.particles.position, particles.position)
    np.testing.assert_array_equal(begun.system.particles.velocity, particles.velocity)
    assert begun.system.law == carom.Elastic()
    assert begun.method == carom.EventDriven()


def test_growth_makes_its_own_box() -> None:
    text = LATTICE.replace("lattice", "grow")
    assert "periodic box of its own" in complaint(text + '[domain]\nkind = "box"\n' + RUN)


@pytest.mark.parametrize("packing", ["lattice", "random"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_walled_box_holds_its_packing(packing: str, dimension: int) -> None:
    text = (
        f'[particles]\npacking = "{packing}"\nnumber = 100\npacking_fraction = 0.2\n'
        f'dimension = {dimension}\n[domain]\nkind = "box"\n' + RUN
    )
    system = start(text).system
    # The fraction is that of the box, exactly but for the rounding of a few operations.
    assert system.packing_fraction == pytest.approx(0.2, rel=1e-14)
    position, radius = system.particles.position, system.particles.radius[:, None]
    assert (position >= radius * (1 - 1e-14)).all()
    assert (position <= (np.array(system.sides) - radius) * (1 + 1e-14)).all()
    carom.Simulation(system)


def test_groups_fill_their_regions_and_leave_each_other_room() -> None:
    text = (
        """
[[particles]]
packing = "random"
packing_fraction = 0.25
region = { lower = [0.0, 10.0], upper = [40.0, 30.0] }
temperature = 3.0

[[particles]]
name = "ball"
position = [[20.0, 20.0]]
velocity = [0.0, -5.0]
radius = 6.0
mass = 50.0

[[walls]]
point = [0.0, 25.0]
normal = [-0.2, 1.0]

[domain]
kind = "box"
lengths = [40.0, 40.0]
"""
        + RUN
    )
    begun = start(text)
    particles = begun.system.particles
    grains = slice(0, begun.sizes[0])
    # 0.25 of 800 filled with disks of area π/4, to the nearest whole number.
    assert begun.sizes == [round(0.25 * 800 / (np.pi / 4)), 1]
    assert pdist(particles.position[grains]).min() >= 1.0
    assert particles.position[grains, 0].min() >= 0.5
    assert particles.position[grains, 1].min() >= 10.5
    assert particles.position[grains, 1].max() <= 29.5
    from_ball = np.linalg.norm(particles.position[grains] - [20.0, 20.0], axis=1)
    assert from_ball.min() >= 6.5
    wall = begun.system.walls[0]
    height = (particles.position - np.array(wall.point)) @ np.array(wall.normal)
    assert (np.abs(height[grains]) >= 0.5).all()
    squares = (particles.velocity[grains] ** 2).sum()
    assert squares / (2 * (begun.sizes[0] - 1)) == pytest.approx(3.0, rel=1e-12)
    np.testing.assert_array_equal(particles.velocity[-1], [0.0, -5.0])
    assert (particles.radius[-1], particles.mass[-1]) == (6.0, 50.0)


def test_laws_nest_and_walls_can_follow_the_law() -> None:
    text = (
        "gravity = [0.0, -2.0]\n"
        + TWO
        + """
[domain]
kind = "box"
lengths = 10.0
periodic = "x"
restitution = { y = [0.5, "law"] }
[[walls]]
point = [0.0, 5.0]
normal = [0.0, 2.0]
restitution = "law"
[law]
kind = "contact_duration"
duration = 0.01
[law.law]
kind = "viscoelastic"
young_modulus = 1e6
poisson_ratio = 0.3
dissipation_time = 1e-5
[method]
algorithm = "collision_list"
resting = true
three_body = true
"""
        + RUN
    )
    begun = start(text)
    system = begun.system
    inner = carom.ViscoelasticRestitution(1e6, 0.3, 1e-5)
    assert system.law == carom.ContactDuration(inner, 0.01)
    assert system.domain == carom.Box(10.0, "x", {"y": [0.5, None]})
    assert system.walls == (carom.Plane([0.0, 5.0], [0.0, 1.0], None),)
    np.testing.assert_array_equal(system.gravity, [0.0, -2.0])
    expected = carom.EventDriven(algorithm="collision_list", resting=True, three_body=True)
    assert begun.method == expected


def test_rough_particles() -> None:
    begun = start(LATTICE + RUN + '[law]\nkind = "rough"\nnormal = 0.9\ntangential = -0.5\n')
    assert begun.system.law == carom.RoughRestitution(0.9, -0.5)


def test_actors_stand_in_the_order_of_the_file() -> None:
    text = (
        LATTICE
        + RUN
        + """
[[actors]]
kind = "random_kicks"
strength = 0.1
every = 0.5
[[actors]]
kind = "rescaling"
temperature = 2.0
every = 1.0
[[actors]]
kind = "andersen"
temperature = 3.0
every = 0.1
rate = 1.5
"""
    )
    assert start(text).actors == [
        carom.RandomKicks(strength=0.1, every=0.5),
        carom.RescalingThermostat(temperature=2.0, every=1.0),
        carom.AndersenThermostat(temperature=3.0, every=0.1, rate=1.5),
    ]


SOFT = '[method]\nkind = "soft_contacts"\nstiffness = 1e4\n'
STEPPED = '[method]\nkind = "time_stepped"\n'


@pytest.mark.parametrize(
    ("table", "method"),
    [
        ('[method]\nkind = "event_driven"\n', carom.EventDriven()),
        ('[method]\nalgorithm = "lists"\n', carom.EventDriven(algorithm="lists")),
        (STEPPED, carom.TimeStepped()),
        (
            STEPPED + 'dt = 0.01\nsimultaneous = "backtrack"\n',
            carom.TimeStepped(dt=0.01, simultaneous="backtrack"),
        ),
        (SOFT, carom.SoftContacts(1e4)),
        (
            SOFT + 'damping = 3.0\nends_at = "zero_force"\ndt = "auto"\nneighbours = "auto"\n',
            carom.SoftContacts(1e4, damping=3.0, ends_at="zero_force"),
        ),
        (
            SOFT + "restitution = 0.7\nfriction = 0.5\ntangential_stiffness = 2e3\n"
            "tangential_damping = 0.1\ndt = 1e-4\n",
            carom.SoftContacts(
                1e4,
                restitution=0.7,
                friction=0.5,
                tangential_stiffness=2e3,
                tangential_damping=0.1,
                dt=1e-4,
            ),
        ),
    ],
)
def test_methods(table: str, method: Any) -> None:
    assert start(LATTICE + RUN + table).method == method


@pytest.mark.parametrize(
    ("value", "neighbours"),
    [
        ('"auto"', "auto"),
        ('"linked_cells"', carom.LinkedCells()),
        ('{ kind = "all_pairs", check = true }', carom.AllPairs(check=True)),
        ('{ kind = "linked_cells", cell_size = 2.5, skin = 0.2 }', carom.LinkedCells(2.5, 0.2)),
        ('{ kind = "linked_linear_list", skin = 0.0 }', carom.LinkedLinearList(skin=0.0)),
        ('{ kind = "hierarchical_cells" }', carom.HierarchicalCells()),
        (
            '{ kind = "verlet_list", build = "all_pairs", radius = 5.0, every = 100 }',
            carom.VerletList(build="all_pairs", radius=5.0, every=100),
        ),
    ],
)
def test_neighbours_of_methods_with_steps(value: str, neighbours: Any) -> None:
    for method in (SOFT, STEPPED):
        begun = start(LATTICE + RUN + method + f"neighbours = {value}\n")
        assert begun.method.neighbours == neighbours  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("table", "force"),
    [
        ('kind = "linear_drag"\ncoefficient = 2.0\n', carom.forces.LinearDrag(2.0)),
        (
            'kind = "linear_drag"\ncoefficient = 2\nflow = [0.5, -1]\n',
            carom.forces.LinearDrag(2.0, 0.5, -1.0),
        ),
        (
            'kind = "harmonic_trap"\nstiffness = 3.0\ncentre = [1.0, 2.0]\n',
            carom.forces.HarmonicTrap(3.0, 1.0, 2.0),
        ),
    ],
)
def test_forces(table: str, force: Any) -> None:
    assert start(LATTICE + RUN + STEPPED + "[force]\n" + table).system.force == force
    assert start(LATTICE + RUN).system.force is None


def test_accelerations_belong_to_groups() -> None:
    text = (
        "[[particles]]\nposition = [[1.0, 1.0], [3.0, 1.0]]\nacceleration = [0.0, -1.0]\n"
        "[[particles]]\nposition = [[5.0, 1.0]]\n" + RUN
    )
    rows = start(text).system.acceleration
    np.testing.assert_array_equal(rows, [[0.0, -1.0], [0.0, -1.0], [0.0, 0.0]])


sides = st.floats(4.0, 30.0)


@settings(max_examples=30, deadline=None)
@given(
    width=sides,
    height=sides,
    depth=st.none() | st.floats(4.0, 10.0),
    radius=st.floats(0.2, 1.0),
    share=st.floats(0.01, 0.25),
    place=st.sampled_from([lattice_places, random_places]),
    seed=st.integers(0, 1000),
)
def test_places_lie_inside_and_apart(
    width: float,
    height: float,
    depth: float | None,
    radius: float,
    share: float,
    place: Any,
    seed: int,
) -> None:
    upper = np.array([width, height] if depth is None else [width, height, depth])
    one = np.pi * radius**2 if depth is None else 4.0 / 3.0 * np.pi * radius**3
    # Of the room that the centres have, so that the border cannot leave too little.
    n = min(max(2, int(share * np.prod(upper - 2.0 * radius) / one)), 1000)
    room = Room(
        np.zeros(len(upper)),
        upper,
        (False,) * len(upper),
        lambda places, radius: np.ones(len(places), dtype=bool),
    )
    places = place(n, radius, room, np.random.default_rng(seed))
    assert places.shape == (n, len(upper))
    rounding = 1e-14 * upper.max()
    assert (places >= radius - rounding).all()
    assert (places <= upper - radius + rounding).all()
    assert pdist(places).min() >= 2.0 * radius - rounding


@given(until=st.floats(1e-3, 1e6), number=st.integers(1, 5000))
def test_the_last_look_falls_on_the_end(until: float, number: int) -> None:
    for every in (None, until / number):
        looks = 1000 if every is None else number
        spacing = spacing_of_looks(every, until, 1000)
        # Observers look at k times their spacing; a few units in the last place are all it costs.
        assert until * (1.0 - 1e-15 * 4) <= looks * spacing <= until


def test_aspacing_of_looks_that_does_not_divide_the_run_is_kept() -> None:
    assert spacing_of_looks(0.3, 1.0, 1000) == 0.3


# What they say about what is wrong


def test_an_unknown_key_is_named_with_the_nearest_known_one() -> None:
    text = LATTICE + RUN + '[law]\nkind = "constant"\nrestitution = 0.9\nrestitutoin = 0.9\n'
    assert complaint(text) == (
        "scene.toml: unknown key 'law.restitutoin'; did you mean 'restitution'? "
        "Known here: kind, restitution."
    )


def test_all_problems_are_listed() -> None:
    text = (
        '[particles]\npacking = "latice"\nnumber = "many"\n'
        '[law]\nkind = "contact_duration"\nduration = -1.0\nlaw = { kind = "constant" }\n'
        "[run]\nuntill = 3.0\n"
    )
    message = complaint(text)
    assert message.startswith("scene.toml has 6 problems:")
    for part in (
        "'particles.packing' is unknown: 'latice'; did you mean 'lattice'?",
        "'particles.number' must be a whole number, not \"many\"",
        "'law.duration' must be greater than or equal to 0, not -1.0",
        "'law.law.restitution' is missing",
        "'run.until' is missing",
        "unknown key 'run.untill'; did you mean 'until'?",
    ):
        assert part in message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (LATTICE, ["'run' is missing"]),
        (RUN, ["'particles' is missing"]),
        (LATTICE + "[run]\nuntil = -1.0\n", ["'run.until'", "greater than 0", "-1.0"]),
        (LATTICE + "[run]\nuntil = true\n", ["'run.until'", "a number", "not true"]),
        (LATTICE + "[run]\nuntil = inf\n", ["'run.until'", "finite"]),
        (LATTICE + RUN + '[law]\nkind = "elstic"\n', ["'law.kind'", "did you mean 'elastic'?"]),
        (LATTICE + RUN + "[law]\n", ["'law.kind' is missing", "viscoelastic"]),
        (LATTICE + RUN + "law = 3\n", ["unknown key 'run.law'", "before the first [table]"]),
        (
            LATTICE + RUN + '[law]\nkind = "constant"\nrestitution = 1.5\n',
            ["'law.restitution'", "less than or equal to 1", "1.5"],
        ),
        (LATTICE + RUN + '[domain]\nkind = "box"\nlengths = [1.0, -2.0]\n', ["'domain.lengths'"]),
        (LATTICE + RUN + '[domain]\nkind = "box"\nperiodic = "w"\n', ["'domain.periodic'", "w"]),
        (
            LATTICE + RUN + '[domain]\nkind = "box"\nrestitution = { y = [0.5, 2.0] }\n',
            ["'domain.restitution'", "between 0 and 1"],
        ),
        (LATTICE + RUN + '[domain]\nkind = "open"\n', ["region"]),
        (
            LATTICE + RUN + '[domain]\nkind = "periodic"\nlengths = 99.0\n',
            ["leave one of them out"],
        ),
        (LATTICE + RUN + '[output]\ncolumns = ["enrgy"]\n', ["did you mean 'energy'?"]),
        (LATTICE + RUN + '[output]\nplot = ["checks"]\n', ["output.plot", "not in the log"]),
        (LATTICE + RUN + '[method]\nalgorithm = "heep"\n', ["'method.algorithm'", "'heap'?"]),
        (LATTICE.replace("number = 30\n", "") + RUN, ["number", "packing_fraction"]),
        ("[particles]\n" + RUN, ["packing", "position"]),
        (TWO + "number = 2\n" + RUN, ["number", "positions are given"]),
        (TWO + "velocity = [[1.0, 0.0]]\n" + RUN, ["velocity", "2 numbers, or 2 of them"]),
        (TWO + RUN + "[[walls]]\npoint = [0.0, 0.0]\n", ["'walls[0].normal' is missing"]),
        (
            TWO + RUN + "[[walls]]\npoint = [0.0, 0.0]\nnormal = [0.0, 0.0]\n",
            ["the normal", "no direction"],
        ),
        ("gravity = [0.0, 0.0, 1.0]\n" + TWO + RUN, ["gravity", "2 finite numbers"]),
        (TWO + RUN + "[method]\ncells_per_side = 0\n", ["'method.cells_per_side'"]),
        ("[particles]\nposition = [[0.0], [1.0]]\n" + RUN, ["'particles.position'"]),
        (TWO + "radius = -1.0\n" + RUN, ["'particles.radius'", "positive"]),
        (
            LATTICE + RUN + '[[actors]]\nkind = "rescalin"\n',
            ["'actors[0].kind'", "did you mean 'rescaling'?"],
        ),
        (
            LATTICE + RUN + '[[actors]]\nkind = "andersen"\ntemperature = 0.0\nevery = 1.0\n',
            ["'actors[0].temperature'", "greater than 0", "'actors[0].rate' is missing"],
        ),
        (
            LATTICE + RUN + '[method]\nkind = "softcontacts"\n',
            ["'method.kind'", "'soft_contacts'?"],
        ),
        (LATTICE + RUN + '[method]\nkind = "soft_contacts"\n', ["'method.stiffness' is missing"]),
        (LATTICE + RUN + "[method]\nalgoritm = 3\n", ["'method.algoritm'", "'algorithm'?"]),
        (
            LATTICE + RUN + SOFT + "stifness = 1.0\n",
            ["unknown key 'method.stifness'; did you mean 'stiffness'?", "friction"],
        ),
        (
            LATTICE + RUN + STEPPED + "stiffness = 1.0\n",
            ["unknown key 'method.stiffness'", "simultaneous"],
        ),
        (LATTICE + RUN + SOFT + "dt = 0.0\n", ["'method.dt' must be", '"auto", not 0.0']),
        (LATTICE + RUN + STEPPED + 'dt = "atuo"\n', ["'method.dt' must be", '"auto", not "atuo"']),
        (
            LATTICE + RUN + SOFT + "damping = 1.0\nrestitution = 0.9\n",
            ["damping or restitution, not both"],
        ),
        (LATTICE + RUN + SOFT + "restitution = 0.0\n", ["'method.restitution'", "greater than 0"]),
        (LATTICE + RUN + SOFT + "friction = -0.5\n", ["'method.friction'", "-0.5"]),
        (LATTICE + RUN + SOFT + "tangential_stiffness = 1.0\n", ["needs friction"]),
        (
            LATTICE + RUN + SOFT + 'ends_at = "zero"\n',
            ["'method.ends_at' is unknown: 'zero'; did you mean 'zero_", "zero_overlap"],
        ),
        (
            LATTICE + RUN + SOFT + 'neighbours = "linked_cels"\n',
            ["'method.neighbours.kind' is unknown: 'linked_cels'; did you mean 'linked_cells'?"],
        ),
        (
            LATTICE + RUN + SOFT + 'neighbours = { kind = "linked_cells", size = 1.0 }\n',
            ["unknown key 'method.neighbours.size'", "'cell_size'?"],
        ),
        (
            LATTICE + RUN + STEPPED + "neighbours = { skin = 1.0 }\n",
            ["'method.neighbours.kind' is missing", "verlet_list"],
        ),
        (
            LATTICE + RUN + SOFT + 'neighbours = { kind = "verlet_list", every = 10 }\n',
            ["radius", "belong together"],
        ),
        (
            LATTICE + RUN + '[force]\nkind = "linear_drag"\n',
            ["'force.coefficient' is missing"],
        ),
        (
            LATTICE + RUN + '[force]\nkind = "drag"\n',
            ["'force.kind'", "did you mean 'linear_drag'"],
        ),
        (
            LATTICE
            + RUN
            + '[force]\nkind = "harmonic_trap"\nstiffness = 1.0\ncentre = [1, 2, 3]\n',
            ["'force.centre' must have 2 components, not 3"],
        ),
        (
            LATTICE + RUN + '[output]\ncolumns = ["stress_xz"]\n',
            ["'stress_xz'", "no z in the plane"],
        ),
        (LATTICE + RUN + '[output]\ncolumns = ["stress_yx2"]\n', ["did you mean 'stress_yx'?"]),
        ("[particles\n", ["not valid TOML", "line 1"]),
    ],
)
def test_what_is_wrong_is_named(text: str, parts: list[str]) -> None:
    message = complaint(text)
    assert message.startswith("scene.toml")
    for part in parts:
        assert part in message


def test_a_key_that_slipped_into_a_table_is_told_where_it_belongs() -> None:
    assert "'gravity' belongs before the first [table]" in complaint(
        LATTICE + RUN + "gravity = [0.0, -1.0]\n"
    )


def test_too_many_particles_for_a_region_are_refused() -> None:
    for packing in ("lattice", "random"):
        text = (
            f'[particles]\npacking = "{packing}"\nnumber = 200\n'
            "region = { lower = [0.0, 0.0], upper = [10.0, 10.0] }\n" + RUN
        )
        message = complaint(text)
        assert "of 200 particles of radius 0.5" in message
        assert "from (0, 0) to (10, 10)" in message


def test_a_missing_file_suggests_a_built_in_scene() -> None:
    with pytest.raises(carom.SceneError, match="did you mean 'cooling'"):
        read_scene("coolin")


def test_changes_between_scenes_name_their_keys() -> None:
    before = {"law": {"kind": "constant", "restitution": 0.9}, "walls": [{"point": [0, 1]}]}
    now = {"law": {"kind": "constant", "restitution": 0.8}, "walls": [{"point": [0, 2]}], "a": 1}
    assert list(changes(before, now)) == [
        "'law.restitution' was 0.9 and is 0.8",
        "'walls[0].point[1]' was 1 and is 2",
        "'a' was not given and is 1",
    ]
    assert list(changes(before, before)) == []


def tables_in(annotation: Any) -> set[type[BaseModel]]:
    """A model and all models that its fields can hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        found = {annotation}
        for name, field in annotation.model_fields.items():
            # A law in a law brings nothing new.
            if name not in ("law", "otherwise") or annotation is Scene:
                found |= tables_in(field.annotation)
        return found
    return set().union(*(tables_in(part) for part in get_args(annotation)))


COUPLED = (
    f'{LATTICE}temperature = 0.0\n[method]\nkind = "coupled"\ndt = 0.1\n{{method}}\n'
    f'[method.fluid]\nkind = "{{kind}}"\ngrid = [8, 9]\nviscosity = 0.2\n{{fluid}}\n{RUN}'
)


def test_fluids_that_feel_particles() -> None:
    method = start(
        COUPLED.format(
            kind="navier_stokes",
            method="relaxation_time = { factor = 3.0, exponent = 1.0 }",
            fluid='forcing = { kind = "stochastic", speed = 2.0, seed = 5 }\n'
            'scheme = "conserving"\nexchange = { factor = 0.5 }\n'
            'start = { kind = "uniform", y = 4.0 }',
        )
    ).method
    assert isinstance(method, carom.Coupled)
    assert method.relaxation_time == carom.PowerOfRadius(3.0, 1.0)
    fluid = method.fluid
    assert isinstance(fluid, carom.fluids.NavierStokes2D)
    assert fluid.forcing == carom.fluids.StochasticForcing(speed=2.0, seed=5)
    assert (fluid.scheme, fluid.viscosity) == ("conserving", 0.2)
    assert fluid.exchange == carom.PowerOfRadius(0.5, 2.0)
    assert fluid.start == carom.fluids.Uniform(0.0, 4.0, 0.0)
    plain = start(COUPLED.format(kind="diffusion", method="relaxation_time = 1.0", fluid="")).method
    assert isinstance(plain.fluid, carom.fluids.DiffusionFlow)
    assert (plain.fluid.forcing, plain.fluid.exchange, plain.fluid.start) == (None, None, None)


@pytest.mark.parametrize(
    ("fluid", "said"),
    [
        ('forcing = "taylor_gren"', "method.fluid.forcing"),
        ('scheme = "leapfrog"', "method.fluid.scheme"),
        ("tolerance = 2.0", "tolerance=2.0"),
        ('start = "grid_field"', "method.fluid.start"),
    ],
)
def test_fluids_that_cannot_be(fluid: str, said: str) -> None:
    text = COUPLED.format(kind="diffusion", method="relaxation_time = 1.0", fluid=fluid)
    assert said in complaint(text)


def test_columns_of_a_fluid_need_one_that_feels_particles() -> None:
    columns = '[output]\ncolumns = ["fluid.energy"]\n'
    assert "it needs method.kind" in complaint(LATTICE + RUN + columns)
    text = COUPLED.format(kind="diffusion", method="relaxation_time = 1.0", fluid="")
    assert start(text + columns).method.fluid.grid == [8, 9]


def test_every_key_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "scene-files.md").read_text()
    models = tables_in(Scene)
    assert len(models) >= 10
    for model in models:
        for key in model.model_fields:
            assert f"`{key}`" in text or f"[{key}]" in text, f"{model.__name__}.{key}"


def test_marks_and_line_ends_of_other_editors_do_not_matter(tmp_path: Path) -> None:
    text = LATTICE + RUN
    path = tmp_path / "scene.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert read_scene(str(path)).data == checked_scene("scene.toml", text).data
