"""Figures made again, from the files that ``carom reproduce`` has left.

Entries, their order and how one is told are those of ``carom_studies``; here they become sections
of a page of the manual, and their pictures are put beside it.
"""

import shutil
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from carom_studies.entries import all_entries
from carom_studies.entry import VERDICTS
from carom_studies.page import article, citation
from carom_studies.report import picture_path, read_report
from carom_studies.sources import short_name

Report = Mapping[str, Any]


class Reproductions(SphinxDirective):
    """Every report beside the page that asks for them."""

    def run(self) -> list[nodes.Node]:
        """An overview, and for each source a section with its entries."""
        folder = Path(self.env.doc2path(self.env.docname)).parent
        names = list(all_entries())
        reports = [report for name in names if (report := read_report(folder, name))]
        self.env.note_reread()  # reports may have been added since the last build
        if not reports:
            return [nodes.paragraph(text="Nothing has been put there yet.")]
        sections = [
            self._section(source, group)
            for source, group in groupby(reports, key=lambda report: report["source"])
        ]
        return [_raw(_overview(reports)), *sections]

    def _section(self, source: str, reports: Iterable[Report]) -> nodes.section:
        heading = short_name(source)
        identifier = nodes.make_id(heading)
        section = nodes.section(ids=[identifier], names=[identifier])
        section += nodes.title(text=heading)
        section += _raw(citation(source))
        section += [_raw(article(report)) for report in reports]
        return section


def _overview(reports: Iterable[Report]) -> str:
    """Which of the entries agree, and which do not."""
    links: dict[str, list[str]] = {verdict: [] for verdict in VERDICTS}
    for report in reports:
        links[report["verdict"]].append(f'<a href="#{report["name"]}">{report["name"]}</a>')
    return "\n".join(
        f'<p><span class="verdict {verdict}">{verdict}</span> {len(some)}: {", ".join(some)}</p>'
        for verdict, some in links.items()
        if some
    )


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


def put_pictures(app: Sphinx, problem: Exception | None) -> None:
    """Copy the pictures of the entries beside the page that shows them."""
    if problem is not None or app.builder.format != "html":
        return
    source, target = Path(app.srcdir) / "reproduction", Path(app.outdir) / "reproduction"
    for name in all_entries():
        picture = picture_path(source, name)
        if picture.exists():
            shutil.copy(picture, target)


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the directive, and copy pictures when all pages are written."""
    app.add_directive("reproductions", Reproductions)
    app.connect("build-finished", put_pictures)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
