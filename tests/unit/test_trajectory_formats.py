"""Trajectories of every format: the same frames, for carom and for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ase.io
import h5py
import numpy as np
import pytest

import carom
from carom.trajectories.formats import FORMATS, writer_for
from carom.trajectories.frame import Frame, frame_of

SUFFIXES = [".gsd", ".xyz", ".extxyz", ".dump", ".lammpstrj", ".h5", ".h5md", ".pvd"]
# GSD has single precision.
ROUND_OFF = {".gsd": 2e-6}
END = 2.0


def disks() -> carom.System:
    particles, box = carom.packings.random(20, 0.1, dimension=2, temperature=100.0, seed=2)
    kinds = ["light ones", "heavy, grey"] * 10
    particles = carom.Particles(
        particles.position, particles.velocity, 0.5, [1.0, 3.0] * 10, species=kinds
    )
    return carom.System(particles, box)


def sheared_disks() -> carom.System:
    system = disks()
    domain = carom.LeesEdwards(system.domain.lengths, 0.7)  # type: ignore[union-attr]
    particles = system.particles.copy()
    particles.velocity += domain.flow(particles.position)
    return carom.System(particles, domain)


def spheres_in_a_channel() -> carom.System:
    lengths = (7.0, 5.0, 6.0)
    particles, _ = carom.packings.random(
        15, dimension=3, radius=0.4, temperature=30.0, seed=3, domain=carom.Box(lengths, "xz")
    )
    return carom.System(particles, carom.Box(lengths, "xz"))


def open_spheres() -> carom.System:
    rows = [[0.0, 0.1, 0.2], [5.0, 0.3, -0.4], [0.1, -3.0, 2.0]]
    return carom.System(carom.Particles(rows, [[0, 1, 0], [3, 0, 0], [0, 0, -1]], [0.5, 0.4, 0.3]))


SYSTEMS = {
    "disks": disks,
    "sheared": sheared_disks,
    "channel": spheres_in_a_channel,
    "open": open_spheres,
}


def written(path: Path, system: carom.System) -> list[Frame]:
    """The frames of a run as they were at the time, which are also in a file."""
    kept: list[Frame] = []

    def keep(simulation: carom.Simulation) -> None:
        frame = frame_of(simulation, len(kept))
        np.testing.assert_allclose(frame.unwrapped, simulation.particles.unwrapped, atol=1e-10)
        kept.append(frame)

    observers = [carom.Trajectory(path, 0.5), carom.Call(0.5, keep)]
    carom.Simulation(system, observers=observers).run(until=END)
    return kept


def names_in(frame: Frame, suffix: str) -> list[str]:
    """The names of species; dumps know numbers of several only."""
    names = frame.species_names
    if suffix not in (".dump", ".lammpstrj") or len(names) == 1:
        return names
    return [str(k + 1) for k in range(len(names))]


def assert_same(found: Frame, expected: Frame, suffix: str) -> None:
    off = ROUND_OFF.get(suffix, 1e-14)
    size = np.abs(expected.unwrapped).max() + expected.cell.sides.max()
    assert (found.time, found.step) == (expected.time, expected.step)
    for column in ("position", "unwrapped", "velocity", "radius", "mass"):
        np.testing.assert_allclose(
            getattr(found, column), getattr(expected, column), rtol=off, atol=off * size
        )
    np.testing.assert_array_equal(found.image, expected.image)
    np.testing.assert_array_equal(found.species, expected.species)
    assert found.species_names == names_in(expected, suffix)
    assert found.cell.boundaries == expected.cell.boundaries
    for number in ("lower", "sides", "offset"):
        np.testing.assert_allclose(
            getattr(found.cell, number), getattr(expected.cell, number), rtol=off, atol=off * size
        )
    if suffix not in (".dump", ".lammpstrj"):  # which have no place for it
        assert found.cell.shear_rate == expected.cell.shear_rate


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_read_is_what_was(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / f"run{suffix}"
    kept = written(path, SYSTEMS[name]())
    found = carom.frames(path)
    assert len(found) == len(kept) == 5
    if name == "open":  # the box stays around the middle of the first frame
        kept = [frame._replace(cell=again.cell) for frame, again in zip(kept, found, strict=True)]
    for k in (3, 0, -1, 2):  # in any order
        assert_same(found[k], kept[k], suffix)
    assert [frame.time for frame in found[1:3]] == [0.5, 1.0]
    with pytest.raises(IndexError, match="has 5 frames, numbered from 0 on; there is no frame 5"):
        found[5]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_frame_starts_a_run(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    for name in ("disks", "channel", "open"):
        system = SYSTEMS[name]()
        kept = written(path, system)
        particles, domain = carom.read(path, 2)
        off = ROUND_OFF.get(suffix, 1e-14) * 100.0
        assert type(domain) is type(system.domain)
        if not isinstance(domain, carom.Open):
            np.testing.assert_allclose(domain.lengths, system.sides, rtol=off)
            assert domain.periodic_axes(particles.dimension) == system.periodic
        np.testing.assert_allclose(particles.unwrapped, kept[2].unwrapped, rtol=off, atol=off)
        np.testing.assert_allclose(particles.velocity, kept[2].velocity, rtol=off, atol=off)
        assert particles.species_names == tuple(names_in(kept[2], suffix))
        carom.Simulation(carom.System(particles, domain)).run(until=0.1)


@pytest.mark.parametrize("suffix", [".xyz", ".h5", ".pvd", ".gsd"])
def test_a_sheared_box_starts_where_it_is_upright(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    system = sheared_disks()
    written(path, system)
    _, domain = carom.read(path, 0)
    assert isinstance(domain, carom.LeesEdwards)
    assert domain.shear_rate == 0.7
    with pytest.raises(ValueError, match=r"leans by .* frame=0, or go on from a checkpoint"):
        carom.read(path, 1)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_writer_goes_on_after_the_frames_of_a_checkpoint(tmp_path: Path, suffix: str) -> None:
    """Cut anywhere in what is behind them, as a kill does it; text may be cut within a line."""
    simulation = carom.Simulation(disks())
    path = tmp_path / f"run{suffix}"
    writer = writer_for(path)
    writer.begin(0)
    assert len(carom.frames(path)) == 0
    kept = []
    for k in range(4):
        simulation.run(until=0.25 * k)
        kept.append(frame_of(simulation, k))
        writer.append(kept[-1])
    writer.sync()
    if suffix in (".xyz", ".extxyz", ".dump", ".lammpstrj"):
        whole = path.read_bytes()
        for cut in (1, 7, 200, 900):
            path.write_bytes(whole[:-cut])
            assert len(carom.frames(path)) == 3
            assert_same(carom.frames(path)[-1], kept[2], suffix)
    again = writer_for(path)
    again.begin(2)
    assert len(again) == len(carom.frames(path)) == 2
    again.append(kept[3])
    found = carom.frames(path)
    assert [frame.step for frame in found] == [0, 1, 3]
    assert_same(found[-1], kept[3], suffix)


@pytest.mark.parametrize("suffix", [".xyz", ".dump"])
def test_a_full_disk_leaves_no_piece_of_a_frame(tmp_path: Path, suffix: str) -> None:
    """Behind the last whole frame is what a write that failed has left."""
    frame = frame_of(carom.Simulation(disks()), 0)
    path = tmp_path / f"run{suffix}"
    writer = writer_for(path)
    writer.begin(0)
    writer.append(frame)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole[:100])
    writer.append(frame)
    assert path.read_bytes() == 2 * whole


def test_suffixes_choose_and_others_are_refused(tmp_path: Path) -> None:
    suffixes = [suffix for kind in FORMATS if kind.writer for suffix in kind.suffixes]
    assert suffixes == SUFFIXES
    for suffix in (".vtp", ".data", ".pdb", ""):
        with pytest.raises(ValueError, match=r"end in \.gsd, .* or \.pvd, not"):
            carom.Trajectory(tmp_path / f"run{suffix}", 1.0)
    with pytest.raises(ValueError, match=r"reads files that end in .*\.lmp, not .*run\.pdb"):
        carom.frames(tmp_path / "run.pdb")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*run\.xyz"):
        carom.read(tmp_path / "run.xyz")


def test_ase_reads_extended_xyz_and_dumps(tmp_path: Path) -> None:
    for name in SYSTEMS:
        for suffix, form in ((".xyz", "extxyz"), (".dump", "lammps-dump-text")):
            path = tmp_path / f"{name}{suffix}"
            kept = written(path, SYSTEMS[name]())
            atoms = ase.io.read(path, index=":", format=form)
            assert len(atoms) == len(kept)
            for one, frame in zip(atoms, kept, strict=True):
                d = frame.dimension
                positions = one.positions[:, :d]
                if name != "open":
                    np.testing.assert_allclose(positions, frame.position, rtol=0, atol=1e-12)
                    np.testing.assert_allclose(one.cell[:d, :d], frame.cell.vectors, atol=1e-12)
                    assert tuple(one.pbc[:d]) == frame.cell.periodic
                if suffix == ".xyz":
                    assert one.info["Time"] == frame.time
                    np.testing.assert_array_equal(one.arrays["velo"][:, :d], frame.velocity)
                    np.testing.assert_array_equal(one.arrays["radius"], frame.radius)


def test_h5py_finds_what_the_rules_of_h5md_say(tmp_path: Path) -> None:
    path = tmp_path / "run.h5md"
    kept = written(path, disks())
    with h5py.File(path) as file:
        assert file["h5md"].attrs["version"].tolist() == [1, 1]
        assert file["h5md/creator"].attrs["name"] == "carom"
        assert "name" in file["h5md/author"].attrs
        group = file["particles/all"]
        assert group["box"].attrs["dimension"] == 2
        assert list(group["box"].attrs["boundary"]) == ["periodic", "periodic"]
        for element in ("position", "velocity", "image", "box/edges"):
            assert set(group[element]) == {"value", "step", "time"}
            assert group[element]["time"][:].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
            assert group[element]["step"][:].tolist() == [0, 1, 2, 3, 4]
        expected = np.array([frame.position for frame in kept])
        np.testing.assert_array_equal(group["position/value"], expected)
        names = h5py.check_enum_dtype(group["species"].dtype)
        assert names == {"light ones": 0, "heavy, grey": 1}


DATA = """A start for LAMMPS

