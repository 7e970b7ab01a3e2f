"""A law for each pair of species."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from carom.collisions.restitution import check_law
from carom.compiled.components import in_floats, is_component_type
from carom.species import WALL
from carom.spelling import suggestion

EXAMPLE = 'carom.ByPair({("steel", "glass"): carom.ConstantRestitution(0.8), ...})'


class ByPair:
    """The law of a table for each pair of species; ``otherwise`` is that of all other pairs.

    ``carom.ByPair({("steel", "steel"): ..., ("steel", "glass"): ..., ("glass", "glass"): ...})``:
    keys are pairs of names of ``Particles(species=...)``, in either order, and values laws of any
    kind. At a wall that has no restitution of its own, a particle collides by ``("steel",
    "wall")``, and where the table has no such pair as with one of its own species. A pair that can
    meet and has no law is refused when the ``System`` is made.
    """

    __slots__ = ("_table", "otherwise")

    _table: dict[tuple[str, str], Any]
    otherwise: Any

    def __init__(self, table: Mapping[tuple[str, str], Any], otherwise: Any = None) -> None:
        if not isinstance(table, Mapping):
            raise TypeError(f"ByPair takes a table, {EXAMPLE}, not {table!r}.")
        if len(table) == 0 and otherwise is None:
            raise ValueError(f"ByPair holds no law; give some, {EXAMPLE}.")
        laws: dict[tuple[str, str], Any] = {}
        for pair, law in table.items():
            key = _ordered(pair)
            if key in laws:
                raise ValueError(f"ByPair: the pair {_spelled(key)} has two laws.")
            laws[key] = _checked(_spelled(key), law)
        if otherwise is not None:
            otherwise = _checked("otherwise", otherwise)
        # In one order, whoever wrote it: checkpoints compare what they find.
        object.__setattr__(self, "_table", dict(sorted(laws.items())))
        object.__setattr__(self, "otherwise", otherwise)

    @property
    def table(self) -> Mapping[tuple[str, str], Any]:
        """The laws by pair, in the order of the alphabet."""
        return MappingProxyType(self._table)

    @property
    def laws(self) -> Iterator[Any]:
        """All laws in it."""
        yield from self._table.values()
        if self.otherwise is not None:
            yield self.otherwise

    def between(self, one: str, other: str) -> Any:
        """The law of two species, or None if there is none."""
        return self._table.get(_key(one, other), self.otherwise)

    def at_wall(self, name: str) -> Any:
        """The law of a species at walls, or None if there is none."""
        return self._table.get(_key(name, WALL), self.between(name, name))

    def refuse_other_names(self, names: Sequence[str]) -> None:
        """Refuse pairs of species that there are not."""
        for pair in self._table:
            for name in pair:
                if name not in (*names, WALL):
                    raise ValueError(
                        f"law: ByPair has a law for {_spelled(pair)}, but no particle is of the "
                        f"species {name!r}{suggestion(name, names)}"
                    )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a ByPair stays as it is; make a new one.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByPair):
            return NotImplemented
        return self._table == other._table and self.otherwise == other.otherwise

    def __hash__(self) -> int:
        return hash((frozenset(self._table.items()), self.otherwise))

    def __reduce__(self) -> Any:
        return ByPair, (self._table, self.otherwise)

    def __repr__(self) -> str:
        last = "" if self.otherwise is None else f", otherwise={self.otherwise!r}"
        return f"ByPair({self._table!r}{last})"


def tables_in(law: Any) -> Iterator[ByPair]:
    """The tables in a law: itself, or those inside it."""
    if isinstance(law, ByPair):
        yield law
    elif is_component_type(type(law)):
        for part in law:
            yield from tables_in(part)


def _key(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)


def _ordered(pair: Any) -> tuple[str, str]:
    is_pair = isinstance(pair, tuple) and len(pair) == 2
    if not (is_pair and all(isinstance(name, str) for name in pair)):
        raise ValueError(f"ByPair: a key is a pair of species, ('steel', 'glass'), not {pair!r}.")
    if pair == (WALL, WALL):
        raise ValueError("ByPair: walls do not collide with each other.")
    return _key(*pair)


def _checked(where: str, law: Any) -> Any:
    if isinstance(law, ByPair):
        raise ValueError(f"ByPair: the law for {where} is a table itself; write one table.")
    try:
        check_law(law)
    except (TypeError, ValueError) as error:
        raise type(error)(f"ByPair, for {where}: {error}") from error
    return in_floats(law)


def _spelled(pair: tuple[str, str]) -> str:
    return f"({pair[0]!r}, {pair[1]!r})"
