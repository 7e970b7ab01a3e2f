"""The structure factor, averaged over looks."""

from __future__ import annotations

from typing import Any

from carom.checks import check_positive, check_whole
from carom.observers.averaged import AveragedObserver
from carom.observers.curve import Curve
from carom.particles import Array
from carom.statistics import WaveVectors, box_around, structure_factor, wave_vectors
from carom.types import Plain


class StructureFactor(AveragedObserver):
    """S(k) at ``wave_number``, up to ``longest``, from waves that fit into the box.

    At most ``per_shell`` waves are taken of each shell, which is as wide as the shortest. Errors
    come from blocks of looks. A checkpoint keeps the sums.
    """

    def __init__(self, every: float, longest: float, per_shell: int = 24) -> None:
        super().__init__(every)
        check_positive("StructureFactor: longest", longest)
        check_whole("StructureFactor: per_shell", per_shell, 1)
        self._longest, self._per_shell = float(longest), int(per_shell)
        self._waves: WaveVectors | None = None

    def settings(self) -> Plain:
        """The schedule and which waves."""
        own = {"longest": self._longest, "per_shell": self._per_shell}
        return super().settings() | own

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse what has no box that repeats, and what is sheared."""
        wave_vectors(box_around(simulation), self._longest, self._per_shell)

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Choose the waves."""
        super().begin(simulation, state)
        self._waves = wave_vectors(box_around(simulation), self._longest, self._per_shell)

    def found(self, simulation: Any) -> Array:
        """S now."""
        assert self._waves is not None
        return structure_factor(simulation.particles.position, self._waves)

    @property
    def wave_number(self) -> Array:
        """The mean length of the waves of each shell."""
        if self._waves is None:
            raise ValueError("StructureFactor belongs to no simulation yet.")
        return self._waves.length

    @property
    def structure(self) -> Array:
        """S at each wave number."""
        return self.blocks.mean

    @property
    def error(self) -> Array:
        """Its standard error."""
        return self.blocks.error

    def curve(self) -> Curve:
        """S over k, for ``plotting.measured``."""
        return Curve(self.wave_number, self.structure, self.error, ("k", "S(k)"))
