"""Notebooks as pages of the manual, with the outputs that are stored in them; nothing is run.

A page that says ``{notebook} name`` becomes the notebook ``examples/notebooks/name.ipynb``: its
text and its code, as if they were written there, and below each cell what it showed.
"""

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
ASKED = re.compile(r"^```\{notebook\} (\w+)\n```$", re.MULTILINE)
FENCE = "`````"
RICHEST = ("text/html", "image/png", "text/plain")


def page(name: str) -> str:
    """The Markdown of a notebook."""
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell))


def _parts(cell: dict[str, Any]) -> list[str]:
    source = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [_fenced("python", source), *map(_shown, _together(cell["outputs"]))]


def _together(outputs: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What each output holds; what was printed is one text, below a line of progress."""
    shown = [{kind: _text(data) for kind, data in o.get("data", {}).items()} for o in outputs]
    printed = "".join(_text(output["text"]) for output in outputs if "text" in output)
    texts = [{"text/plain": printed}] if printed else []
    before = [data for data in shown if list(data) == ["text/plain"]]
    return before + texts + [data for data in shown if data and data not in before]


def _shown(data: dict[str, str]) -> str:
    """The richest form of an output."""
    kind = next(kind for kind in RICHEST if kind in data)
    if kind == "text/html":
        return _fenced("{raw} html", f'<div class="shown">{data[kind]}</div>')
    if kind == "image/png":
        return f"![What the cell shows](data:image/png;base64,{''.join(data[kind].split())})"
    return _fenced("text", data[kind].rstrip())


def _fenced(language: str, text: str) -> str:
    return f"{FENCE}{language}\n{text}\n{FENCE}"


def _text(lines: str | list[str]) -> str:
    """Text, which notebooks may keep in lines."""
    return lines if isinstance(lines, str) else "".join(lines)


def put_notebook(app: Sphinx, name: str, source: list[str]) -> None:
    """Put a notebook in the place where a page asks for it."""
    for asked in ASKED.findall(source[0]):
        app.env.note_dependency(str(FOLDER / f"{asked}.ipynb"), docname=name)
    source[0] = ASKED.sub(lambda asked: page(asked[1]), source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at every page that is read."""
    app.connect("source-read", put_notebook)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
