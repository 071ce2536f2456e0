"""The crawled web: the installed standard library of Python (real data).

Each module is a page, ``json.decoder`` is ``http://decoder.json.python.org/``. Its source is the page's contents, each
import a link. Hosts of one package share a domain, like those of one owner on the web.
"""

from __future__ import annotations

import ast
import sysconfig
from dataclasses import dataclass
from pathlib import Path

DOMAIN = "python.org"


@dataclass(frozen=True)
class Page:
    """A page as a crawler finds it: host, text, and (host, link text) of each link."""

    host: str
    text: bytes
    links: tuple[tuple[str, str], ...]


def host_of(module: str) -> str:
    """The host of a module: its name turned round, as ``decoder.json`` of ``json.decoder``."""
    return ".".join([*reversed(module.split(".")), DOMAIN])


def pages(most: int) -> list[Page]:
    """The first ``most`` modules by name that can be read, with links among them."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    found: dict[str, tuple[bytes, ast.Module]] = {}
    for path in sorted(folder.rglob("*.py")):
        if len(found) == most:
            break
        parts = path.relative_to(folder).with_suffix("").parts
        if {"site-packages", "test", "tests", "idlelib", "lib2to3", "__pycache__"} & set(parts):
            continue
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name.replace(".", "").replace("_", "").isalnum():
            data = path.read_bytes()
            try:
                found[name.lower()] = data, ast.parse(data)
            except (SyntaxError, ValueError):
                continue
    return [Page(host_of(name), data, _links(tree, found)) for name, (data, tree) in found.items()]


def _links(tree: ast.Module, known: dict[str, object]) -> tuple[tuple[str, str], ...]:
    links = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, alias.asname or alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [(node.module, ", ".join(alias.name for alias in node.names[:3]))]
        else:
            continue
        links.update({host_of(name.lower()): said for name, said in names if name.lower() in known})
    return tuple(sorted(links.items()))
