"""Pages of a real browser, and simulations to show."""

from __future__ import annotations

import base64
import time

import numpy as np

import carom

PATIENCE = 300.0  # seconds, on a machine that is busy

PIXELS = """() => { const { gl } = carom.drawing; carom.draw();
  const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  const data = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  const text = Array.from(data, (each) => String.fromCharCode(each)).join("");
  return { width, height, data: btoa(text) };
}"""


def until(true, patience=PATIENCE):
    """Wait until something is true; what a run needs may have to be compiled first."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.03)


class Page:
    """A page of the browser, and what it has complained of."""

    def __init__(self, page, url):
        self.page, self.url = page, url
        self.complaints, self.asked = [], []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))
        page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type == "error" else None,
        )
        page.goto(url)
        until(lambda: self.of("globalThis.carom?.state.rows ? 1 : 0"))

    def of(self, expression):
        """What an expression is on the page."""
        return self.page.evaluate(expression)

    def pixels(self):
        """The picture: rows from below, fractions of red, green and blue."""
        seen = self.of(PIXELS)
        raw = np.frombuffer(base64.b64decode(seen["data"]), dtype=np.uint8)
        return raw.reshape(seen["height"], seen["width"], 4)[..., :3] / 255.0


def still(positions, radii, domain, velocities=None, **options):
    """A simulation of particles that stay, or not."""
    position = np.asarray(positions, dtype=float)
    velocity = np.zeros_like(position) if velocities is None else velocities
    particles = carom.Particles(position, velocity, radius=radii)
    return carom.Simulation(carom.System(particles, domain, **options))
