"""The wheel holds what the package needs, and runs where nothing of the repository is."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import carom

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "carom"
# The same kind of system as the scenes of test_cli.py, so that one compilation serves both.
SCENE = """
[particles]
packing = "lattice"
number = 200
packing_fraction = 0.3
dimension = 2

[law]
kind = "contact_duration"
duration = 1e-3
law = { kind = "constant", restitution = 0.9 }

[run]
until = 1.0
"""


def run(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end without what tells Python of the repository."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in command],
        env=outside | options.pop("variables", {}),
        capture_output=True,
        text=True,
        timeout=1800,
        **options,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    variables = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    run(*build, cwd=ROOT, variables=variables)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    """What the wheel tells a package index."""
    with ZipFile(wheel) as archive:
        [name] = (name for name in archive.namelist() if name.endswith("/METADATA"))
        return message_from_string(archive.read(name).decode())


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    ours = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == {path.relative_to(PACKAGE.parent).as_posix() for path in ours}
    assert {"carom/py.typed", "carom/cli/scenes/cooling.toml"} <= names


def test_the_wheel_says_what_it_is(metadata: Message) -> None:
    assert metadata["Version"] == carom.__version__
    classifiers = metadata.get_all("Classifier")
    assert classifiers is not None
    assert "Typing :: Typed" in classifiers
    for minor in (11, 12, 13):
        assert f"Programming Language :: Python :: 3.{minor}" in classifiers


def test_the_page_of_an_index_has_no_link_into_the_repository(metadata: Message) -> None:
    page = metadata.get_payload()
    assert isinstance(page, str)
    assert page.startswith("# carom\n")
    assert not re.findall(r"\]\((?!https?:)", page)


def test_the_page_of_an_index_links_to_where_the_files_are_published() -> None:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    readme = (
        "# Name\n\n![A gas](docs/gas.png)\n\n*Made by\n[it](make.py).*\n\nSee\n[this\npage](a.md#b)"
        " and [that](https://there/c.md).\n"
    )
    assert module.description(readme, "https://raw", "https://pages") == (
        "# Name\n\n![A gas](https://raw/docs/gas.png)\n\n*Made by\n[it](https://pages/make.py).*\n\n"
        "See\n[this\npage](https://pages/a.md#b) and [that](https://there/c.md).\n"
    )
    assert module.description(readme, None, None) == (
        "# Name\n\nSee\nthis\npage and [that](https://there/c.md).\n"
    )


def test_the_installed_wheel_runs_a_scene_outside_the_repository(
    wheel: Path, tmp_path: Path
) -> None:
    """In an environment of its own, which borrows the libraries of this one and not its carom."""
    fresh = tmp_path / "fresh"
    run(sys.executable, "-m", "venv", "--without-pip", fresh)
    scripts = fresh / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    target = Path(
        run(python, "-c", "import site; print(site.getsitepackages()[-1])").stdout.strip()
    )
    # Paths in a .pth come last, and .pth files in them, such as an editable carom's, do not count.
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (target / "libraries.pth").write_text("\n".join(sorted(libraries)) + "\n")
    offline = ("--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "--python", python, "install", *offline, wheel)

    (tmp_path / "scene.toml").write_text(SCENE)
    find = "from importlib.util import find_spec; print(find_spec('carom').origin)"
    assert Path(run(python, "-c", find, cwd=tmp_path).stdout).is_relative_to(fresh)
    command = scripts / "carom"
    assert run(command, "--version", cwd=tmp_path).stdout == f"carom {carom.__version__}\n"
    run(command, "run", "scene.toml", "--out", "out", cwd=tmp_path)
    assert carom.load(tmp_path / "out" / "state.carom").time == 1.0
