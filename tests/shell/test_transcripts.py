"""The same input gives the output of HBase's shell, byte for byte but for what `transcript.normal` and
`differences.DIFFERENCES` name (checklist 057, 139, 140; sessions of HBase 2.6.4)."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

import rowstone as rs
from rowstone.cli.shell import registry
from tests.shell.differences import DIFFERENCES, ON_CLUSTERS, reason, why
from tests.shell.transcript import FOLDER, Exchange, recorded, typed_into

RECORDINGS = sorted(DIFFERENCES)
TERMINAL_WIDTH = 80


def answers(name: str) -> list[tuple[Exchange, Exchange]]:
    """Recorded answers next to the shell's answers."""
    theirs = recorded(f"{name}.txt")
    with rs.connect(":memory:") as db:
        if name == "first-plain":
            for table in ("ready_probe", "t1"):
                db.create_table(table, ["f"])
        ours = typed_into(db, theirs, width=TERMINAL_WIDTH if name == "terminal" else 0)
    assert [exchange.typed for exchange in ours] == [exchange.typed for exchange in theirs]
    return list(zip(theirs, ours, strict=True))


@pytest.mark.parametrize("name", RECORDINGS)
def test_our_shell_answers_as_hbases(name: str) -> None:
    for theirs, ours in answers(name):
        if reason(name, theirs.typed) is None:
            assert ours.answer == theirs.answer, theirs.typed


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_difference_is_one(name: str) -> None:
    """A reason that no answer needs is an error, unless it says that it waits for other work."""
    differing = [theirs.typed for theirs, ours in answers(name) if ours.answer != theirs.answer]
    stale = [
        pattern
        for pattern, why in DIFFERENCES[name]
        if not why.startswith("waits: ") and not any(re.fullmatch(pattern, typed, re.DOTALL) for typed in differing)
    ]
    assert stale == []


def test_every_recording_is_compared() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == RECORDINGS


class Use(NamedTuple):
    """A command in a recording."""

    is_refused: bool
    is_compared: bool
    """Whether our answer must be the same."""


def recorded_uses() -> dict[str, list[Use]]:
    """The uses of every command of the recordings."""
    found: dict[str, list[Use]] = {}
    places = [(f"{name}.txt", DIFFERENCES[name]) for name in RECORDINGS]
    places += [(f"cluster/{name}.txt", known) for name, known in ON_CLUSTERS.items()]
    for path, known in places:
        for exchange in recorded(path):
            word = re.split(r"\W", exchange.typed, maxsplit=1)[0]
            if registry.is_command(word):
                use = Use("\nERROR: " in f"\n{exchange.answer}", why(known, exchange.typed) is None)
                found.setdefault(registry.canonical(word), []).append(use)
    return found


def test_the_recordings_cover_the_shell() -> None:
    """At least 120 commands, each with an error among its uses; what is counted is compared."""
    uses = recorded_uses()
    refused = {command for command, all_uses in uses.items() if Use(True, True) in all_uses}
    assert len(refused) >= 145
    accepted = {command for command, all_uses in uses.items() if Use(False, True) in all_uses}
    assert len(accepted) >= 135


def test_every_recording_on_a_cluster_is_compared() -> None:
    """By `tests/hbase/test_shell_sessions.py`."""
    assert sorted(path.stem for path in FOLDER.glob("cluster/*.txt")) == sorted(ON_CLUSTERS)
