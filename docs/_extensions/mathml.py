"""Equations as MathML, which browsers draw by themselves: no script, nothing from elsewhere.

Docutils translates LaTeX; Sphinx by itself offers only pictures and a script from a server. How
wide roots and how high brackets are is told by a font for mathematics. Not every computer has one,
so that of the package ziamath (STIX Two Math) goes with the pages, as far as it is needed. It
stands in the style sheet itself, since browsers refuse other fonts of pages that are opened as
files.
"""

from base64 import b64encode
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import ziamath
from docutils import nodes
from docutils.utils.math import latex2mathml
from fontTools import subset
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

FONT = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
STYLE_SHEET = "mathml.css"
# Latin and Greek, upright, bold and italic; punctuation, arrows, operators, brackets.
CHARACTERS = (
    *((0x20, 0x7E), (0xA0, 0xFF), (0x391, 0x3F6), (0x2010, 0x2044), (0x2190, 0x21FF)),
    *((0x2200, 0x22FF), (0x2308, 0x230B), (0x239B, 0x23B5), (0x27E6, 0x27EF)),
    *((0x1D400, 0x1D49B), (0x1D5A0, 0x1D5D3), (0x1D6A8, 0x1D755)),
)


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


def style_sheet() -> str:
    """A style sheet with the part of the font that formulas need."""
    options = subset.Options()
    options.layout_features, options.hinting = ["*"], False
    font = subset.load_font(str(FONT), options)
    wanted = subset.Subsetter(options)
    wanted.populate(unicodes=[c for first, last in CHARACTERS for c in range(first, last + 1)])
    wanted.subset(font)
    font.flavor = "woff"
    file = BytesIO()
    font.save(file)
    data = b64encode(file.getvalue()).decode()
    return (
        '@font-face { font-family: "Formulas"; font-display: block; src: '
        f"url(data:font/woff;base64,{data}) format('woff'); }}\n"
        'math { font-family: "Formulas", math; }\n'
    )


def put_style_sheet(app: Sphinx) -> None:
    """Make the style sheet, unless an earlier build has, where Sphinx finds it."""
    folder = Path(app.doctreedir) / "mathml"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / STYLE_SHEET).exists():
        (folder / STYLE_SHEET).write_text(style_sheet(), encoding="utf-8")
    app.config.html_static_path.append(str(folder))


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the renderer to Sphinx; `html_math_renderer = "mathml"` chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.add_css_file(STYLE_SHEET)
    app.connect("builder-inited", put_style_sheet)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
