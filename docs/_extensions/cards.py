"""Cards of a list of links, so that an index is a plain list wherever else it is read.

    :::{cards}
    :pictures: ../pictures/howto
    :contents:

    - [A cooling granular gas](cooling-gas.md): Haff's law, clusters, collapse
    :::

A line is a card: a title that links, a few words, and the picture of the folder that is called like
the page, if there is one. With ``contents`` the pages are also those below this one, in that order.
"""

import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ENTRY = re.compile(r"- \[(?P<title>[^\]]+)\]\((?P<page>[^)\s]+)\.md\)(?:: (?P<words>.*))?$")
# On a phone, a tablet, a small and a large screen.
COLUMNS = "1 2 3 3"


class Cards(SphinxDirective):
    """A grid of cards, from the list that is the content."""

    has_content = True
    option_spec = {"pictures": directives.unchanged, "contents": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """The cards, as sphinx-design makes them."""
        entries = [self._entry(line) for line in _joined(list(self.content))]
        lines = [f"::::{{grid}} {COLUMNS}", ":gutter: 3", ""]
        for entry in entries:
            lines += self._card(**entry)
        lines += ["::::", ""]
        if "contents" in self.options:
            lines += ["```{toctree}", ":hidden:", ""]
            lines += [f"{entry['title']} <{entry['page']}>" for entry in entries] + ["```"]
        parent = nodes.Element()
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, parent)
        return parent.children

    def _entry(self, line: str) -> dict[str, str]:
        found = ENTRY.match(line)
        if found is None:
            raise self.error(f"a card is '- [title](page.md): a few words', not {line!r}")
        return found.groupdict(default="")

    def _card(self, title: str, page: str, words: str) -> list[str]:
        options = [f":link: {page}", ":link-type: doc"]
        if (picture := self._picture(page)) is not None:
            options += [f":img-top: {picture}", f":img-alt: {title}"]
        return [f":::{{grid-item-card}} {title}", *options, "", words, ":::", ""]

    def _picture(self, page: str) -> str | None:
        """The picture of a page as this page names it; building again when it has appeared."""
        if "pictures" not in self.options:
            return None
        here = Path(self.env.doc2path(self.env.docname)).parent
        picture = here / self.options["pictures"] / f"{Path(page).name}.png"
        self.env.note_dependency(str(picture))
        return Path(os.path.relpath(picture, here)).as_posix() if picture.exists() else None


def _joined(lines: list[str]) -> list[str]:
    """The entries of a list, each on a line of its own."""
    return re.sub(r"\n +", " ", "\n".join(lines).strip()).splitlines()


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the directive."""
    app.setup_extension("sphinx_design")
    app.add_directive("cards", Cards)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
