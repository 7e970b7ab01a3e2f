"""Trajectories that are not as they should be: the file, the line and the remedy are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import carom
from carom.cli.app import app

LATTICE = 'Lattice="7 0 0 0 8 0 0 0 9"'
ROWS = "Ar 1 2 3\nNe 4 5 6\n"


@pytest.mark.parametrize(
    ("head", "complaint"),
    [
        ("Time=soon", r"line 2: Time='soon' should be one number\."),
        ("time=nan", r"line 2: time='nan' should be one number\."),
        ("Step=1.5", r"line 2: Step='1\.5' should be one whole number\."),
        (f'{LATTICE} Origin="1 2"', r"line 2: Origin='1 2' should be 3 numbers\."),
        ('Lattice="7 8 9"', r"line 2: Lattice='7 8 9' should be 9 numbers\."),
        (LATTICE.replace("8", "-8"), r"line 2: the box goes from 0 to -8 along y"),
        (f'{LATTICE} pbc="T T"', r"line 2: pbc='T T' should be T or F for each .* pbc=\"T T F\""),
        (f'{LATTICE} pbc="T T yes"', r"line 2: pbc='T T yes' should be T or F"),
        (f"{LATTICE} shear_rate=fast", r"line 2: shear_rate='fast' should be one number"),
        (
            f"{LATTICE} Properties=species:S:1:pos:R:2",
            r"line 2: pos has 2 columns in Properties; there should be three",
        ),
    ],
)
def test_the_keys_of_extended_xyz(tmp_path: Path, head: str, complaint: str) -> None:
    path = tmp_path / "a.xyz"
    path.write_text(f"2\n{head}\n{ROWS}")
    with pytest.raises(carom.errors.UnreadableFile, match=rf"a\.xyz, {complaint}"):
        carom.read(path, radius=0.5)


def test_numbers_say_which_axes_of_xyz_repeat(tmp_path: Path) -> None:
    path = tmp_path / "a.xyz"
    path.write_text(f'2\n{LATTICE} pbc="1 0 true"\n{ROWS}')
    assert carom.read(path, radius=0.5)[1] == carom.Box((7.0, 8.0, 9.0), "xz")


def test_frames_without_particles_are_refused_and_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.xyz"
    path.write_text(f"2\n\n{ROWS}0\n\n2\n\n{ROWS}")
    assert len(carom.frames(path)) == 3
    assert carom.read(path, 2, radius=0.5)[0].position.tolist() == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(carom.errors.UnreadableFile, match=r"a\.xyz, line 6: .* 0 particles"):
        carom.read(path, 1, radius=0.5)
    path.write_text("-2\n\n")
    with pytest.raises(carom.errors.UnreadableFile, match=r"line 1: .* particles, not -2"):
        carom.frames(path)


DUMP = (
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS {head}\n{bounds}\n"
    "ITEM: ATOMS id type x y z radius\n1 1 0.5 0.5 0.5 0.5\n"
)


@pytest.mark.parametrize(
    ("head", "bounds", "complaint"),
    [
        ("pp pp pp", "-1 1\n2\n0 5", r"line 7: there should be 2 numbers .* along y\), not '2'"),
        ("pp pp pp", "-1 1\n2 -2\n0 5", r"line 7: the box goes from 2 to -2 along y; the second"),
        ("pp pp pp", "-1 1\n-2 2\n0 inf", r"line 8: the box goes from 0 to inf along z"),
        ("xy xz yz pp pp pp", "-1 1\n-2 2\n0 5", r"line 6: there should be 3 .* and a tilt"),
        ("xy xz yz pp pp pp", "-1 1 0\n-2 2 1\n0 5 0", r"line 8: .* 'change_box all xz final 0"),
        ("xy xz yz pp pp pp", "-1 1 9\n-2 2 0\n0 5 0", r"line 8: the box goes from -1 to -8"),
        ("abc origin pp pp pp", "1 0 0 0\n0 1 0 0\n0 0 1 0", r"line 6: .* 2 numbers"),
    ],
)
def test_the_bounds_of_dumps(tmp_path: Path, head: str, bounds: str, complaint: str) -> None:
    path = tmp_path / "a.dump"
    path.write_text(DUMP.format(head=head, bounds=bounds))
    with pytest.raises(carom.errors.UnreadableFile, match=rf"a\.dump, {complaint}"):
        carom.read(path)


def test_the_time_of_older_dumps_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.dump"
    text = DUMP.format(head="pp pp pp", bounds="-1 1\n-2 2\n0 5")
    path.write_text(text.replace("ITEM: NUMBER", "ITEM: TIME\n0.25\nITEM: NUMBER"))
    (frame,) = carom.frames(path)
    assert (frame.time, frame.step) == (0.25, 100)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (bytes(range(256)), r"a\.pvd cannot be read as VTK, .* nor as a VTK collection"),
        (b"dear to me\n", r"a\.pvd cannot be read as VTK, .* nor as a VTK collection"),
        (b"<page>dear to me</page>", r"a\.pvd is no VTK collection.* end in \.vtp"),
        (b'<VTKFile type="Collection"><DataSet/></VTKFile>', "is no VTK collection"),
    ],
)
def test_other_files_called_pvd(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "a.pvd"
    path.write_bytes(content)
    with pytest.raises(carom.errors.UnreadableFile, match=complaint):
        carom.frames(path)


DATA = """A start for LAMMPS

