"""Pages of the documentation whose examples need a server: the tests of that server run them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

PAGES = Path(__file__).parents[1] / "docs"
_BLOCK = re.compile(r"^<!-- not run: .*?; (tests/\w+) runs it -->\n+```py\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_page(page: str, tests: str, replaced: Mapping[str, str]) -> dict[str, object]:
    """Run the blocks of a page that the folder ``tests`` runs, one after another; return the names that they define.

    ``replaced`` has the servers' names on the page and their real ones.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    text = (PAGES / page).read_text()
    blocks = [match for match in _BLOCK.finditer(text) if match[1] == tests]
    assert blocks, f"{page} has no example for {tests}"
    for match in blocks:
        code = match[2]
        for name, real in replaced.items():
            code = code.replace(name, real)
        exec(compile("\n" * text.count("\n", 0, match.start(2)) + code, page, "exec"), names)
    return names
