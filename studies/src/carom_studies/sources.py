"""What is reproduced: the papers and lectures."""

from __future__ import annotations

from typing import NamedTuple


class Source(NamedTuple):
    """A paper or a lecture; the order is that in which they are listed."""

    order: int
    short: str
    full: str


BANNERMAN_2014 = Source(
    0,
    "Bannerman et al. 2014",
    "M. N. Bannerman, S. Strobl, A. Formella, T. Pöschel, Stable algorithm for event detection in "
    "event-driven particle dynamics, Comput. Part. Mech. 1, 191 (2014)",
)
LECTURE_03 = Source(
    1,
    "DEM lecture 03",
    "DEM Modeling, Lecture 03: The Hard-Particle Algorithm, with results of W. R. Ketterhagen, "
    "J. S. Curtis, C. R. Wassgren, Phys. Rev. E 71, 061307 (2005)",
)
MUTH_2007 = Source(
    2,
    "Muth et al. 2007",
    "B. Muth, M.-K. Müller, P. Eberhard, S. Luding, Collision detection and administration methods "
    "for many particles with different sizes (2007)",
)
EVENT_DRIVEN_COLLISIONS = Source(
    3, "Event driven collisions", "Event Driven Collisions: the simple algorithm for disks in a box"
)
SIGURGEIRSSON_2001 = Source(
    4,
    "Sigurgeirsson et al. 2001",
    "H. Sigurgeirsson, A. Stuart, W.-L. Wan, Algorithms for particle-field simulations with "
    "collisions, J. Comput. Phys. 172, 766 (2001)",
)
SOURCES = (BANNERMAN_2014, LECTURE_03, MUTH_2007, EVENT_DRIVEN_COLLISIONS, SIGURGEIRSSON_2001)


def short_name(full: str) -> str:
    """How a source is called for short, of the citation that reports have."""
    return next(source.short for source in SOURCES if source.full == full)
