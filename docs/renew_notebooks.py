"""Run notebooks of examples/notebooks anew and store what they show: all, or those that are named.

python docs/renew_notebooks.py [billiards ...]
"""

import sys
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
COLOURS = 48  # of a stored picture: a fifth of the bytes, and the eye sees no difference
WIDEST = 620  # pixels of a stored picture: what a page has room for, in a small file


def executed(path: Path) -> Any:
    """The notebook with the outputs of a new kernel, which works in a folder of its own."""
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        # When a cell ran is nothing to store.
        NotebookClient(
            notebook, kernel_name="python3", record_timing=False, resources=resources
        ).execute()
    notebook.metadata["language_info"] = {"name": "python"}  # without the version that ran it
    return notebook


def with_few_colours(png: str) -> str:
    """A picture, as notebooks hold it, in fewer bytes."""
    picture = Image.open(BytesIO(b64decode(png))).convert("RGB")
    picture.thumbnail((WIDEST, WIDEST), Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return b64encode(file.getvalue()).decode()


def renew(path: Path) -> None:
    """Run a notebook and store it."""
    notebook = executed(path)
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                data["image/png"] = with_few_colours(data["image/png"])
    nbformat.write(notebook, path)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.ipynb")):
        renew(FOLDER / f"{name}.ipynb")
