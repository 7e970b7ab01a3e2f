"""``index.html``: every figure beside the paper's numbers, readable without a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from carom_studies.report import picture_path
from carom_studies.sources import short_name

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
        parts.append(f"<h2>{escape(short_name(source))}</h2>\n{citation(source)}")
        parts += map(article, group)
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{TITLE}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{TITLE}</h1>\n{body}\n</body>\n</html>\n"
    )


def citation(source: str) -> str:
    """The line below the heading of a source."""
    return f'<p class="faint">{escape(source)}</p>'


def article(report: Mapping[str, Any]) -> str:
    """One entry: the verdict, the figure, the numbers and how they came about."""
    name, title = escape(report["name"]), escape(report["title"])
    picture = picture_path(Path(), report["name"])
    return (
        f'<article id="{name}">\n<h3>{title}</h3>\n<p>{_verdict(report)} {_met(report)}</p>\n'
        f'<div class="beside">\n<a href="{picture}"><img src="{picture}" alt="{title}"></a>\n'
        f"<div>\n<p>{escape(report['compares'])}</p>\n"
        f"{_numbers(report)}{_why_numbers_differ(report)}{_statements(report)}"
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


def _met(report: Mapping[str, Any]) -> str:
    """How much of it came out."""
    judged = [ours["judgement"] for ours in report["measured"].values() if not ours["by_choice"]]
    held = [statement["holds"] for statement in report["statements"]]
    counted = {"numbers": (judged.count("agrees"), judged), "statements": (held.count(True), held)}
    parts = [f"{met} of {len(every)} {what}" for what, (met, every) in counted.items() if every]
    return f"{escape(report['figure'])}: {', '.join(parts)}"


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


def _reasons(report: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is known of why numbers differ, and which of them; reports of old do not tell."""
    reasons: dict[str, list[str]] = {}
    for quantity, ours in report["measured"].items():
        if ours.get("reason"):
            reasons.setdefault(ours["reason"], []).append(quantity)
    return reasons


def _why_numbers_differ(report: Mapping[str, Any]) -> str:
    return "".join(
        f"<p>✗ {escape('; '.join(quantities))}: {escape(reason)}.</p>\n"
        for reason, quantities in _reasons(report).items()
    )


def _statements(report: Mapping[str, Any]) -> str:
    if not report["statements"]:
        return ""
    told = set(_reasons(report))
    items = []
    for statement in report["statements"]:
        reason = statement.get("reason")
        why = f": {reason}" if reason and reason not in told else ""
        told.add(reason)
        items.append(f"<li>{HOLDS[statement['holds']]} {escape(statement['text'] + why)}</li>")
    return "<ul>\n" + "\n".join(items) + "\n</ul>\n"


def _details(report: Mapping[str, Any]) -> str:
    """What is folded away: how to run it, parameters, choices, criteria, versions."""
    timed = "; it measures computing times" if report["measures_time"] else ""
    command = f"carom reproduce {report['name']} --size {report['size']}"
    took = f"{report['seconds']:,.0f} s, {report['date']}{timed}"
    parameters = ", ".join(f"{name} = {value}" for name, value in report["parameters"].items())
    lines = [
        f"<p><code>{escape(command)}</code>: {took}.</p>",
        f"<p>Parameters: {escape(parameters)}; seed {report['seed']}.</p>",
    ]
    lines += [
        f"<p>Not given in the source: {escape(str(choice['parameter']))} = "
        f"{escape(str(choice['value']))}, {escape(choice['because'])}.</p>"
        for choice in report["chosen"]
    ]
    if report["criteria"]:
        lines.append(f"<p>Criteria: {escape('; '.join(report['criteria']))}.</p>")
    with_what = ", ".join(f"{name} {value}" for name, value in report["versions"].items())
    lines.append(f"<p>{escape(with_what)}</p>")
    return f"<details><summary>how</summary>\n{''.join(lines)}\n</details>\n"
