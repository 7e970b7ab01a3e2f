"""Pages in a real browser: what a reader would miss in them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
REQUIRED = os.environ.get("CAROM_PAGES") == "required"
MISSING = f"none of {', '.join(NAMES)} was found; `make browser` installs one"
in_browser = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason=MISSING)
WIDTHS = (1280, 500)  # a desk, and as narrow as the browser's own window can be
# The page tells what is wrong with it in its title, which the browser prints.
QUESTION = """<script>addEventListener("load", () => {
  const pictures = [...document.images].filter((image) => image.loading !== "lazy");
  const formulas = [...document.querySelectorAll("math")];
  document.title = JSON.stringify({
    broken: pictures.filter((image) => !image.naturalWidth).map((image) => image.src),
    pictures: pictures.length,
    formulas: formulas.length,
    flat: formulas.filter((each) => !each.getBoundingClientRect().height).length,
    columns: new Set([...document.querySelectorAll(".sd-card")].map(
      (card) => Math.round(card.getBoundingClientRect().left))).size,
    beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  });
});</script>"""


def seen(page: Path, width: int) -> dict[str, Any]:
    """What the browser makes of a page in a window of this width."""
    if CHROMIUM is None:
        pytest.fail(MISSING)
    asking = page.with_name(f"asking-{width}-{page.name}")
    asking.write_text(page.read_text(encoding="utf-8") + QUESTION, encoding="utf-8")
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=10000",
            f"--user-data-dir={page.parent / f'browser-{width}'}",
            f"--window-size={width},1000",
            "--dump-dom",
            asking.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=600,
    )
    title = re.search(r"<title>(\{.*?\})</title>", done.stdout)
    assert title, done.stdout[:500] + done.stderr[-500:]
    return dict(json.loads(unescape(title[1])))
