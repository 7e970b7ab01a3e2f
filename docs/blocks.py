"""Runs the blocks of Python of Markdown pages, and keeps the pictures that they make.

    python docs/blocks.py docs/howto/*.md               # every block must run
    python docs/blocks.py --pictures docs/howto/*.md    # and the pictures of the pages are renewed

The blocks of a page run in order, in one namespace and an empty folder. A picture that a page shows
from docs/pictures/howto is one that its blocks save under the same name. Blocks in a comment, which
no reader sees, set the stage.
"""

import argparse
import contextlib
import re
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]*pictures/howto/[^)\s]+)\)")
# Pixels across and colours, from the width of a page to what always fits.
SIZES = ((900, 256), (800, 256), (700, 256), (700, 128), (600, 128), (600, 64))
MOST_BYTES = 140_000


class Block(NamedTuple):
    """A block of Python and the line of its page on which it begins."""

    line: int
    source: str


def blocks(page: Path) -> list[Block]:
    """The blocks of Python of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, match.start(1)) + 1, match.group(1))
        for match in FENCE.finditer(text)
    ]


def pictures(page: Path) -> list[Path]:
    """The pictures of how-tos that a page shows."""
    shown = SHOWN.findall(page.read_text(encoding="utf-8"))
    return [(page.parent / target).resolve() for target in shown]


def run(page: Path, folder: Path) -> None:
    """Run the blocks of a page in a folder; an error names the line of the page."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        for line, source in blocks(page):
            # Empty lines in front, so that tracebacks count the lines of the page.
            exec(compile("\n" * (line - 1) + source, str(page), "exec"), namespace)


def keep_picture(made: Path, kept: Path) -> None:
    """Put a picture where the page shows it, as large as a small file allows."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(made).convert("RGB")
    for width, colours in SIZES:
        image.thumbnail((width, width), Image.Resampling.LANCZOS)
        image.quantize(colours, dither=Image.Dither.NONE).save(kept, optimize=True)
        if kept.stat().st_size <= MOST_BYTES:
            return


def main() -> None:
    """Run the pages named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--pictures", action="store_true", help="renew what the pages show")
    options = parser.parse_args()
    for page in map(Path.resolve, options.pages):
        print(f"== {page.name}")
        with tempfile.TemporaryDirectory() as folder:
            run(page, Path(folder))
            for kept in pictures(page) if options.pictures else ():
                keep_picture(Path(folder) / kept.name, kept)


if __name__ == "__main__":
    main()
