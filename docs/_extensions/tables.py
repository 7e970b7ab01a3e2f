"""Numbers in tables stay beside their errors, also where the page is narrow."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

BREAKING, UNBROKEN = " ± ", "\u00a0±\u00a0"


def keep_errors(app: Sphinx, page: nodes.document) -> None:
    """Let no line end before or behind the sign; the table then scrolls."""
    for cell in page.findall(nodes.entry):
        for text in list(cell.findall(nodes.Text)):
            if BREAKING in text:
                text.parent.replace(text, nodes.Text(text.replace(BREAKING, UNBROKEN)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Look at every page that was read."""
    app.connect("doctree-read", keep_errors)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
