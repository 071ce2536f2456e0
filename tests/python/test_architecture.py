"""References in the documents exist: files, folders, and the functions and types that are said to be in them.

A reference is text in backticks that looks like a path, followed by `::name` for a function or type. Paths may leave
out `crates/engine/src`; outside ARCHITECTURE.md, `docs/walks` and `docs/source-map` a bare file name may stand for any
file of that name.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "crates/engine/src"
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
WALKS = sorted((ROOT / "docs/walks").glob("*.md"))
SOURCE_MAP = sorted((ROOT / "docs/source-map").glob("*.md"))
STRICT = {ARCHITECTURE, *WALKS, *SOURCE_MAP}
DOCUMENTS = [ARCHITECTURE, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_REFERENCE = re.compile(r"`([\w.-]+(?:/[\w.-]+)*/?)(?:::(\w+))?`")
_SUFFIXES = (".rs", ".py", ".pyi", ".md", ".toml", ".txt", ".out", ".sh", "/")


def references(document: Path) -> list[tuple[str, str | None]]:
    """The paths in `document`, each with the name after `::` if there is one."""
    found = []
    for match in _REFERENCE.finditer(_FENCE.sub("", document.read_text())):
        path, name = match.groups()
        # `WALs/` alone is a folder of a database, not of the project.
        if name or (path.endswith(_SUFFIXES) and path.find("/") != len(path) - 1):
            found.append((path, name))
    return found


def tracked() -> list[str]:
    """All files of the project, without generated ones."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        return listed.stdout.splitlines()
    return [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]


def resolve(path: str, files: list[str], *, is_strict: bool) -> Path | None:
    """Resolve `path` to a file or folder."""
    for base in (ROOT, ENGINE):
        if (base / path).exists():
            return base / path
    if is_strict or "/" in path:
        return None
    return next((ROOT / file for file in files if file.endswith(f"/{path}")), None)


def defines(file: Path, name: str) -> bool:
    """Whether `file` defines a function, type or constant of that name."""
    if file.suffix == ".py":
        pattern = rf"\b(?:def|class) {name}\b|^{name}(?::[^=\n]+)? = "
    else:
        pattern = rf"\b(?:fn|struct|enum|trait|const|static|type) {name}\b"
    return re.search(pattern, file.read_text(), re.MULTILINE) is not None


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_everything_named_exists(document: Path) -> None:
    files = tracked()
    missing = []
    for path, name in references(document):
        target = resolve(path, files, is_strict=document in STRICT)
        if target is None:
            missing.append(path)
        elif name and not defines(target, name):
            missing.append(f"{path}::{name}")
    assert not missing, f"{document.name} names what is not there: {missing}"


def test_a_put_and_a_scan_pass_through_every_layer() -> None:
    text = ARCHITECTURE.read_text()
    layers = ("db/", "region/", "store/", "scan/", "hfile/", "wal/", "memstore/", "cache/", "search/")
    assert all(f"`{layer}" in text for layer in layers)
    assert len(references(ARCHITECTURE)) > 60
    assert len(text.splitlines()) <= 250, "other walks belong to docs/walks"


def test_the_overview_links_every_walk() -> None:
    overview = (ROOT / "docs/walks/README.md").read_text()
    missing = [page.name for page in WALKS if page.name != "README.md" and f"({page.name})" not in overview]
    assert not missing
