"""Equations as MathML, which browsers draw by themselves: no script, no font, no network.

Docutils translates LaTeX; Sphinx by itself offers only pictures and a script from elsewhere.
"""

from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError


def mathml(node: nodes.Element, *, as_block: bool) -> str:
    """The formula of a node as MathML; an error that names it if it cannot be translated."""
    formula = node.astext().strip()
    try:
        return str(latex2mathml.tex2mathml(formula, as_block=as_block))
    except Exception as problem:
        raise ExtensionError(f"{node.source}:{node.line}: {formula!r}: {problem}") from problem


def visit_inline(translator: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    translator.body.append(f'<span class="math">{mathml(node, as_block=False)}</span>')
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    number = node.get("number")
    label = f'<span class="eqno">({number})</span>' if number else ""
    anchor = f' id="{escape(node["ids"][0])}"' if node.get("ids") else ""
    translator.body.append(f'<div class="math"{anchor}>{mathml(node, as_block=True)}{label}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the renderer to Sphinx; `html_math_renderer = "mathml"` chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
