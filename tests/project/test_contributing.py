"""The law that CONTRIBUTING.md adds can be added as it says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = re.compile(r"^```python\n# (?P<path>\S+\.py)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"`(from carom\.collisions\.\w+ import \w+)`")


def test_the_law_of_the_guide_can_be_added_to_a_copy_of_the_package(tmp_path: Path) -> None:
    """Uncompiled, as the copy would have to be compiled anew."""
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    files = {tmp_path / match["path"]: match["text"] for match in FILE.finditer(guide)}
    law, test = files
    test.parent.mkdir(parents=True)
    for path, text in files.items():
        assert not path.exists(), "the example is in the package; choose another one"
        path.write_text(text, encoding="utf-8")
    [export] = EXPORT.findall(guide)
    for package in (law.parent, law.parents[1]):
        with (package / "__init__.py").open("a") as file:
            file.write(f"\n{export}\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(test)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout
