"""Docstrings of carom as the reference shows them."""

import re
from typing import Any

from sphinx.application import Sphinx

LITERAL = re.compile(r"(``.*?``)")
# What a simulation calls, and a user does not.
HOOKS = ("check", "check_box", "engine")
ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")


def as_formulas(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, lines: list[str]
) -> None:
    """Let |x| and ``speed``² be what they look like.

    reStructuredText takes bars for a substitution, and no code that touches other characters.
    """
    for k, line in enumerate(lines):
        parts = LITERAL.split(line)
        for j in range(0, len(parts), 2):
            text = parts[j].replace("|", "\\|")
            after_code = j > 0 and text[:1].strip()
            before_code = j < len(parts) - 1 and text[-1:].strip()
            parts[j] = ("\\ " if after_code else "") + text + ("\\ " if before_code else "")
        lines[k] = "".join(parts)


def without_hooks(
    app: Sphinx, kind: str, name: str, thing: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out the fields of named tuples, whose only docstring is their number, and hooks."""
    automatic = (getattr(thing, "__doc__", None) or "").startswith("Alias for field number")
    return True if automatic or name.rpartition(".")[2] in HOOKS else None


def with_plain_aliases(
    app: Sphinx, kind: str, name: str, thing: Any, options: Any, given: str, returned: str
) -> tuple[str | None, str | None]:
    """Aliases in unions by their names; Sphinx prints what stands for them."""
    plain = [ALIAS.sub(r"\1", text) if text else text for text in (given, returned)]
    return plain[0], plain[1]


def setup(app: Sphinx) -> dict[str, Any]:
    """Let them see every docstring and signature."""
    app.connect("autodoc-process-docstring", as_formulas)
    app.connect("autodoc-process-signature", with_plain_aliases)
    app.connect("autodoc-skip-member", without_hooks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
