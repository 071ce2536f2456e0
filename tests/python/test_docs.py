"""The documents tell the truth: their examples run, their commands exist, the list of settings is the code's."""

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
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MAKE = re.compile(r"^(?:\$ )?make ((?:[a-z-]+ ?)+)|`make ([a-z-]+)", re.MULTILINE)
_SETTING = re.compile(r"^\| `((?:hbase|rowstone)[\w.]+)` \| ([^|]+) \|", re.MULTILINE)
_KEY = re.compile(r'\("([\w.]+)", ([\w:]+), ([\w:]+)')


def run(document: Path) -> None:
    """Runs the Python of a document from its top to its end: with prompts as doctest does, else as it stands."""
    names: dict[str, object] = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    text = document.read_text()
    try:
        for match in _PYTHON.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            if ">>>" in match.group(1):
                test = doctest.DocTestParser().get_doctest(
                    match.group(1), names, name_of(document), str(document), line
                )
                runner.run(test, clear_globs=False)
                names.update(test.globs)
            else:
                exec(compile("\n" * line + match.group(1), str(document), "exec"), names)
    finally:
        for value in list(names.values()):
            if isinstance(value, rowstone.Database):
                value.close()
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if _PYTHON.search(d.read_text())], ids=name_of)
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


def _number(text: str) -> int:
    constants = {"i64::MAX": 2**63 - 1, "i64::MIN": -(2**63)}
    return constants[text] if text in constants else int(text.replace("_", ""))


def _written(key: str, default: str, least: str) -> str:
    """A default as the page writes it."""
    number = _number(default)
    if key.endswith(".ratio"):
        return f"{number / 1000:g}"
    if number == 2**63 - 1:
        return "no limit"
    is_flag = re.search(rf'"{re.escape(key)}", \w+, 1, 1\)', (ROOT / "crates/engine/src/settings/mod.rs").read_text())
    return ("false", "true")[number] if is_flag else f"{number:,}"


def test_the_settings_page_lists_every_setting_with_its_default() -> None:
    code = (ROOT / "crates/engine/src/settings/mod.rs").read_text()
    keys = {key: _written(key, default, least) for key, default, least in _KEY.findall(code)}
    page = dict(_SETTING.findall((ROOT / "docs/configuration.md").read_text()))
    assert page == keys