4 atoms
2 atom types

-5 5 xlo xhi
-4.0 4e0 ylo yhi
{z} zlo zhi

Masses

1 2.5
2 1.5  # heavier

{atoms}

Velocities

3 0 0.5 0
1 1.0 0 0
2 0 0 0
4 0 -1 0

Bonds

1 1 1 2
"""
ATOMIC = """Atoms # atomic

3 2 0.0 0.0 {z} 0 0 0
1 1 -4 -3 {z} 1 0 0
2 1 4.5 3 {z} 0 0 0
4 1 2 2 {z} 0 0 0"""


def test_lammps_data_is_a_start(tmp_path: Path) -> None:
    path = tmp_path / "start.data"
    path.write_text(DATA.format(z="-3 3", atoms=ATOMIC.format(z=1.0)))
    with pytest.raises(ValueError, match=r"start\.data says nothing of radii; give them: radius="):
        carom.read(path)
    particles, domain = carom.read(path, radius=0.4, species_names=("small", "large"))
    assert domain == carom.Periodic((10.0, 8.0, 6.0))
    assert particles.position.tolist() == [[1, 1, 4], [9.5, 7, 4], [5, 4, 4], [7, 6, 4]]
    assert particles.unwrapped[0].tolist() == [11, 1, 4]
    assert particles.velocity.tolist() == [[1, 0, 0], [0, 0, 0], [0, 0.5, 0], [0, -1, 0]]
    assert particles.mass.tolist() == [2.5, 2.5, 1.5, 2.5]
    assert particles.species.tolist() == [0, 0, 1, 0]
    assert particles.species_names == ("small", "large")
    path.write_text(DATA.format(z="-0.5 0.5", atoms=ATOMIC.format(z=0.0)))
    particles, domain = carom.read(path, radius=0.4)
    assert (particles.dimension, domain) == (2, carom.Periodic((10.0, 8.0)))
    assert particles.species_names == ("1", "2")


def test_lammps_spheres_have_sizes_and_densities(tmp_path: Path) -> None:
    rows = "\n".join(f"{k} 1 {0.5 * k} 2.0 {k - 3} 0 1" for k in range(1, 5))
    path = tmp_path / "start.lmp"
    path.write_text(DATA.format(z="-3 3", atoms=f"Atoms # sphere\n\n{rows}"))
    particles, _ = carom.read(path)
    assert particles.radius.tolist() == [0.25, 0.5, 0.75, 1.0]
    np.testing.assert_allclose(particles.mass, 2.0 * 4.0 / 3.0 * np.pi * particles.radius**3)
    particles, domain = carom.read(path, mass=1.0, domain=carom.Box((10.0, 8.0, 6.0)))
    assert particles.mass.tolist() == [1.0] * 4
    assert domain == carom.Box((10.0, 8.0, 6.0))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("2 1 4.5", "2 1 here"), r"line 19: there should be numbers, not .*here"),
        (
            ("Atoms # atomic", "Atoms # ellipsoid"),
            r"line 15: the atom style .* is unknown",
        ),
        (("4 atoms", "9 atoms"), "line 21: an atom has 0 columns; style atomic has 5"),
        (("4 0 -1 0", "7 0 -1 0"), r"line 27: a velocity is of atom 7, which there is not"),
        (("4 atoms", ""), "no line '... atoms' before the section Atoms"),
        (("Atoms # atomic", "Particles"), "Velocities comes before the section Atoms"),
    ],
)
def test_what_is_wrong_with_lammps_data_is_told_with_its_line(
    tmp_path: Path, change: tuple[str, str], complaint: str
) -> None:
    path = tmp_path / "start.data"
    text = DATA.format(z="-3 3", atoms=ATOMIC.format(z=1.0))
    assert change[0] in text
    path.write_text(text.replace(*change))
    with pytest.raises(ValueError, match=complaint):
        carom.read(path, radius=0.4)


def test_plain_xyz_needs_radii_and_may_have_a_domain(tmp_path: Path) -> None:
    path = tmp_path / "start.xyz"
    path.write_text("2\nwater, or not\nAr 1.0 2.0 0.0\nNe 3.5 2.0 0.0\n")
    with pytest.raises(ValueError, match="says nothing of radii"):
        carom.read(path)
    particles, domain = carom.read(path, radius=[0.5, 0.4])
    assert domain == carom.Open()
    assert particles.species_names == ("Ar", "Ne")
    particles, domain = carom.read(path, radius=0.5, dimension=2, domain=carom.Periodic(3.0))
    assert particles.position.tolist() == [[1.0, 2.0], [0.5, 2.0]]
    path.write_text("2\n\nAr 1.0 2.0 0.0\nNe 3.5 two 0.0\n")
    with pytest.raises(ValueError, match=r"start\.xyz, line 4: there should be numbers, not .*two"):
        carom.read(path, radius=0.5)


def test_files_of_ase_and_lammps_are_read(tmp_path: Path) -> None:
    atoms = ase.Atoms("ArNe", [[1, 2, 3], [4, 5, 6]], cell=[7, 8, 9], pbc=[True, True, False])
    ase.io.write(tmp_path / "a.xyz", [atoms, atoms], format="extxyz")
    assert len(carom.frames(tmp_path / "a.xyz")) == 2
    particles, domain = carom.read(tmp_path / "a.xyz", radius=0.5)
    assert domain == carom.Box((7.0, 8.0, 9.0), "xy")
    assert particles.position.tolist() == [[1, 2, 3], [4, 5, 6]]
    (tmp_path / "a.dump").write_text(
        "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp ff\n"
        "-1 1\n-2 2\n0 5\n"
        "ITEM: ATOMS id type xs ys zs diameter\n2 1 0.5 0.5 0.5 0.5\n1 3 0.25 0.25 0.2 0.75\n"
    )
    particles, domain = carom.read(tmp_path / "a.dump")
    assert domain == carom.Box((2.0, 4.0, 5.0), "xy")
    np.testing.assert_allclose(particles.position, [[0.5, 1.0, 1.0], [1.0, 2.0, 2.5]])
    assert particles.radius.tolist() == [0.375, 0.25]
    assert particles.species_names == ("1", "3")
    assert particles.species.tolist() == [1, 0]


def test_h5py_is_asked_for_in_words(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(ImportError, match=r"carom\[hdf5\]', or write \.gsd, \.xyz"):
        carom.Simulation(disks(), observers=[carom.Trajectory(tmp_path / "a.h5", 1.0)])


def test_gsd_keeps_names_in_all_letters(tmp_path: Path) -> None:
    names = ("é, ü", "a b")
    particles = carom.Particles([[1.0, 1.0], [3.0, 3.0]], radius=0.5, species=names)
    written(tmp_path / "run.gsd", carom.System(particles, carom.Periodic((5.0, 5.0))))
    assert carom.read(tmp_path / "run.gsd")[0].species_names == names
