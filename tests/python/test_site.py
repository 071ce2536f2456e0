"""The documentation site: its pages, links, anchors and code blocks, without building it."""

from __future__ import annotations

import importlib
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import rowstone
from rowstone import admin
from tests.python.structure import ROOT, name_of

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
LINKING = [*PAGES, *sorted(ROOT.glob("*.md")), ROOT / "examples/README.md", ROOT / "tests/README.md"]
QUESTIONS = (
    "reading",
    "writing",
    "versions-and-deletes",
    "changing-tables",
    "loading",
    "serving",
    "troubleshooting",
    "testing",
)
GENERATED = "architecture.md"
"""The page that `docs/_site/links.py` makes of ARCHITECTURE.md."""
RUN = {"python", "pycon"}
SHOWN = {"", "sh", "console", "text", "ruby", "toml", "yaml", "json", "xml", "java", "go"}
_FENCE = re.compile(r"^```(\w*)[^\n]*\n.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_OBJECT = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)


@cache
def configuration() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    return loaded


def nav_pages(entries: list[Any]) -> Iterator[str]:
    """The pages of a part of the navigation, in order."""
    for entry in entries:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        if isinstance(value, str):
            yield value
        else:
            yield from nav_pages(value)


@cache
def prose(page: Path) -> str:
    return _FENCE.sub("", page.read_text())


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings, as Python-Markdown and GitHub make them."""
    found: set[str] = set()
    for heading in _HEADING.findall(prose(page)):
        shown = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        plain = unicodedata.normalize("NFKD", shown).encode("ascii", "ignore").decode()
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return frozenset(found)


def test_every_page_is_in_the_navigation_once() -> None:
    listed = list(nav_pages(configuration()["nav"]))
    assert len(listed) == len(set(listed))
    assert sorted(listed) == sorted([GENERATED, *(str(page.relative_to(DOCS)) for page in PAGES)])


@pytest.mark.parametrize("section", ["how-to", "reference", "reference/api", "explanation"])
def test_the_first_page_of_a_section_links_the_others(section: str) -> None:
    """So every page is two clicks from the home page."""
    linked = {
        (DOCS / section / link.partition("#")[0]).resolve()
        for link in _LINK.findall(prose(DOCS / section / "index.md"))
    }
    pages = [page for page in (DOCS / section).rglob("*.md") if page.name != "index.md" and page.stem not in QUESTIONS]
    assert [name_of(page) for page in pages if page.resolve() not in linked] == []


@pytest.mark.parametrize("page", LINKING, ids=name_of)
def test_links_and_their_anchors_exist(page: Path) -> None:
    broken = []
    for link in _LINK.findall(prose(page)):
        path, _, anchor = link.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_code_is_run_or_says_why_not(page: Path) -> None:
    """`python` and `pycon` blocks are run by test_docs.py; a `py` block follows `<!-- not run: reason -->`."""
    text = page.read_text()
    for match in _FENCE.finditer(text):
        language = match[1]
        if language == "py":
            assert re.search(r"<!-- not run: .+ -->\n+$", text[: match.start()]), match[0]
        else:
            assert language in RUN | SHOWN, match[0]


def test_the_api_pages_have_every_public_name() -> None:
    shown = {name for page in (DOCS / "reference/api").glob("*.md") for name in _OBJECT.findall(page.read_text())}
    for name in shown:
        module, _, attribute = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), attribute), name
    filters = {
        f"rowstone.{name}" for name in ("column", "family", "qualifier", "row", "value")
    }  # on the page of filters
    assert {f"rowstone.{name}" for name in rowstone.__all__} - filters - shown == set()
    assert {name for name in admin.__all__ if not {f"rowstone.{name}", f"rowstone.admin.{name}"} & shown} == set()


def test_the_first_page_of_how_to_lists_every_question() -> None:
    index = (DOCS / "how-to/index.md").read_text()
    questions = [
        f"[{heading}]({page}.md#"
        for page in QUESTIONS
        for heading in re.findall(r"^## (.+)$", (DOCS / f"how-to/{page}.md").read_text(), re.MULTILINE)
    ]
    assert len(questions) >= 30
    assert [question for question in questions if question not in index] == []


def test_the_site_takes_nothing_from_the_network() -> None:
    theme, extra = configuration()["theme"], configuration()["extra"]
    assert theme["font"] is False
    assert "offline" in configuration()["plugins"]
    assert "iframe-worker" in extra["polyfills"][0]  # otherwise the plugin `offline` adds one
    for file in (*extra["polyfills"], *configuration()["extra_css"]):
        assert (DOCS / file).exists()
        assert not re.search(r"https?://|@import", (DOCS / file).read_text())
