"""Runs examples and writes their pages: what they tell, their pictures, what they print, code.

    python docs/example_pages.py                        # all
    python docs/example_pages.py examples/own_law.py    # or some

Pages are not made with the manual, since all examples together take minutes. The title of a page is
written by hand; what else it holds follows from the script, which a test compares. A new page wants
a line in docs/examples/index.md, without which the manual does not build.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from blocks import folded, keep_picture

DOCS = Path(__file__).parent
SCRIPTS = DOCS.parent / "examples"
PAGE = """# {title}

{told}

![{title}](../pictures/examples/{name}.png)

It prints

```text
{printed}```

and is [examples/{name}.py](../../examples/{name}.py):

```{{literalinclude}} ../../examples/{name}.py
:language: python
:start-at: {first}
```
"""
TITLE = re.compile(r"# (.*)\n")
PRINTED = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page_of(script: Path) -> Path:
    """Where the page of an example is."""
    return DOCS / "examples" / f"{script.stem}.md"


def picture_of(script: Path) -> Path:
    """Where the picture of an example is."""
    return DOCS / "pictures" / "examples" / f"{script.stem}.png"


def text_of_page(script: Path, title: str, printed: str) -> str:
    """The page of an example that prints this."""
    source = script.read_text(encoding="utf-8")
    tree = ast.parse(source)
    *told, _ = (ast.get_docstring(tree) or "").split("\n\n")  # last stands how it is called
    first = source.splitlines()[tree.body[1].lineno - 1]
    parts = {"title": title, "told": "\n\n".join(told), "printed": printed, "first": first}
    return PAGE.format(name=script.stem, **parts)


def renew(script: Path) -> None:
    """Run an example and write its page and its picture."""
    page = page_of(script)
    title = script.stem.replace("_", " ").capitalize()
    if page.exists() and (found := TITLE.match(page.read_text(encoding="utf-8"))):
        title = found[1]
    with tempfile.TemporaryDirectory() as folder:
        picture = f"{script.stem}.png"
        done = subprocess.run(
            [sys.executable, script.resolve(), picture],
            cwd=folder,
            env=os.environ | {"MPLBACKEND": "Agg"},
            capture_output=True,
            text=True,
            check=True,
        )
        keep_picture(Path(folder) / picture, picture_of(script))
    printed = "".join(map(folded, done.stdout.splitlines()))
    page.parent.mkdir(exist_ok=True)
    page.write_text(text_of_page(script, title, printed), encoding="utf-8")


def main() -> None:
    """Run those that are named on the command line, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scripts", nargs="*", type=Path, default=sorted(SCRIPTS.glob("*.py")))
    for script in parser.parse_args().scripts:
        print(f"== {script.name}", flush=True)
        renew(script)


if __name__ == "__main__":
    main()
