"""Snippets of published pages run as they are pasted (`snippets.txt` names the page of each)."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop


def snippets() -> list[tuple[str, str, list[str]]]:
    """The source, the statements and what must be shown, of each."""
    found = []
    for part in Path(__file__).with_name("snippets.txt").read_text().split("\n## ")[1:]:
        source, *lines = part.strip().splitlines()
        shown = [line.removeprefix("=> ") for line in lines if line.startswith("=> ")]
        typed = [line for line in lines if not line.startswith("=> ")]
        found.append((source, "\n".join(typed) + "\n", shown))
    return found


@pytest.mark.parametrize(("source", "typed", "shown"), snippets())
def test_a_published_snippet_runs(source: str, typed: str, shown: list[str]) -> None:
    out, reports = io.StringIO(), list[str]()
    configuration = {"hbase.quota.enabled": True} if "quota" in source else {}
    with rs.connect(":memory:", configuration=configuration) as db:
        session = Session(db, out, report=reports.append)
        loop.run(session, loop.stream_reader(io.StringIO(typed), out, echo=False))
    answer = out.getvalue()
    expected_errors = [line for line in shown if line.startswith("ERROR")]
    assert shown, source
    assert [line for line in shown if line not in answer] == [], answer
    assert answer.count("ERROR: ") == len(expected_errors), answer
    assert "Traceback" not in answer, answer
    assert reports == []


def test_there_are_enough_of_them() -> None:
    assert len(snippets()) >= 30
