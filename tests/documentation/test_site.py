"""The manual builds without a warning, needs no network, names all that is public, and looks right
in a browser; so does the page of ``carom reproduce``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from browser import WIDTHS, in_browser, seen
from pages import ROOT
from public_names import public_names

import carom
import carom_studies
from carom_studies.entries import all_entries
from carom_studies.page import write_page
from carom_studies.report import read_report

LOADED = re.compile(r"<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=\"(https?:)?//")
EMPTY_BOX = re.compile(r"<pre[^>]*>(?:\s|<span></span>)*</pre>")
IMPORTED = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built manual."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--fail-on-warning", "--keep-going", "-d", str(folder / "doctrees")]
    packages = [str(Path(package.__file__).parents[1]) for package in (carom, carom_studies)]
    sources = [*packages, os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder / "html")],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sources))},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 50
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page
    for style in site.rglob("*.css"):
        assert not IMPORTED.search(style.read_text(encoding="utf-8")), style


def test_no_box_is_empty(site: Path) -> None:
    assert EMPTY_BOX.search("<pre><span></span>\n</pre>")
    empty = [page for page in site.rglob("*.html") if EMPTY_BOX.search(page.read_text("utf-8"))]
    assert empty == []


def test_a_card_has_the_picture_of_its_page(site: Path) -> None:
    for folder in ("howto", "examples"):
        page = (site / folder / "index.html").read_text(encoding="utf-8")
        sources = {path.stem for path in (ROOT / "docs" / folder).glob("*.md")} - {"index"}
        pictures = {path.stem for path in (ROOT / "docs" / "pictures" / folder).glob("*.png")}
        assert page.count('class="sd-card-img-top"') == len(sources & pictures)
        linked = re.findall(r'class="sd-stretched-link[^>]*href="(\w[^"]*)\.html"', page)
        assert sorted(linked) == sorted(sources)


def test_equations_are_mathml(site: Path) -> None:
    page = (site / "theory" / "granular-gas.html").read_text(encoding="utf-8")
    assert page.count("<math") > 10
    assert not re.search(r"<script[^>]*mathjax", page, re.IGNORECASE)
    assert "$" not in re.sub(r"<(pre|script|style)\b.*?</\1>", "", page, flags=re.DOTALL)


def test_the_reference_names_all_that_is_public(site: Path) -> None:
    pages = "".join(page.read_text("utf-8") for page in (site / "reference").glob("*.html"))
    described = set(re.findall(r'<dt class="[^"]*" id="([\w.]+)"', pages))
    assert set(public_names()) <= described


@in_browser
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("page", ["index", "theory/granular-gas", "howto/cooling-gas"])
def test_pages_look_right(site: Path, page: str, width: int) -> None:
    found = seen(site / f"{page}.html", width)
    assert found["broken"] == []
    assert found["flat"] == 0
    assert (found["formulas"] > 10) == page.startswith("theory")
    assert found["beyond"] <= 0


@in_browser
@pytest.mark.parametrize(("width", "columns"), [(WIDTHS[0], 3), (WIDTHS[1], 1)])
@pytest.mark.parametrize("page", ["index", "howto/index", "examples/index", "flows/index"])
def test_cards_are_one_column_on_a_phone(site: Path, page: str, width: int, columns: int) -> None:
    found = seen(site / f"{page}.html", width)
    assert found["broken"] == []
    assert found["columns"] == columns
    assert found["beyond"] <= 0


@in_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_of_all_entries_looks_right(tmp_path: Path, width: int) -> None:
    folder = Path(shutil.copytree(ROOT / "docs" / "reproduction", tmp_path / "out"))
    reports = [read_report(folder, name) for name in all_entries()]
    assert None not in reports  # every entry has been run
    found = seen(write_page(folder, filter(None, reports)), width)
    assert found["broken"] == []
    assert found["pictures"] == len(reports)
    assert found["beyond"] <= 0
