"""Pictures: what is drawn where, and that they show something."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

import carom
from carom.plotting import diagram, film, haff_cooling_time, picture, picture_of_run
from carom.plotting.colouring import colouring, local_packing_fraction
from carom.plotting.planar import view, with_images
from carom.plotting.style import PALETTE, colours_of_kinds
from carom.plotting.walled import plane_in_box


def gas(dimension: int = 2, n: int = 100, fraction: float = 0.3) -> carom.Simulation:
    particles, box = carom.packings.lattice(n, fraction, dimension=dimension, seed=3)
    return carom.Simulation(carom.System(particles, box))


def coloured_share(path: Path) -> float:
    """The share of pixels that are neither white nor grey; axes and labels have no colour."""
    return float((np.ptp(imread(path)[..., :3], axis=-1) > 0.2).mean())


def test_a_disk_across_a_border_is_drawn_on_both_sides() -> None:
    particles = carom.Particles([[0.2, 5.0], [5.0, 5.0], [9.9, 9.9]])
    system = carom.System(particles, carom.Periodic(10.0))
    places, owners = with_images(system, particles.position, particles.radius)
    drawn = {
        (int(owner), *map(float, np.round(place, 6)))
        for owner, place in zip(owners, places, strict=True)
    }
    assert drawn == {
        (0, 0.2, 5.0),
        (0, 10.2, 5.0),
        (1, 5.0, 5.0),
        (2, 9.9, 9.9),
        (2, -0.1, 9.9),
        (2, 9.9, -0.1),
        (2, -0.1, -0.1),
    }


def test_walls_have_no_images() -> None:
    particles = carom.Particles([[0.5, 0.2]])
    system = carom.System(particles, carom.Box(10.0, periodic="y"))
    places, _ = with_images(system, particles.position, particles.radius)
    np.testing.assert_allclose(places[np.argsort(places[:, 1])], [[0.5, 0.2], [0.5, 10.2]])


def test_open_space_shows_particles_and_the_wall_under_them() -> None:
    particles = carom.Particles([[0.0, 3.0], [8.0, 6.0]])
    system = carom.System(particles, carom.Open(), walls=[carom.Plane([100.0, 0.0], [0.0, 1.0])])
    lower, upper = view(system, particles)
    assert (lower <= [-0.5, 0.0]).all()
    assert (upper >= [8.5, 6.5]).all()
    assert (upper - lower < 12.0).all()


def test_a_plane_is_cut_to_the_box() -> None:
    lower, upper = np.zeros(3), np.array([2.0, 3.0, 4.0])
    corners = plane_in_box(np.array([9.0, 9.0, 1.0]), np.array([0.0, 0.0, 1.0]), lower, upper)
    assert {tuple(np.round(corner, 12)) for corner in corners} == {
        (0.0, 0.0, 1.0),
        (2.0, 0.0, 1.0),
        (2.0, 3.0, 1.0),
        (0.0, 3.0, 1.0),
    }
    # x + y + z = 3/2 cuts the corner of a unit cube in a regular hexagon of side √2/2.
    normal = np.full(3, 1.0 / math.sqrt(3.0))
    hexagon = plane_in_box(np.full(3, 0.5), normal, lower, np.ones(3))
    sides = np.linalg.norm(hexagon - np.roll(hexagon, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides[sides > 1e-9], np.full(6, math.sqrt(0.5)), rtol=1e-12)
    assert len(plane_in_box(np.full(3, 5.0), normal, lower, np.ones(3))) == 0


@pytest.mark.parametrize(("dimension", "fraction"), [(2, 0.3), (3, 0.3)])
def test_local_density_of_a_lattice_is_its_packing_fraction(
    dimension: int, fraction: float
) -> None:
    simulation = gas(dimension, 2000, fraction)
    values = local_packing_fraction(simulation)
    # Lattice sites in a disk or ball of 4 diameters: their number is uncertain by about the
    # sites at the border, a layer of half a spacing.
    spacing = 0.5 * (1.0 / 4.0) * (0.9 / fraction) ** (1.0 / dimension)
    np.testing.assert_allclose(values, fraction, rtol=dimension * spacing)
    # A lattice looks the same from everywhere, but for sites that rounding puts on the border.
    assert np.ptp(values) <= 0.2 * fraction


@pytest.mark.parametrize("colour", ["speed", "density", "group", list(range(100))])
def test_pictures_of_disks(tmp_path: Path, colour: str) -> None:
    simulation = gas()
    groups = {"left": slice(0, 50), "right": slice(50, 100)}
    figure = picture(simulation, tmp_path / "p.png", colour=colour, groups=groups)
    assert figure.axes[0].get_title() == "t = 0"
    # The disks fill 0.3 of a box that fills most of the picture; one end of a scale is nearly grey.
    assert coloured_share(tmp_path / "p.png") > 0.1


def test_pictures_of_spheres_and_walls(tmp_path: Path) -> None:
    particles = carom.Particles([[1.0, 1.0, 4.0], [3.0, 2.0, 4.0]], [[1.0, 0, 0], [2.0, 0, 0]])
    walls = [carom.Plane([0.0, 0.0, 1.0], [0.2, 0.0, 1.0])]
    for name, domain in (("box.png", carom.Box(5.0)), ("open.png", carom.Open())):
        simulation = carom.Simulation(carom.System(particles, domain, walls=walls))
        picture(simulation, tmp_path / name, title="two")
        # Two spheres across a fifth of the view each.
        assert coloured_share(tmp_path / name) > 0.01


def test_unknown_colours_are_refused() -> None:
    for colour in ("pressure", [1.0, 2.0]):
        with pytest.raises(ValueError, match="colour must be"):
            picture(gas(), colour=colour)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a number beyond": ({"groups": {"one": 100}}, r"groups\['one'\]=100 are not .* 100 particles"),
    "several beyond": ({"groups": {"one": [0, -101]}}, "use a slice or their numbers"),
    "no numbers": ({"groups": {"one": "x"}}, "groups.*'x' are not"),
    "no names": ({"groups": [1, 2]}, r"groups must be names .*not \[1, 2\]"),
    "an infinite value": ({"colour": [math.inf] * 100}, "colour of particle 0 is inf"),
    "imaginary values": ({"colour": [1j] * 100}, "colour must be"),
    "no flow": ({"flow": 3}, "flow must be a carom.plotting.FlowView, not 3"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_picture_shows_is_refused_in_words(case: str) -> None:
    options, message = REFUSED[case]
    with pytest.raises((ValueError, TypeError), match=message):
        picture(gas(), **({"colour": "group"} | options))


@pytest.mark.parametrize("what", [3, None, gas().system])
def test_a_picture_of_something_else_is_refused(what: Any, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"a picture is of a carom\.Simulation"):
        picture(what)
    with pytest.raises(TypeError, match=r"a picture is of a carom\.Simulation"):
        film(tmp_path / "film.gif", [what])


@pytest.mark.parametrize("name", [1, "large"])
def test_particles_are_coloured_by_groups_of_any_name(tmp_path: Path, name: Any) -> None:
    picture(gas(), tmp_path / "a.png", colour="group", groups={name: slice(0, 50)})
    assert coloured_share(tmp_path / "a.png") > 0.01


def test_values_that_are_missing_leave_the_scale_to_the_others() -> None:
    scale = colouring(gas(), [math.nan] + [1.0] * 49 + [2.0] * 50, {}).scale
    assert scale is not None
    assert scale.get_clim() == (0.0, 2.0)


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (3, "a log must be columns by name"),
        ({}, "with 'time' among them"),
        ({"time": [0.0, 1.0], "energy": [1.0]}, "'energy' of the log has the shape"),
        ({"time": [0.0, 1.0], "energy": ["a", "b"]}, "'energy' of the log must be numbers"),
    ],
)
def test_logs_that_are_none_are_refused_in_words(log: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        picture_of_run(gas(), log)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_a_run_too_short_for_its_log_is_drawn(tmp_path: Path, rows: int) -> None:
    particles, box = carom.packings.lattice(n=4, packing_fraction=0.1, dimension=2, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.9))
    log = {
        "time": np.array([0.0, 1.0])[:rows],
        "temperature": np.ones(rows),
        "pressure": np.full(rows, np.nan),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture_of_run(carom.Simulation(system), log, tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 0


def test_a_column_that_the_log_lacks_is_not_drawn() -> None:
    particles, box = carom.packings.lattice(n=4, packing_fraction=0.1, dimension=2, seed=1)
    simulation = carom.Simulation(carom.System(particles, box))
    log = {"time": np.zeros(1), "energy": np.zeros(1)}
    with pytest.raises(ValueError, match="no column 'enrgy'; did you mean 'energy'"):
        picture_of_run(simulation, log, plot=["enrgy"])


@pytest.mark.parametrize("text", ["50 $ and $ 100 %", "$x_{$", "price: $5", "$\\phi = 0.3$"])
def test_titles_and_names_with_dollars_are_drawn(tmp_path: Path, text: str) -> None:
    groups = {text: slice(0, 50), "others": slice(50, 100)}
    picture(gas(), tmp_path / "picture.png", colour="group", groups=groups, title=text)
    assert (tmp_path / "picture.png").stat().st_size > 0


def test_a_cooling_gas_is_drawn_with_haffs_law(tmp_path: Path) -> None:
    particles, box = carom.packings.lattice(100, 0.3, dimension=2, seed=3)
    simulation = carom.Simulation(carom.System(particles, box, law=carom.ConstantRestitution(0.9)))
    time = np.linspace(0.0, 10.0, 50)
    log = {"time": time, "temperature": 1.0 / (1.0 + time) ** 2}
    curves = picture_of_run(simulation, log, tmp_path / "p.png").axes[1]
    assert curves.get_xscale() == curves.get_yscale() == "log"
    tau = haff_cooling_time(simulation.system, 1.0)
    law = curves.lines[0]
    np.testing.assert_allclose(law.get_ydata(), (1.0 + law.get_xdata() / tau) ** -2.0)
    named = picture_of_run(simulation, log, plot=["temperature"]).axes[1]
    assert named.get_xscale() == "linear"


@pytest.mark.parametrize(("dimension", "fraction"), [(2, 0.2), (3, 0.2)])
def test_the_cooling_time_follows_from_the_collision_rate(dimension: int, fraction: float) -> None:
    """1/τ = (1 − ε²) ω / (2 d), with the rate ω of an elastic gas of the same density."""
    simulation = gas(dimension, 1000, fraction)
    simulation.run(collisions=20_000, progress=False)
    simulation.reset_averages()
    simulation.run(collisions=100_000, progress=False)
    system = carom.System(
        simulation.system.particles, simulation.system.domain, law=carom.ConstantRestitution(0.9)
    )
    expected = 2 * dimension * simulation.mean_free_time / (1.0 - 0.9**2)
    # 10⁵ collisions count a rate to 1/√10⁵ = 0.3 %; three such errors, and 0.1 % for the
    # equations of state, whose errors at these densities are below that.
    tau = haff_cooling_time(system, simulation.temperature)
    assert tau == pytest.approx(expected, rel=0.011)


def test_haffs_law_is_left_out_where_it_does_not_hold() -> None:
    particles, box = carom.packings.lattice(100, 0.3, dimension=2, seed=3)
    granular = carom.ConstantRestitution(0.9)
    assert haff_cooling_time(carom.System(particles, box), 1.0) is None
    falling = carom.System(particles, box, law=granular, gravity=[0.0, -1.0])
    assert haff_cooling_time(falling, 1.0) is None
    two_sizes = carom.Particles([[1.0, 1.0], [5.0, 5.0]], radius=[0.5, 0.6])
    assert haff_cooling_time(carom.System(two_sizes, box, law=granular), 1.0) is None
    inside = carom.ContactDuration(granular, 1e-3)
    assert haff_cooling_time(carom.System(particles, box, law=inside), 1.0) is not None


def test_a_diagram_has_a_labelled_panel_for_each_pair() -> None:
    figure, (left, right) = diagram(("time", "energy"), ("radius", "number"))
    assert figure.axes == [left, right]
    labels = [(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes]
    assert labels == [("time", "energy"), ("radius", "number")]


def test_panels_of_a_diagram_stand_in_rows() -> None:
    figure, drawn = diagram(*[("time", str(number)) for number in range(5)], columns=3)
    places = [axes.get_subplotspec().get_geometry()[:3] for axes in drawn]
    assert places == [(2, 3, number) for number in range(5)]
    alone, _ = diagram(("time", "energy"))
    assert tuple(figure.get_size_inches()) == tuple(alone.get_size_inches() * (3, 2))
    with pytest.raises(ValueError, match="columns=0"):
        diagram(("time", "energy"), columns=0)


def test_curves_of_a_diagram_have_the_colours_of_all_pictures() -> None:
    _, axes = diagram(("time", "energy"))
    curves = [axes.plot([0.0, 1.0])[0] for _ in PALETTE]
    assert [curve.get_color() for curve in curves] == list(PALETTE)


def test_a_diagram_without_labels_is_refused() -> None:
    with pytest.raises(ValueError, match="pair of labels"):
        diagram()


def test_pictures_show_themselves_without_pyplot() -> None:
    data, size = picture(gas())._repr_png_()  # type: ignore[attr-defined]
    assert data.startswith(b"\x89PNG")
    assert 400 < size["width"] < 800
    figure, _ = diagram(("time", "energy"))
    assert figure._repr_png_()[0].startswith(b"\x89PNG")  # type: ignore[attr-defined]


def middle_of_picture(path: Path) -> Any:
    pixels = imread(path)[..., :3]
    height, width = pixels.shape[:2]
    return pixels[height // 4 : 3 * height // 4, width // 4 : width // 2]


def test_touching_grains_touch_and_stay_to_scale(tmp_path: Path) -> None:
    """A square lattice at contact fills π/4 of the plane; each grain reaches the next one."""
    place = np.stack(np.meshgrid(np.arange(20), np.arange(20)), -1).reshape(-1, 2) + 0.5
    system = carom.System(carom.Particles(place, radius=0.5), carom.Periodic(20.0))
    look = carom.plotting.Look(system, 0.0, system.particles)
    figure = picture(look, tmp_path / "p.png", colour="plain", region=((2, 2), (8, 8)))
    pixels = imread(tmp_path / "p.png")[..., :3].mean(axis=-1)
    box = figure.axes[0].get_window_extent()
    scale = 150.0 / figure.dpi
    rows = pixels.shape[0] - round(scale * box.y1), pixels.shape[0] - round(scale * box.y0)
    inside = pixels[rows[0] : rows[1], round(scale * box.x0) : round(scale * box.x1)][3:-3, 3:-3]
    # A pixel of the rim that is covered by half is halfway between ink and paper.
    assert (inside < 0.57).mean() == pytest.approx(math.pi / 4.0, abs=0.01)
    # Along the middles of a row there is never a gap.
    along = round(inside.shape[0] * (0.5 / 6.0))
    assert inside[along].max() < 0.4


def test_a_region_shows_a_part(tmp_path: Path) -> None:
    figure = picture(gas(), tmp_path / "p.png", region=((1.0, 2.0), (4.0, 5.0)))
    assert figure.axes[0].get_xlim() == (1.0, 4.0)
    assert figure.axes[0].get_ylim() == (2.0, 5.0)
    picture(gas(3), tmp_path / "p3.png", region=((0, 0, 0), (3, 9, 3)))
    assert coloured_share(tmp_path / "p3.png") > 0.05


@pytest.mark.parametrize(
    ("region", "message"),
    [
        (((1, 2),), "two corners of 2 numbers"),
        (((1, 2, 3), (4, 5, 6)), "two corners of 2 numbers"),
        (((1, 2), (math.inf, 5)), "two corners of 2 numbers"),
        (((4, 5), (1, 2)), "from its lower corner to its upper one"),
        (((100, 100), (120, 120)), "has nothing of the box"),
        ("all", "region must be numbers"),
    ],
)
def test_regions_that_are_none_are_refused(region: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        picture(gas(), region=region)


def test_open_space_leaves_out_who_is_far_away() -> None:
    place = np.vstack([np.random.default_rng(1).normal(size=(100, 2)), [[5000.0, 0.0]]])
    particles = carom.Particles(place, radius=0.01)
    figure = picture(carom.Simulation(carom.System(particles)))
    assert figure.axes[0].get_title() == "t = 0, 1 farther out"
    assert np.ptp(figure.axes[0].get_xlim()) < 20.0


def test_dark_pictures_are_dark(tmp_path: Path) -> None:
    import matplotlib

    for dimension in (2, 3):
        picture(gas(dimension), tmp_path / "p.png", theme="dark")
        assert imread(tmp_path / "p.png")[2, 2, :3].max() < 0.2
    with matplotlib.rc_context({"figure.facecolor": "black"}):
        assert sum(picture(gas()).get_facecolor()[:3]) < 0.5
    with pytest.raises(ValueError, match='theme must be "light" or "dark", not \'grey\''):
        picture(gas(), theme="grey")  # type: ignore[arg-type]


def test_columns_of_different_sizes_are_not_squashed() -> None:
    time = np.linspace(0.0, 1.0, 20)
    log = {"time": time, "fluid.energy": 0.1 + 0.02 * time, "kinetic_energy": 100.0 * time}
    figure = picture_of_run(gas(), log, plot=["fluid.energy", "kinetic_energy"])
    labels = [axes.get_ylabel() for axes in figure.axes[1:3]]
    assert labels == ["fluid energy", "kinetic energy"]
    alike = {"time": time, "energy": np.ones(20), "kinetic_energy": time}
    together = picture_of_run(gas(), alike, plot=["energy", "kinetic_energy"])
    assert len(together.axes[1].lines) == 2


def test_values_that_are_missing_are_grey(tmp_path: Path) -> None:
    picture(gas(), tmp_path / "p.png", colour=[math.nan] * 100)
    middle = middle_of_picture(tmp_path / "p.png")
    assert np.ptp(middle, axis=-1).max() < 0.01
    assert (middle.mean(axis=-1) < 0.8).mean() > 0.1


@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_pictures_in_files_of_lines_hold_all_pixels(tmp_path: Path, suffix: str) -> None:
    for dimension in (2, 3):
        picture(gas(dimension), tmp_path / f"p.{suffix}")
        assert (tmp_path / f"p.{suffix}").stat().st_size > 10_000


def test_thirty_kinds_have_thirty_colours() -> None:
    """The first six are the palette that colour-blind readers tell apart."""
    colours = colours_of_kinds(30)
    assert colours[:6] == [colour.lower() for colour in PALETTE]
    assert len(set(colours)) == 30
    assert colours_of_kinds(31)[30] == colours[0]
