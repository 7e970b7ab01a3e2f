"""Relative links and anchors in Markdown files lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import ROOT, markdown_pages, name_of

CODE = re.compile(r"^(```+|~~~+).*?^\1\s*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*$", re.MULTILINE)
INCLUDED = re.compile(r"^```\{include\} (\S+)", re.MULTILINE)


def links(page: Path) -> list[str]:
    """What a page links to, and the pictures that it shows, but not the web."""
    targets = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    return [target for target in targets if "://" not in target and target[:7] != "mailto:"]


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as code-hosting sites and MyST make them."""
    text = page.read_text(encoding="utf-8")
    included = INCLUDED.search(text)
    if included:
        return anchors(page.parent / included.group(1))
    found: dict[str, int] = {}
    for heading in HEADING.findall(re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
    return found.keys() | {f"{slug}-{n}" for slug, n in found.items() if n}


def broken(page: Path, target: str) -> str | None:
    """What is wrong with a link, if anything."""
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists():
        return f"{target}: no such file"
    if file.is_dir() and page.is_relative_to(ROOT / "docs"):
        return f"{target}: a folder, which is no page of the manual"
    if not file.is_relative_to(ROOT) and page.is_relative_to(ROOT):
        return f"{target}: outside the repository"
    if anchor and (file.suffix != ".md" or anchor not in anchors(file)):
        return f"{target}: no such heading"
    return None


@pytest.mark.parametrize("page", markdown_pages(), ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    problems = [problem for target in links(page) if (problem := broken(page, target))]
    assert not problems, "\n".join(problems)


def test_broken_links_are_found(tmp_path: Path) -> None:
    page, other = tmp_path / "page.md", tmp_path / "other.md"
    other.write_text("# One `two`: three\n\n```\n# no heading\n```\n")
    page.write_text(
        "[a](other.md#one-two-three) ![b](none.png) [c](other.md#no-heading) `[d](code.md)`\n"
        "[e](#here)\n\n# Here\n\n```\n[f](fence.md)\n```\n"
    )
    found = [broken(page, target) for target in links(page)]
    assert found == [
        None,
        "none.png: no such file",
        "other.md#no-heading: no such heading",
        None,
    ]
