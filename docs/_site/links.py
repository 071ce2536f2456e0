"""Hook of mkdocs: the architecture as a page of the site, links that leave `docs`, and the ranks of a search."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[2]
_LINK = re.compile(r"(?<=\]\()([^)#\s:]+)(?=[#)])")
_REPOSITORY = {"ARCHITECTURE.md": "architecture.md"}
_BOOST = {
    "tutorial": 1.5,
    "how-to": 3,
    "reference": 2,
    "explanation": 1.5,
    "reference/api": 0.7,
    "walks": 0.5,
    "source-map": 0.3,
}


def on_files(files: Any, config: Any) -> Any:
    """Add ARCHITECTURE.md, with its links as seen from `docs`."""
    text = (ROOT / "ARCHITECTURE.md").read_text().replace("](docs/", "](")
    files.append(File.generated(config, "architecture.md", content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Point links to ARCHITECTURE.md at its page; set what the theme reads from a page's head."""
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    folder = posixpath.dirname(page.file.src_uri)
    page.meta["search"] = {"boost": _BOOST.get(folder, 1)}

    def point(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", folder, match[0]))
        if target in _REPOSITORY:
            return posixpath.relpath(_REPOSITORY[target], folder or ".")
        return match[0]

    return _LINK.sub(point, markdown)
