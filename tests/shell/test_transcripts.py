"""The same input gives the output of HBase's shell, byte for byte but for what `transcript.normal` and
`differences.DIFFERENCES` name (checklist 057, 139, 140; sessions of HBase 2.6.4)."""

from __future__ import annotations

import re

import pytest

import rowstone as rs
from rowstone.shell import registry
from tests.shell.differences import DIFFERENCES, reason
from tests.shell.transcript import FOLDER, Exchange, recorded, typed_into

RECORDINGS = sorted(DIFFERENCES)
TERMINAL_WIDTH = 80


def answers(name: str) -> list[tuple[Exchange, Exchange]]:
    """What was recorded, beside what our shell answers."""
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
    """A reason that no answer needs any more goes; what waits for other work may have come."""
    differing = [theirs.typed for theirs, ours in answers(name) if ours.answer != theirs.answer]
    stale = [
        pattern
        for pattern, why in DIFFERENCES[name]
        if not why.startswith("waits: ") and not any(re.fullmatch(pattern, typed, re.DOTALL) for typed in differing)
    ]
    assert stale == []


def test_every_recording_is_compared() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == RECORDINGS


def recorded_uses() -> dict[str, list[bool]]:
    """For every command of the recordings, whether each of its uses was refused."""
    uses: dict[str, list[bool]] = {}
    for name in RECORDINGS:
        for exchange in recorded(f"{name}.txt"):
            word = re.split(r"\W", exchange.typed, maxsplit=1)[0]
            if registry.is_command(word):
                uses.setdefault(registry.canonical(word), []).append("\nERROR: " in f"\n{exchange.answer}")
    return uses


def test_the_recordings_cover_the_shell() -> None:
    """At least 120 commands, each with an error among its uses."""
    refused = {command for command, errors in recorded_uses().items() if any(errors)}
    assert len(refused) >= 120
    accepted = {command for command, errors in recorded_uses().items() if not all(errors)}
    assert len(accepted) >= 80
