"""Tables of laws by pair as kernels hold them.

Laws of one type stand side by side, so that each type is compiled once; a table of species leads to
their numbers. The last row and column of it are for walls.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numba
import numpy as np

from carom.collisions.by_pair import ByPair
from carom.collisions.restitution import Contact, restitution
from carom.collisions.rough import tangential_restitution
from carom.collisions.walls import law_at_wall
from carom.compiled.components import is_component_type
from carom.compiled.dispatch import dispatch_on
from carom.compiled.kernels import kernel


class NoLaws(NamedTuple):
    """The end of a row of laws."""


class Laws(NamedTuple):
    """Laws of one type, which are the first numbers, and then all others."""

    alike: Any  # a tuple of them
    others: Any  # Laws or NoLaws


class LawsByPair(NamedTuple):
    """Laws, and which of them is that of two species."""

    laws: Any
    which: Any  # (species + 1, species + 1)

    def check(self) -> None:
        """Each of the laws was checked when its table was made."""


class AtWallByPair(NamedTuple):
    """The same at a wall that has a coefficient of its own."""

    table: Any
    coefficient: float


class AlongNormal(NamedTuple):
    """Asks for the coefficient of restitution."""


class AlongSurface(NamedTuple):
    """Asks for the coefficient along the surfaces."""


class AlongWallNormal(NamedTuple):
    """Asks for the coefficient of restitution at a wall that has one of its own."""

    coefficient: float


def compiled_law(law: Any, names: tuple[str, ...]) -> Any:
    """A law as kernels take it, where the species have these names by number.

    Tables are numbered, also those inside other laws; all else stays as it is.
    """
    if isinstance(law, ByPair):
        return _numbered(law, names)
    if not is_component_type(type(law)):
        return law
    parts = [compiled_law(part, names) for part in law]
    unchanged = all(old is new for old, new in zip(law, parts, strict=True))
    return law if unchanged else law._make(parts)


def _numbered(table: ByPair, names: tuple[str, ...]) -> LawsByPair:
    laws = list(table.laws)
    rows: dict[Any, list[Any]] = {}
    for law in laws:
        rows.setdefault((type(law), numba.typeof(law)), []).append(law)
    ordered = [law for row in rows.values() for law in row]
    chain: Any = NoLaws()
    for row in reversed(rows.values()):
        chain = Laws(tuple(row), chain)
    number = {id(law): k for k, law in enumerate(ordered)}
    # Pairs that never meet have no law, and whichever number.
    which = np.zeros((len(names) + 1, len(names) + 1), dtype=np.int64)
    for a, one in enumerate(names):
        which[a, -1] = which[-1, a] = number.get(id(table.at_wall(one)), 0)
        for b, other in enumerate(names):
            which[a, b] = number.get(id(table.between(one, other)), 0)
    return LawsByPair(chain, which)


@dispatch_on("question")
def answer(question: Any, contact: Contact, law: Any) -> float:
    """What one law says of a contact."""


@answer.register(AlongNormal)
@kernel
def _(question: AlongNormal, contact: Contact, law: Any) -> float:
    return restitution(contact, law)


@answer.register(AlongSurface)
@kernel
def _(question: AlongSurface, contact: Contact, law: Any) -> float:
    return tangential_restitution(contact, law)


@answer.register(AlongWallNormal)
@kernel
def _(question: AlongWallNormal, contact: Contact, law: Any) -> float:
    return restitution(contact, law_at_wall(law, question.coefficient))


@dispatch_on("laws")
def answer_of_one(laws: Any, question: Any, contact: Contact, number: int) -> float:
    """What the law of a number says of a contact."""


@answer_of_one.register(Laws)
@kernel
def _(laws: Laws, question: Any, contact: Contact, number: int) -> float:
    if number < len(laws.alike):
        return answer(question, contact, laws.alike[number])
    return answer_of_one(laws.others, question, contact, number - len(laws.alike))


@answer_of_one.register(NoLaws)
@kernel
def _(laws: NoLaws, question: Any, contact: Contact, number: int) -> float:
    return math.nan


@kernel
def _answer_of_pair(table: LawsByPair, question: Any, contact: Contact) -> float:
    partner = contact.partner_species
    if partner < 0:
        partner = len(table.which) - 1
    number = table.which[contact.species, partner]
    return answer_of_one(table.laws, question, contact, number)


@restitution.register(LawsByPair)
@kernel
def _(contact: Contact, law: LawsByPair) -> float:
    return _answer_of_pair(law, AlongNormal(), contact)


@tangential_restitution.register(LawsByPair)
@kernel
def _(contact: Contact, law: LawsByPair) -> float:
    return _answer_of_pair(law, AlongSurface(), contact)


@law_at_wall.register(LawsByPair)
@kernel
def _(law: LawsByPair, coefficient: float) -> AtWallByPair:
    return AtWallByPair(law, coefficient)


@restitution.register(AtWallByPair)
@kernel
def _(contact: Contact, law: AtWallByPair) -> float:
    return _answer_of_pair(law.table, AlongWallNormal(law.coefficient), contact)
