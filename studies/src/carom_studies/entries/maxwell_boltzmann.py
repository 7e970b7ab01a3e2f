"""Velocities of a single particle over time, against Maxwell's distribution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import kstest, norm

import carom
from carom_studies.drawing import OURS, PUBLISHED, label, legend, panels
from carom_studies.entry import Choice, Entry, Findings, Size, Statement, Tell
from carom_studies.sources import SIGURGEIRSSON_2001

N = 1000
DIMENSION = 2
PACKING_FRACTION = 0.15
SEED = 1
COLLISIONS = {Size.QUICK: 4_000_000, Size.PAPER: 20_000_000}  # "several million"
MELTING = 20 * N  # collisions before anything is looked at
APART = 2 * N  # collisions between two looks: four of the particle's own
LEAST_CHANCE = 0.01  # of so large a distance from the Gaussian, if it is one
BINS = 41


def measure(size: Size, tell: Tell) -> Findings:
    """The velocities of one particle whenever it has collided a few times."""
    particles, box = carom.packings.random(
        N, PACKING_FRACTION, dimension=DIMENSION, temperature=1.0, seed=SEED
    )
    simulation = carom.Simulation(carom.System(particles, box))
    simulation.run(collisions=MELTING, progress=False)
    looks = COLLISIONS[size] // APART
    velocity = np.empty((looks, DIMENSION))
    for k in range(looks):
        simulation.run(collisions=APART, progress=False)
        velocity[k] = simulation.particles.velocity[0]
        if k % 50 == 0:
            tell(k / looks, f"{simulation.counts.collisions:,} collisions")
    width = float(np.sqrt(simulation.temperature))
    # To nine digits: those behind are the C library's, which depend on the processor.
    tests = [
        round(float(kstest(component / width, norm.cdf).pvalue), 9) for component in velocity.T
    ]
    return Findings(
        seed=SEED,
        parameters={"n": N, "collisions": COLLISIONS[size], "between looks": APART},
        data={"velocity": velocity, "width": width, "chance": tests},
        statements=[
            Statement(
                f"the agreement is excellent: no component of the velocity differs from the "
                f"Gaussian with the temperature's width in {looks:,} looks (Kolmogorov–Smirnov, "
                f"chance above {LEAST_CHANCE:g})",
                min(tests) > LEAST_CHANCE,
            )
        ],
        choices=[
            Choice("dimension", DIMENSION, "the distribution of a component does not depend on it"),
            Choice("packing fraction", PACKING_FRACTION, "that of the experiments of section 1.4"),
        ],
    )


def draw(data: Mapping[str, Any]) -> Figure:
    """Dots: the histogram; line: Maxwell's distribution."""
    velocity, width = np.asarray(data["velocity"]), data["width"]
    figure, (axes,) = panels()
    edges = np.linspace(-4.0 * width, 4.0 * width, BINS)
    density, _ = np.histogram(velocity.ravel(), edges, density=True)
    middles = 0.5 * (edges[1:] + edges[:-1])
    fine = np.linspace(edges[0], edges[-1], 300)
    axes.plot(middles, density, "o", color=OURS, markersize=4, label="one particle over time")
    axes.plot(fine, norm.pdf(fine, scale=width), color=PUBLISHED, lw=1.2, label="Maxwell")
    label(axes, "component of the velocity", "density")
    legend(axes)
    return figure


ENTRY = Entry(
    name="maxwell-boltzmann",
    title="Velocity of a single particle",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 6",
    compares="The distribution of a particle's velocity over time with Maxwell's.",
    minutes={Size.QUICK: 0.3, Size.PAPER: 1},
    measure=measure,
    draw=draw,
)
