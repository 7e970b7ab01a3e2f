"""The Markdown pages of the repository, and the program that runs their blocks."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
NOT_OURS = {".venv", "out", "site", "dist"}


def markdown_pages() -> list[Path]:
    """All Markdown files of the repository."""
    pages = (path.relative_to(ROOT) for path in ROOT.rglob("*.md"))
    ours = (p for p in pages if not (NOT_OURS & set(p.parts) or p.parts[0].startswith(".")))
    return [ROOT / page for page in sorted(ours)]


def block_runner() -> ModuleType:
    """The module docs/blocks.py, which is a program and in no package."""
    spec = importlib.util.spec_from_file_location("blocks", ROOT / "docs" / "blocks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name_of(page: Path) -> str:
    """A page's path, as tests show it."""
    return str(page.relative_to(ROOT))
