"""The answers of `rowstone.happybase` are those of happybase before a real HBase 2.6, line by line, but for a few."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rowstone import happybase
from tests.happybase.conversation import answers

RECORDED = (Path(__file__).parent / "recorded.txt").read_text().splitlines()

DIFFERENT = {
    "schema: delete missing": "! IOError TableNotFoundException",  # the gateway has no class of its own for it
    # The gateway reports these as a failure of its own, a TApplicationException.
    "writes: put a family only": "! IllegalArgument IllegalArgumentException",
    "writes: put an empty row": "! IllegalArgument IllegalArgumentException",
    "writes: batch with a bad column": "! IllegalArgument IllegalArgumentException",
    # happybase reads from the first row behind the prefix, included, to the prefix itself, excluded.
    "scans: keys {'row_prefix': b'ab', 'reverse': True}": "[b'abd', b'abc', b'ab']",
}


def halves(line: str) -> tuple[str, str]:
    label, _, answer = line.partition(" -> ")
    return label, answer


@pytest.fixture(params=["memory", "directory"])
def connection(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[happybase.Connection]:
    connection = happybase.Connection(":memory:" if request.param == "memory" else tmp_path / "db")
    yield connection
    connection.close()


def test_the_answers_are_those_recorded(connection: happybase.Connection) -> None:
    recorded = dict(map(halves, RECORDED))
    assert recorded.keys() >= DIFFERENT.keys()
    said = dict(map(halves, answers(connection)))
    assert said == {**recorded, **DIFFERENT}


def test_listed_differences_are_differences() -> None:
    recorded = dict(map(halves, RECORDED))
    assert not [label for label, answer in DIFFERENT.items() if recorded[label] == answer]
