"""The documents are correct: examples run, commands exist, and the list of settings matches the code."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import rowstone
from tests.python.structure import ROOT, name_of

DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "tests/README.md"]
TUTORIAL = [ROOT / "docs/tutorial" / f"{part}.md" for part in ("index", "store", "ask", "serve", "cluster")]
_PYTHON = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MAKE = re.compile(r"^(?:\$ )?make ((?:[a-z-]+ ?)+)|`make ([a-z-]+)", re.MULTILINE)
_ENTRY = re.compile(r'^    \("([\w.]+)", (-?[\w:]+), (-?[\w:]+), ([\w:]+)', re.MULTILINE)
_ROW = re.compile(r"^\| `((?:hbase|hfile|rowstone)\.[\w.]+)` \| ([^|]+) \|", re.MULTILINE)


def run(*documents: Path) -> None:
    """Run the Python code of documents in order: code with prompts as doctest does, the rest unchanged."""
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    try:
        for document in documents:
            _run_blocks(document, runner, names)
    finally:
        _close(list(names.values()))
    assert runner.summarize(verbose=False).failed == 0


def _close(values: list[object]) -> None:
    """Stop servers and close databases, which a failed document leaves open: threads of a server fail other tests."""
    for value in values:
        if isinstance(value, rowstone.Server):
            value.stop()
    for value in values:
        if isinstance(value, rowstone.Database):
            value.close()


def _run_blocks(document: Path, runner: doctest.DocTestRunner, names: dict[str, object]) -> None:
    text = document.read_text()
    for match in _PYTHON.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        has_prompts = ">>>" in match.group(1)
        assert has_prompts == match.group(0).startswith("```pycon"), f"{document}:{line}: `pycon` is for >>>"
        if has_prompts:
            test = doctest.DocTestParser().get_doctest(match.group(1), names, name_of(document), str(document), line)
            runner.run(test, clear_globs=False)
            names.update(test.globs)
        else:
            exec(compile("\n" * line + match.group(1), str(document), "exec"), names)


ELSEWHERE = [ROOT / "docs/how-to/spark.md"]
"""Documents whose code needs more than Python: `tests/engines/clusters/test_tutorial.py` runs it."""
ALONE = [d for d in DOCUMENTS if d not in [*TUTORIAL, *ELSEWHERE] and _PYTHON.search(d.read_text())]


def test_every_test_folder_is_described() -> None:
    readme = (ROOT / "tests/README.md").read_text()
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert {folder for folder in folders if f"`{folder}/`" not in readme} == set()


def test_the_tutorial_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts continue each other: one directory, one set of names."""
    monkeypatch.chdir(tmp_path)
    run(*TUTORIAL)


@pytest.mark.parametrize("document", ALONE, ids=name_of)
def test_examples_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(document)


def modules() -> list[str]:
    found = pkgutil.walk_packages(rowstone.__path__, "rowstone.")
    return sorted(m.name for m in found if "__main__" not in m.name and "_native" not in m.name)


@pytest.mark.parametrize("name", ["rowstone", *modules()])
def test_docstrings_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_make_targets_exist(document: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for groups in _MAKE.findall(document.read_text()) for word in " ".join(groups).split()}
    assert named <= targets


def as_shown(key: str, default: str, bounds: tuple[str, str]) -> str:
    """A setting's default as its page writes it."""
    if default == "i64::MAX":
        return "no limit"
    number = int(default.replace("_", ""))
    classes = {".split.policy": "`SteppingSplitPolicy`", ".rate.limiter": "`AverageIntervalRateLimiter`"}
    for end, shown in classes.items():
        if key.endswith(end):
            return shown
    if bounds[0] == bounds[1]:
        return ("false", "true")[number]
    ratios = (".ratio", ".jitter", ".block.cache.size", ".global.memstore.size")
    return f"{number / 1000:g}" if key.endswith(ratios) else f"{number:,}"


def test_the_settings_page_lists_every_setting_with_its_default() -> None:
    code = (ROOT / "crates/engine/src/settings/mod.rs").read_text()
    page = (ROOT / "docs/reference/configuration.md").read_text()
    settings = {key: as_shown(key, default, (least, most)) for key, default, least, most in _ENTRY.findall(code)}
    assert len(settings) > 20
    assert dict(_ROW.findall(page)) == settings


def test_settings_said_to_be_without_effect_are_read_nowhere() -> None:
    engine = ROOT / "crates/engine/src"
    read = "".join(file.read_text() for file in engine.rglob("*.rs") if file.parent.name != "settings")
    effective, idle = (ROOT / "docs/reference/configuration.md").read_text().split("## Accepted, without effect so far")
    assert not [key for key, _ in _ROW.findall(idle) if f'"{key}"' in read]
    effective, served = effective.split("## What a server reads")
    assert not [key for key, _ in _ROW.findall(effective) if f'"{key}"' not in read]
    serve = (ROOT / "python/rowstone/server/serve.py").read_text()
    assert not [key for key, _ in _ROW.findall(served) if f'"{key}"' not in serve]
