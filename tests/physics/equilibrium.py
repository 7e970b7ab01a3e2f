"""Simulations in equilibrium, and their averages over blocks of time."""

from __future__ import annotations

from block_average import mean_and_error

import carom

# A true value lies farther away than this many standard errors once in 16,000 times.
SIGMAS = 4.0
BLOCKS = 50  # the standard error itself is then known to 10 %


def settled(particles, box, method=None, collisions_each=100):
    """A simulation that has forgotten the places it started from."""
    simulation = carom.Simulation(carom.System(particles, box), method=method)
    simulation.run(collisions=collisions_each * len(particles) // 2)
    return simulation


def block_averages(simulation, duration, *names):
    """The mean over blocks of equal duration and its standard error, for each named property."""
    values = {name: [] for name in names}
    for _ in range(BLOCKS):
        simulation.reset_averages()
        simulation.run(duration=duration / BLOCKS)
        for name, column in values.items():
            column.append(getattr(simulation, name))
    return [mean_and_error(column) for column in values.values()]
