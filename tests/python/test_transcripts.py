"""Python sessions in the documents answer as they say: blocks with prompts are run by doctest."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import rowstone

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_BLOCK = re.compile(r"^```(pycon|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sessions(document: Path) -> list[tuple[int, str]]:
    """The sessions of a document, each with the line before it."""
    text = document.read_text()
    return [(text.count("\n", 0, m.start()) + 1, m[2]) for m in _BLOCK.finditer(text) if m[1] == "pycon"]


def test_the_data_model_is_shown() -> None:
    assert len(sessions(ROOT / "docs/data-model.md")) >= 10


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if sessions(path)], ids=lambda path: path.name)
def test_sessions_answer_as_written(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner, parser = doctest.DocTestRunner(), doctest.DocTestParser()
    try:
        for line, session in sessions(document):
            test = parser.get_doctest(session, names, document.name, str(document), line)
            runner.run(test, clear_globs=False)
            names = test.globs
    finally:
        for value in names.values():
            if isinstance(value, rowstone.Database):
                value.close()
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_sessions_are_marked_as_such(document: Path) -> None:
    """A block of `python` is a script: with prompts in it nobody would run it."""
    assert not [m[2] for m in _BLOCK.finditer(document.read_text()) if m[1] == "python" and ">>> " in m[2]]
