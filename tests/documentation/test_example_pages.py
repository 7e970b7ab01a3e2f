"""Every example has a page that tells what the script does, and a picture that it has left."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from pages import ROOT

SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    """The program that writes them, which is in no package."""
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        spec = importlib.util.find_spec("example_pages")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(ROOT / "docs"))
    return module


def renewed_by(script: Path) -> str:
    return f"python docs/example_pages.py examples/{script.name} writes it"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_has_the_page_and_the_picture_that_belong_to_it(
    writer: ModuleType, script: Path
) -> None:
    page = writer.page_of(script)
    assert page.exists(), renewed_by(script)
    text = page.read_text(encoding="utf-8")
    title, printed = writer.TITLE.match(text), writer.PRINTED.search(text)
    assert text == writer.text_of_page(script, title[1], printed[1]), renewed_by(script)
    assert printed[1].strip()
    assert 0 < writer.picture_of(script).stat().st_size <= MOST_BYTES, renewed_by(script)


def test_there_is_nothing_without_an_example(writer: ModuleType) -> None:
    pages = {path.name for path in (ROOT / "docs" / "examples").iterdir()} - {"index.md"}
    assert pages == {writer.page_of(script).name for script in SCRIPTS}
    pictures = {path.name for path in (ROOT / "docs" / "pictures" / "examples").iterdir()}
    assert pictures == {writer.picture_of(script).name for script in SCRIPTS}


def test_the_film_of_the_first_screen_is_small() -> None:
    assert (ROOT / "docs" / "pictures" / "break_shot.gif").stat().st_size < 1_500_000
