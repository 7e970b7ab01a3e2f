"""Every block of Python in a Markdown file runs, and makes the pictures that its page shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import ROOT, block_runner, markdown_pages, name_of

RUNNER = block_runner()
PAGES = [page for page in markdown_pages() if RUNNER.blocks(page)]
MOST_BYTES = 150_000
TOPICS = (
    *("cooling-gas", "shear-cell", "dense-packing", "polydisperse", "soft-against-hard"),
    *("turbulence", "coupled-flow", "own-law", "own-flow", "restart", "ensembles", "export"),
    *("freud", "species", "transport", "structure", "trouble"),
)


@pytest.fixture(autouse=True)
def _without_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")


# A quarter of a minute and more each; what they run is tested by smaller runs elsewhere.
LONG = ("gravity", "structure", "transport")
SLOW = [
    pytest.param(page, marks=pytest.mark.slow if page.stem in LONG else (), id=name_of(page))
    for page in PAGES
]


@pytest.mark.parametrize("page", SLOW)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    printed = RUNNER.run(page, tmp_path)
    for block, output in zip(RUNNER.blocks(page), printed, strict=True):
        assert output.strip() or block.output is None, f"line {block.line} prints nothing"
    for picture in RUNNER.pictures(page):
        assert (tmp_path / picture.name).exists(), f"no block saves {picture.name}"
        assert picture.exists(), "python docs/blocks.py --renew makes it"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_box_of_output_is_empty(page: Path) -> None:
    text, blocks = page.read_text(encoding="utf-8"), RUNNER.blocks(page)
    boxes = {block.line: slice(*block.output) for block in blocks if block.output is not None}
    empty = [line for line, box in boxes.items() if not text[box].strip()]
    assert empty == [], f"python docs/blocks.py --renew {name_of(page)} fills them"


def test_every_topic_has_a_page_with_blocks() -> None:
    how_to = ROOT / "docs" / "howto"
    assert {how_to / f"{topic}.md" for topic in TOPICS} <= set(PAGES)


def test_pictures_are_small_and_shown() -> None:
    kept = set((ROOT / "docs" / "pictures" / "howto").glob("*.png"))
    assert kept == {picture for page in PAGES for picture in RUNNER.pictures(page)}
    assert max(picture.stat().st_size for picture in kept) <= MOST_BYTES


def test_an_error_names_the_page_and_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n\n```python\nvalue = 1\n```\n\ntext\n\n```python\nvalue / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as caught:
        RUNNER.run(page, tmp_path)
    last = caught.traceback[-1]
    assert str(last.path) == str(page)
    assert last.lineno + 1 == 10  # counted from zero
