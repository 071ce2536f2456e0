"""The ledger is honest: marks cite known clauses, each has a test or a permitted reason, items count when whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.checklist.ledger import REASONS, Citation, Item, citations_of, read_citations, read_items, report, standings
from tests.checklist.marks import checklist

ITEMS = read_items()
ACID = [f"{number:03}" for number in range(152, 159)]


def test_the_data_file_lists_all_statements() -> None:
    assert list(ITEMS) == [f"{number:03}" for number in range(1, 251)]


def test_every_mark_cites_a_known_clause() -> None:
    known = {(item.number, clause) for item in ITEMS.values() for clause in item.clauses}
    assert [citation for citation in read_citations() if (citation.number, citation.clause) not in known] == []


def test_every_clause_has_a_test() -> None:
    missing = {standing.item.number: standing.untested for standing in standings(ITEMS, read_citations())}
    assert {number: untested for number, untested in missing.items() if untested} == {}


@checklist("151", clause="152 to 158 have a test for each clause")
def test_transactions_are_covered() -> None:
    items = {number: ITEMS[number] for number in ACID}
    assert [standing.word for standing in standings(items, read_citations())] == ["covered"] * len(ACID)


def test_open_clauses_wait_for_a_permitted_reason() -> None:
    reasons = {reason for item in ITEMS.values() for reason in item.open.values()}
    assert reasons <= set(REASONS)


def test_every_item_has_clauses_and_names_them_once() -> None:
    for item in ITEMS.values():
        clauses = [*item.clauses, *item.open]
        assert clauses, item.number
        assert len(clauses) == len(set(clauses)), item.number


def test_an_item_is_covered_only_when_every_clause_has_a_test() -> None:
    whole = Item("001", "whole", ("a", "b"))
    waiting = Item("002", "waiting", ("a",), {"b": "mob"})
    cited = [Citation("001", "a", "test"), Citation("002", "a", "test")]
    words = [standing.word for standing in standings({"001": whole, "002": waiting}, cited)]
    assert words == ["partly", "partly"]
    words = [standing.word for standing in standings({"001": whole}, [*cited, Citation("001", "b", "test")])]
    assert words == ["covered"]
    assert [standing.word for standing in standings({"001": whole}, [])] == ["open"]
    assert "2 items: 0 covered, 2 partly, 0 open" in report(standings({"001": whole, "002": waiting}, cited))


def test_only_tests_can_cite() -> None:
    file = Path(__file__)
    with pytest.raises(ValueError, match="no test"):
        list(citations_of("@checklist('001', clause='a')\ndef helper(): ...", file, file.parent))


def test_the_mark_tells_the_same_as_the_source() -> None:
    @checklist("001", clause="a")
    @checklist("002", clause="b")
    def cites() -> None: ...

    assert cites.checklist == [("002", "b"), ("001", "a")]  # type: ignore[attr-defined]


def test_the_command_prints_totals() -> None:
    command = Path(__file__).parent.parent / "checklist.py"
    done = subprocess.run([sys.executable, command], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].startswith(f"{len(ITEMS)} items: ")
