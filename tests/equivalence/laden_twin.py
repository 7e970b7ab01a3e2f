"""Particles in a flow by brute force: plain, slow, and independent of carom.

The algorithm of section 2.1 of Sigurgeirsson, Stuart & Wan 2001 with nothing to make it fast. Paths
are straight within a step, all pairs are looked at after every event, and at a contact the two are
integrated with (13) and (14) and collide if they then approach.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


class Twin:
    """A periodic system in a flow."""

    def __init__(
        self,
        position: Array,
        velocity: Array,
        radius: Array,
        mass: Array,
        lengths: Array,
        flow: Callable[[Array, float], Array],
        tau: Array,
        dt: float,
        restitution: float = 1.0,
        gravity: Array = 0.0,
    ) -> None:
        self.x, self.v = position.copy(), velocity.copy()
        self.radius, self.mass, self.tau = radius, mass, tau
        self.lengths, self.flow, self.dt = np.asarray(lengths), flow, dt
        self.restitution, self.gravity = restitution, gravity
        self.since = np.zeros(len(self.x))  # when each was integrated last, in this step
        self.steps = 0
        self.false_predictions = 0
        self.collisions: list[tuple[float, int, int]] = []

    def step(self) -> None:
        """Carry out all collisions of a step."""
        self.since[:] = 0.0
        now = 0.0
        while True:
            now, i, j = self._next(now)
            if now >= self.dt:
                break
            self._integrate(i, now)
            self._integrate(j, now)
            self._collide(i, j, now)
        for i in range(len(self.x)):
            self._integrate(i, self.dt)
        self.steps += 1

    def _next(self, now: float) -> tuple[float, int, int]:
        """The next time at which two straight paths touch, and whose."""
        i, j = np.triu_indices(len(self.x), 1)
        at = self.x + (now - self.since)[:, None] * self.v
        far = at[i] - at[j]
        far -= self.lengths * np.rint(far / self.lengths)
        relative = self.v[i] - self.v[j]
        b = (far * relative).sum(axis=1)
        c = (far**2).sum(axis=1) - (self.radius[i] + self.radius[j]) ** 2
        a = (relative**2).sum(axis=1)
        root = b * b - a * c
        meets = (b < 0.0) & ((root > 0.0) | (c <= 0.0))
        wait = np.full(len(i), np.inf)
        deep = np.sqrt(np.maximum(root[meets], 0.0)) - b[meets]
        wait[meets] = np.maximum(c[meets], 0.0) / deep
        k = int(np.argmin(wait))
        return now + wait[k], int(i[k]), int(j[k])

    def _integrate(self, i: int, time: float) -> None:
        """Equations (13) and (14) from the last time on."""
        h = time - self.since[i]
        self.x[i] = self.x[i] + h * self.v[i]
        u = self.flow(self.x[i], self.steps * self.dt + time)
        share = h / self.tau[i]
        self.v[i] = (self.v[i] + share * u + h * self.gravity) / (1.0 + share)
        self.since[i] = time

    def _collide(self, i: int, j: int, time: float) -> None:
        far = self.x[i] - self.x[j]
        far -= self.lengths * np.rint(far / self.lengths)
        normal = far / np.sqrt((far**2).sum())
        approach = -float(normal @ (self.v[i] - self.v[j]))
        if approach <= 0.0:
            self.false_predictions += 1
            return
        reduced = self.mass[i] * self.mass[j] / (self.mass[i] + self.mass[j])
        impulse = (1.0 + self.restitution) * reduced * approach * normal
        self.v[i] = self.v[i] + impulse / self.mass[i]
        self.v[j] = self.v[j] - impulse / self.mass[j]
        self.collisions.append((self.steps * self.dt + time, i, j))
