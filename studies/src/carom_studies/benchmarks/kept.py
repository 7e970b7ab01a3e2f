"""Results of benchmarks that are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


class Kept:
    """Results by name in a JSON file, written after each; what is there is not measured again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def result(self, name: str, measure: Callable[[], Any]) -> Any:
        """The result of this name, measured if it is missing."""
        if name not in self.results:
            self.results[name] = measure()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.results, indent=1))
        return self.results[name]
