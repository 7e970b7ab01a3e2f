"""How Sphinx builds the manual: `make docs`, or `python -m sphinx -W docs site`."""

import os
import sys
from pathlib import Path

# Kernels stay plain functions, whose signatures and docstrings the reference shows.
os.environ["NUMBA_DISABLE_JIT"] = "1"
sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import carom

project = "carom"
author = "The carom authors"
copyright = author
version = release = carom.__version__

extensions = [
    *("myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"),
    *("cards", "docstrings", "mathml", "notebooks", "reproductions", "tables"),
]
exclude_patterns = ["_extensions"]
root_doc = "index"

myst_enable_extensions = ["colon_fence", "dollarmath", "html_image"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = f"carom {release}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
# Python blocks run in the tests; other fences (console, output) are not Python.
highlight_language = "none"
pygments_style = "tango"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
# Names of types as they stand in the sources, not what they are made of.
autodoc_type_aliases = {
    name: name
    for name in (
        "Array",
        "ArrayLike",
        "Domain",
        "Log",
        "MakeSystem",
        "Method",
        "Species",
        "Spectrum",
        "VelocityAt",
    )
}
