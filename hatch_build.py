"""How the README reads on a package index, where links into the repository lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<target>(?!\w+:)[^)\s]+)\)")
CAPTION = r"\n\n\*[^*]+\*(?=\n\n)"  # in italics below it
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>(?!\w+:)[^)\s]+)\)")


def description(readme: str, pictures_at: str | None, pages_at: str | None) -> str:
    """The README with links to where the files of the repository are published.

    As long as they are published nowhere, pictures are left out with their captions, and of links
    there remain the words.
    """
    if pictures_at is None:
        readme = re.sub(f"(?:{PICTURE.pattern}){CAPTION}\n\n", "", readme)
    else:
        readme = PICTURE.sub(rf"![\g<text>]({pictures_at}/\g<target>)", readme)
    return LINK.sub(
        r"\g<text>" if pages_at is None else rf"[\g<text>]({pages_at}/\g<target>)", readme
    )


class IndexDescription(MetadataHookInterface):
    """Gives the README to the package's metadata; the places are settings in pyproject.toml."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": description(
                readme, self.config.get("pictures-at"), self.config.get("pages-at")
            ),
        }
