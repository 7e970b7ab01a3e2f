"""Films in the cell of a notebook, in a real browser: they play, and show the right pixels."""

from __future__ import annotations

import pytest
from shows import PATIENCE, until

import carom
from carom.plotting import Look, film

FRAME = """async (share) => {
  const video = document.querySelector("video");
  video.pause();
  const sought = new Promise((done) => { video.onseeked = done; });
  video.currentTime = share * video.duration;
  await sought;
  const canvas = Object.assign(document.createElement("canvas"),
    { width: video.videoWidth, height: video.videoHeight });
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let [x, number] = [0, 0];
  for (let k = 0; k < data.length; k += 4)
    if (data[k] > 150 && data[k + 1] < 110 && data[k + 2] < 60) {
      x += (k / 4) % canvas.width; number += 1;
    }
  return { x: x / number, number, width: canvas.width, duration: video.duration,
           corner: [...data.slice(0, 3)] };
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("suffix", ["mp4", "webm"])
def test_a_film_plays_and_shows_the_particle_where_it_is(browser, tmp_path, suffix, theme):
    """An orange disk that goes from one side of the box to the other."""
    disk = [carom.Particles([[1.0 + 0.2 * k, 2.0]], radius=0.5) for k in range(11)]
    box = carom.System(disk[0], carom.Periodic(4.0))
    looks = [Look(box, float(k), particles) for k, particles in enumerate(disk)]
    groups = {"blue": slice(0, 0), "yellow": slice(0, 0), "green": slice(0, 0), "red": slice(0, 1)}
    made = film(
        tmp_path / f"f.{suffix}",
        looks,
        colour="group",
        groups=groups,
        theme=theme,
        frames_per_second=10,
    )
    page = browser.new_page()
    page.set_default_timeout(1000.0 * PATIENCE)
    page.set_content(f"<body style='margin:0'>{made._repr_html_()}</body>")
    page.wait_for_function("document.querySelector('video').readyState >= 3")
    assert page.evaluate("document.querySelector('video').error") is None
    first = page.evaluate(FRAME, 0.02)
    # A browser that is busy says that it has sought before it shows what it has found.
    found = []
    until(lambda: found.append(page.evaluate(FRAME, 0.97)) or found[-1]["x"] > first["x"] + 1.0)
    last = found[-1]
    assert first["duration"] == pytest.approx(1.1, abs=0.05)
    # The disk fills π/64 of the box, whose side is some 0.8 of the picture, and goes half of it.
    side = (last["x"] - first["x"]) / 0.5
    assert 0.7 * first["width"] < side < 0.95 * first["width"]
    assert first["number"] == pytest.approx(3.14159 / 64.0 * side**2, rel=0.15)
    assert max(first["corner"]) < 40 if theme == "dark" else min(first["corner"]) > 240
    page.close()
