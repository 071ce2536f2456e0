"""Sessions of HBase's shell as they were recorded, split into what was typed and what came back.

What changes from run to run (times, hosts, ids, addresses) is replaced by words, Java's stack traces go.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path

from rowstone import Database
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop

FOLDER = Path(__file__).parent / "transcripts"

SAME_EFFECT = {"put 't', 'r7', 'f:a:b', 'colon', 7000": "put 't', 'r7', 'f:a', 'colon', 7000"}
"""Recorded commands that have another effect in HBase 2.6, and what is typed in their place to have the recorded one.
Before HBase 2.6.1, a qualifier ended at its first colon (HBASE-28549)."""

_PROMPT = re.compile(r"""hbase:\d{3}:\d+[>*'"] """)

_ANSWER = re.compile(r"\(y/n\)\?\n(.+)\n")

_REPLACED = (
    (re.compile(r"^\t(?:at |\.\.\. \d+ more).*\n", re.MULTILINE), ""),
    (re.compile(r"Took \d+\.\d{4} seconds"), "Took T seconds"),
    (re.compile(r"20[2-9]\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?"), "MOMENT"),
    (re.compile(r"20[2-9]\d-\d\d-\d\d \d\d:\d\d:\d\d(?: [+-]\d{4})?"), "MOMENT"),
    (re.compile(r"\d{13}\.[0-9a-f]{32}\."), "ID.ENCODED."),
    (re.compile(r"[\w.-]+,\d+,\d{13}\b *(?=$)", re.MULTILINE), "SERVER"),
    (re.compile(r"[\w.-]+,\d+,\d{13}\b"), "SERVER"),
    (re.compile(r"ENCODED => [0-9a-f]{32}"), "ENCODED => ENCODED"),
    (re.compile(r"^ [\w.-]+:\d+ +(?=\{ENCODED)", re.MULTILINE), " HOST:PORT "),
    (re.compile(r"0x[0-9a-f]{4,}"), "0xADDRESS"),
    (re.compile(r"\(hbase\):\d+:"), "(hbase):N:"),
    (re.compile(r"maxCacheSize=\d+"), "maxCacheSize=SIZE"),
    (re.compile(r"\d+\.\d{4} average load"), "N average load"),
)


@dataclass(frozen=True)
class Exchange:
    """A statement, its lines as they were typed, and everything up to the next prompt."""

    typed: str
    answer: str


def normal(text: str) -> str:
    """The text without what changes from run to run."""
    for pattern, word in _REPLACED:
        text = pattern.sub(word, text)
    lines = [re.sub(r" {2,}|-{2,}", " ", line) if line.count(" |") > 1 else line for line in text.split("\n")]
    return "\n".join(lines)


def exchanges_of(text: str) -> list[Exchange]:
    """The statements of a session that was recorded from a pipe."""
    found: list[Exchange] = []
    pieces = _PROMPT.split(text)
    prompts = _PROMPT.findall(text)
    for prompt, piece in zip(prompts, pieces[1:], strict=True):
        typed, _, answer = piece.partition("\n")
        goes_on = prompt[-2] != ">"
        if goes_on and found and not found[-1].answer:
            found[-1] = Exchange(f"{found[-1].typed}\n{typed}", normal(answer))
        else:
            found.append(Exchange(typed, normal(answer)))
    return [exchange for exchange in found if exchange.typed or exchange.answer]


def typed_into(database: Database, recorded: list[Exchange], *, width: int = 0) -> list[Exchange]:
    """The same statements with what our shell answers, on a terminal where there is a ``width``."""
    lines = "\n".join(SAME_EFFECT.get(exchange.typed, exchange.typed) for exchange in recorded) + "\n"
    answers = iter(_ANSWER.findall("".join(exchange.answer for exchange in recorded)))
    out = io.StringIO()

    def read_line() -> str | None:
        answer = next(answers, None)
        out.write("" if answer is None else f"{answer}\n")  # as a terminal shows what is typed
        return answer

    session = Session(database, out, width=lambda: width, is_terminal=width > 0, ask=read_line)
    loop.run(session, loop.stream_reader(io.StringIO(lines), out, echo=True))
    shown = {after: before for before, after in SAME_EFFECT.items()}
    return [Exchange(shown.get(each.typed, each.typed), each.answer) for each in exchanges_of(out.getvalue())]


def recorded(name: str) -> list[Exchange]:
    """The statements of a recorded session."""
    return exchanges_of((FOLDER / name).read_text(encoding="utf-8", errors="surrogateescape"))
