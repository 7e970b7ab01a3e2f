"""Meshes in files, read by ``trimesh``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def read_triangles(path: Path) -> tuple[Any, Any]:
    """The vertices (v, 3) and triangles (t, 3) of a file: STL, OBJ, PLY and others."""
    try:
        import trimesh
    except ImportError as error:
        raise ImportError(
            f'{path} is read by trimesh, which is not installed: pip install "carom[meshes]".'
        ) from error
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path} with a mesh.")
    try:
        # As it stands in the file: carom joins vertices and says what it leaves out.
        found = trimesh.load(path, force="mesh", process=False)
        vertices, triangles = np.asarray(found.vertices), np.asarray(found.faces)
    except Exception as error:  # whatever a damaged file makes of its reader
        raise ValueError(f"{path} cannot be read as a mesh: {error}.") from error
    if len(triangles) == 0:
        raise ValueError(f"{path} has no triangles.")
    return vertices.astype(np.float64), triangles.astype(np.int64)
