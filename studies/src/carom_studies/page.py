"""``index.html``: every figure beside the paper's numbers, readable without a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from carom_studies.report import picture_path

SIGNS = {"agrees": "✓", "differs": "✗", "inconclusive": "?"}
HOLDS = {True: "✓", False: "✗", None: "?"}
TITLE = "The figures of the sources, made again by carom"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #333; max-width: 1200px; margin: 0 auto;
       padding: 1rem; }
h2 { border-bottom: 1px solid #ddd; margin-top: 3rem; font-size: 1.25rem; }
article { margin: 2rem 0; }
.beside { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.5rem; }
@media (max-width: 800px) { .beside { grid-template-columns: minmax(0, 1fr); } }
img { max-width: 100%; border: 1px solid #eee; }
table { border-collapse: collapse; font-size: 0.875rem; width: 100%; }
th, td { text-align: left; padding: 0.25rem 0.5rem; border-bottom: 1px solid #eee;
         vertical-align: top; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.verdict { display: inline-block; padding: 0 0.6rem; border-radius: 1rem; color: #fff;
           font-size: 0.875rem; }
.agrees { background: #00724f; } .qualitative { background: #0062a0; }
.inconclusive { background: #666; } .differs { background: #b34700; }
.faint { color: #666; font-size: 0.875rem; }
details { font-size: 0.875rem; overflow-wrap: anywhere; }
"""


def write_page(folder: Path, reports: Iterable[Mapping[str, Any]]) -> Path:
    """Write the page of these reports, in their order, into the folder; where it is."""
    path = folder / "index.html"
    path.write_text(page(list(reports)), encoding="utf-8")
    return path


def page(reports: list[Mapping[str, Any]]) -> str:
    """The whole page."""
    parts = [_overview(reports)]
    for source, group in groupby(reports, key=lambda report: report["source"]):
        parts.append(f"<h2>{escape(source)}</h2>")
        parts += map(article, group)
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{TITLE}</h1>\n{body}\n</body>\n</html>\n"
    )


def article(report: Mapping[str, Any]) -> str:
    """One entry: its figure, the numbers, the verdict and how it came about."""
    name = escape(report["name"])
    picture = picture_path(Path(), report["name"])
    return (
        f'<article id="{name}">\n<h3>{escape(report["title"])} {_verdict(report)}</h3>\n'
        f'<p class="faint">{escape(report["figure"])} · <code>carom reproduce {name} '
        f"--size {report['size']}</code> · {report['seconds']:,.0f} s, {report['date']}"
        f"{' · measures computing times' if report['measures_time'] else ''}</p>\n"
        f'<div class="beside">\n<a href="{picture}"><img src="{picture}" alt="'
        f'{escape(report["compares"])}"></a>\n<div>\n<p>{escape(report["compares"])}</p>\n'
        f"{_numbers(report)}{_statements(report)}<p>{escape(report['why'])}</p>\n"
        f"{_details(report)}</div>\n</div>\n</article>"
    )


def _overview(reports: list[Mapping[str, Any]]) -> str:
    rows = "\n".join(
        f'<tr><td><a href="#{escape(report["name"])}">{escape(report["title"])}</a></td>'
        f"<td>{escape(report['figure'])}</td><td>{_verdict(report)}</td></tr>"
        for report in reports
    )
    return f"<table>\n<tr><th>entry</th><th>figure</th><th>verdict</th></tr>\n{rows}\n</table>"


def _verdict(report: Mapping[str, Any]) -> str:
    verdict = escape(report["verdict"])
    return f'<span class="verdict {verdict}">{verdict}</span>'


def _numbers(report: Mapping[str, Any]) -> str:
    if not report["paper"]:
        return ""
    rows = "\n".join(
        f'<tr><td>{escape(quantity)}</td><td class="number">{published:.5g}</td>'
        f'<td class="number">{_measured(report["measured"][quantity])}</td></tr>'
        for quantity, published in report["paper"].items()
    )
    return f"<table>\n<tr><th></th><th>published</th><th>carom</th></tr>\n{rows}\n</table>\n"


def _measured(measured: Mapping[str, Any]) -> str:
    if measured["value"] is None:
        return "–"
    bound = "< " if measured["at_most"] else ""
    uncertainty = measured["uncertainty"]
    error = " ± ?" if uncertainty is None else f" ± {uncertainty:.1g}" if uncertainty else ""
    sign = "chosen by it" if measured["by_choice"] else SIGNS[measured["judgement"]]
    return f"{bound}{measured['value']:.4g}{error} {sign}"


def _statements(report: Mapping[str, Any]) -> str:
    if not report["statements"]:
        return ""
    items = "\n".join(
        f"<li>{HOLDS[statement['holds']]} {escape(statement['text'])}</li>"
        for statement in report["statements"]
    )
    return f"<ul>\n{items}\n</ul>\n"


def _details(report: Mapping[str, Any]) -> str:
    """What is folded away: parameters, choices, criteria, versions."""
    parameters = ", ".join(f"{name} = {value}" for name, value in report["parameters"].items())
    lines = [f"<p>Parameters: {escape(parameters)}; seed {report['seed']}.</p>"]
    lines += [
        f"<p>Not given in the source: {escape(str(choice['parameter']))} = "
        f"{escape(str(choice['value']))}, {escape(choice['because'])}.</p>"
        for choice in report["chosen"]
    ]
    criteria = "; ".join(report["criteria"])
    lines.append(f"<p>Criteria: {escape(criteria)}.</p>")
    with_what = ", ".join(f"{name} {value}" for name, value in report["versions"].items())
    lines.append(f"<p>{escape(with_what)}</p>")
    return f"<details><summary>how</summary>\n{''.join(lines)}\n</details>\n"
