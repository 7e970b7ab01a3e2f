"""The gallery of reproductions, from the files that ``carom reproduce`` has left."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Gallery(SphinxDirective):
    """A section for every entry."""

    def run(self) -> list[nodes.Node]:
        """What the page shows."""
        return [nodes.paragraph(text="Nothing has been reproduced yet.")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the directive."""
    app.add_directive("reproductions", Gallery)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
