"""Published snippets and scripts run as they are pasted. `snippets.txt` and `scripts.txt` name their sources."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop

LANGUAGE_ERROR = re.compile(r"^[A-Z]\w*Error \(", re.MULTILINE)
"""An error of the language, as opposed to one of a command (``ERROR: ``)."""


def snippets(file: str) -> list[tuple[str, str, list[str]]]:
    """The source, the statements and what must be shown, of each."""
    found = []
    for part in Path(__file__).with_name(file).read_text().split("\n## ")[1:]:
        source, *lines = part.strip("\n").splitlines()
        shown = [line.removeprefix("=> ") for line in lines if line.startswith("=> ")]
        typed = [line for line in lines if not line.startswith(("=> ", "# also "))]
        found.append((source, "\n".join(typed) + "\n", shown))
    return found


@pytest.mark.parametrize(("source", "typed", "shown"), [*snippets("snippets.txt"), *snippets("scripts.txt")])
def test_a_published_snippet_runs(
    source: str, typed: str, shown: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gives what is shown, and no other error. A statement beyond the shell is refused with its line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "splits.txt").write_text("b\nd\nf\n")
    script, out, reports = io.StringIO(typed), io.StringIO(), list[str]()
    configuration = {"hbase.quota.enabled": True} if "quota" in source else {}
    with rs.connect(":memory:", configuration=configuration) as db:
        session = Session(db, out, report=reports.append, ask=lambda: script.readline() or None)
        loop.run(session, loop.stream_reader(script, out, echo=False))
    answer = out.getvalue()
    expected_errors = [line for line in shown if line.startswith("ERROR")]
    expected_refusals = [line for line in shown if LANGUAGE_ERROR.match(line)]
    assert shown, source
    assert [line for line in shown if line not in answer] == [], answer
    assert answer.count("ERROR: ") == len(expected_errors), answer
    assert len(LANGUAGE_ERROR.findall(answer)) == len(expected_refusals), answer
    assert answer.count("Traceback") == len(expected_refusals), answer
    assert reports == []


def test_there_are_enough_of_them() -> None:
    sources = re.findall(r"^(?:## |# also )(\S+ .+)", Path(__file__).with_name("scripts.txt").read_text(), re.MULTILINE)
    assert len(snippets("snippets.txt")) >= 30
    assert len(set(sources)) == len(sources) >= 60
