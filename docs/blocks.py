"""Runs the blocks of Python of Markdown pages, and renews what they print and draw.

    python docs/blocks.py docs/howto/*.md            # every block must run
    python docs/blocks.py --renew docs/howto/*.md    # and outputs and pictures are written anew

The blocks of a page run in order, in one namespace and an empty folder. A block of text that
follows a block of Python is what that prints. A picture that a page shows from docs/pictures/howto
is one that its blocks save under the same name. Blocks in a comment, which no reader sees, set the
stage.
"""

import argparse
import contextlib
import io
import re
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

BLOCK = re.compile(
    r"^```python\n(?P<source>.*?)^```$(?:\n\n^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
SHOWN = re.compile(r"!\[[^\]]*\]\(([^)\s]*pictures/howto/[^)\s]+)\)")
# Pixels across and colours, from the width of a page to what always fits.
SIZES = ((900, 256), (800, 256), (700, 256), (700, 128), (600, 128), (600, 64))
MOST_BYTES = 140_000
WIDEST_OUTPUT = 98  # characters; longer lines are folded


class Block(NamedTuple):
    """A block of Python, its first line in the page, and where the text that it prints stands."""

    source: str
    line: int
    output: tuple[int, int] | None


def blocks(page: Path) -> list[Block]:
    """The blocks of Python of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            match["source"],
            text.count("\n", 0, match.start("source")) + 1,
            None if match["output"] is None else match.span("output"),
        )
        for match in BLOCK.finditer(text)
    ]


def pictures(page: Path) -> list[Path]:
    """The pictures of how-tos that a page shows."""
    shown = SHOWN.findall(page.read_text(encoding="utf-8"))
    return [(page.parent / target).resolve() for target in shown]


def run(page: Path, folder: Path) -> list[str]:
    """Run the blocks of a page in a folder; what each prints. Errors name the line of the page."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    with contextlib.chdir(folder):
        for block in blocks(page):
            # Empty lines in front, so that tracebacks count the lines of the page.
            source = "\n" * (block.line - 1) + block.source
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(source, str(page), "exec"), namespace)
            printed.append(output.getvalue())
    return printed


def renew_outputs(page: Path, printed: list[str]) -> None:
    """Write what the blocks printed where the page shows it."""
    text = page.read_text(encoding="utf-8")
    for block, output in reversed(list(zip(blocks(page), printed, strict=True))):
        if block.output is not None:
            first, last = block.output
            text = text[:first] + "".join(map(folded, output.splitlines())) + text[last:]
    page.write_text(text, encoding="utf-8")


def folded(line: str) -> str:
    """A line that is printed, over as many lines as fit a page."""
    words, lines = line.split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > WIDEST_OUTPUT:
            lines.append("")
        lines[-1] += word + " "
    return "".join(f"{part.rstrip()}\n" for part in lines)


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
    parser.add_argument("--renew", action="store_true", help="write outputs and pictures anew")
    options = parser.parse_args()
    for page in map(Path.resolve, options.pages):
        print(f"== {page.name}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            printed = run(page, Path(folder))
            print("".join(printed), end="")
            if options.renew:
                renew_outputs(page, printed)
                for kept in pictures(page):
                    keep_picture(Path(folder) / kept.name, kept)


if __name__ == "__main__":
    main()