2 atoms
{head}
-5 5 xlo xhi
-4 4 ylo yhi
-3 3 zlo zhi

Atoms{style}

{atoms}
"""
SEVEN = "1 1 1 0.5 0 0 0\n2 1 1 0.5 2 2 2"


@pytest.mark.parametrize(
    ("head", "style", "atoms", "complaint"),
    [
        ("", " # atomic", "7 1 0 0 0\n7 1 2 2 2", r"line 12: the id 7 is there twice; give each"),
        ("", " # atomic", "1 1.5 0 0 0\n2 1 2 2 2", r"line 11: there should be whole numbers"),
        (
            "",
            "",
            SEVEN,
            r"line 11: an atom has 7 columns, .* full or sphere; .*'Atoms # full' or 'Atoms # sph",
        ),
        ("", "", "1 1 0 0\n2 1 2 2", r"line 11: an atom has 4 columns, .* none that is known"),
        ("9 xlo xhi", " # atomic", "", r"line 4: there should be 2 numbers .* in '9 xlo xhi'"),
        ("5 -5 xlo xhi", " # atomic", "", r"line 4: the box goes from 5 to -5 along x"),
        ("1 2 3 xy xz yz", " # atomic", "", r"line 4: .* xy, xz, yz = 1, 2, 3; .*'change_box all"),
    ],
)
def test_data_files(tmp_path: Path, head: str, style: str, atoms: str, complaint: str) -> None:
    path = tmp_path / "a.data"
    path.write_text(DATA.format(head=head, style=style, atoms=atoms))
    with pytest.raises(carom.errors.UnreadableFile, match=rf"a\.data, {complaint}"):
        carom.read(path, radius=0.5)


def test_a_full_file_that_names_its_style_has_no_radii(tmp_path: Path) -> None:
    path = tmp_path / "a.data"
    path.write_text(DATA.format(head="", style=" # full", atoms=SEVEN))
    with pytest.raises(ValueError, match="says nothing of radii"):
        carom.read(path)
    particles, _ = carom.read(path, radius=0.5)
    assert particles.position.tolist() == [[5, 4, 3], [7, 6, 5]]


def test_a_leaning_data_file_is_told_how_to_become_upright(tmp_path: Path) -> None:
    path = tmp_path / "a.data"
    atoms = "1 1 0 0 0\n2 1 2 2 2"
    path.write_text(DATA.format(head="1.5 0 0 xy xz yz", style=" # atomic", atoms=atoms))
    with pytest.raises(ValueError, match=r"leans by 1\.5 .*'change_box all xy final 0 remap', th"):
        carom.read(path, radius=0.5)


@pytest.mark.parametrize("suffix", [".dump", ".xyz", ".gsd", ".h5", ".pvd"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, suffix: str) -> None:
    """The kernel makes no files in /proc, whoever asks."""
    source = tmp_path / "a.xyz"
    source.write_text(f"2\n\n{ROWS}")
    words = ["convert", str(source), f"/proc/new{suffix}", "--radius", "0.5"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert f"/proc/new{suffix} cannot be written: No such file" in done.output


def test_a_frame_of_which_the_end_was_lost(tmp_path: Path) -> None:
    """The index at the end of a GSD file still names a frame that has lost its last bytes."""
    path = tmp_path / "a.gsd"
    particles, box = carom.packings.lattice(500, 0.2, seed=1)
    trajectory = carom.Trajectory(path, 0.1)
    carom.Simulation(carom.System(particles, box), observers=[trajectory]).run(0.3)
    content = path.read_bytes()
    path.write_bytes(content[:-5])
    frames = carom.frames(path)
    with pytest.raises(carom.errors.UnreadableFile, match=r"a\.gsd cannot be read as GSD: "):
        frames[-1]
    with pytest.raises(carom.errors.UnreadableFile, match=r"a\.gsd cannot be read as GSD: "):
        carom.read(path)
