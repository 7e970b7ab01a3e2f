"""Shows without a window, and a real browser that looks at them."""

from __future__ import annotations

import math
import os
import shutil
from contextlib import ExitStack

import pytest
from shows import PATIENCE, Page

from carom.view.live import LiveStage
from carom.view.server import Server
from carom.view.show import Show

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
REQUIRED = os.environ.get("CAROM_PAGES") == "required"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="session")
def browser():
    """A chromium that draws without a graphics card."""
    if CHROMIUM is None:
        missing = f"none of {', '.join(NAMES)} was found; `make browser` installs one"
        pytest.fail(missing) if REQUIRED else pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@pytest.fixture
def shown():
    """Starts shows beside the test, and ends them."""
    with ExitStack() as stack:

        def start(simulation, *, paused=True, rate=1.0, colour="plain", **own):
            stage = LiveStage(simulation, math.inf, colour, rate, own)
            stage.paused = paused
            show = Show(stage, Server(stage))
            show.stage = stage
            show.play_aside()
            stack.callback(show.stop)
            return show

        yield start


@pytest.fixture
def opened(browser):
    """Opens pages, and finds that none of them has complained."""
    with ExitStack() as stack:
        pages = []

        def open_page(url, width=900, height=400, **options):
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            context.set_default_timeout(1000.0 * PATIENCE)
            stack.callback(context.close)
            pages.append(Page(context.new_page(), url))
            return pages[-1]

        yield open_page
        for page in pages:
            assert page.complaints == []
