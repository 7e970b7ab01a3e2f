"""One version, wherever it is written."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import carom

ROOT = Path(__file__).parents[2]


def test_the_citation_and_the_changelog_name_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (\S+)$", citation, re.MULTILINE) == [carom.__version__]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (.+?)(?: \(unreleased\))?$", changelog, re.MULTILINE)
    assert versions[0] == carom.__version__
    assert len(versions) == len(set(versions))


def test_the_project_takes_its_version_from_the_package() -> None:
    """So the wheel says the same: test_wheel.py looks at one."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in settings["project"]["dynamic"]
    assert "version" not in settings["project"]
    source = ROOT / settings["tool"]["hatch"]["version"]["path"]
    assert f'__version__ = "{carom.__version__}"' in source.read_text(encoding="utf-8")


def test_only_the_latest_version_may_be_unreleased() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .+$", changelog, re.MULTILINE)
    assert not [heading for heading in headings[1:] if "nreleased" in heading]
