"""Comparison of answers, with the list of everything that is not compared.

Between HBase and the model:

* A message that names HBase's region or table descriptor is cut before the name, and Java's own
  words for a null pointer are cut altogether.
* `memstoreTS` of a file without cells: HBase says 0 or -1, depending on who asked before.

Between HBase (or the model) and the store, in addition:

* Errors are compared by class, through the table in `runners/store_errors.py`; our messages are our own.
* Sequence numbers: HBase gives some to the markers in its log, the store need not. So `rawfile` is
  compared without `seqId` and without the file's `seq`, and `files` by family, number of entries
  and time range. `mvcc`, `maxseq`, `wal` and `split` print nothing else and are not compared.
* `versions=0`: HBase's scans take it, with surprising answers; the store refuses it.
* `step` says whether HBase's scanner has looked at another row; the rows themselves are compared.
* Tags of the cells an increment or append reports: a client never sees them.
* What `compact` says about its choice: the store's files are its own. What is left in them counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.process import HANG
from tests.script import commands as c
from tests.script.answers import Answer
from tests.script.runners.store_errors import same_error

_UNCOMPARED = (
    (re.compile(r"( does not exist in region).*"), r"\1"),
    (re.compile(r"(!! NullPointerException).*"), r"\1"),
    (re.compile(r"(entries=0 bulk=\w+) memstoreTS=-?\d+"), r"\1"),
)
_SEQUENCE_ID = re.compile(r" seqId=\d+$")
_FILE_NUMBERS = re.compile(r"seq=\d+ |memstoreTS=-?\d+ |bulk=\w+ ")
_STEP_FRAME = re.compile(r"^more=\w+ |  \|  $")
_TAGS = re.compile(r" tag\d+:.*$")


@dataclass(frozen=True)
class Difference:
    """The first command two runners answer differently."""

    index: int
    line: str
    expected: Answer
    actual: Answer

    def __str__(self) -> str:
        shown = [f"command {self.index}: {self.line}"]
        shown += [f"  expected: {line}" for line in self.expected or ["(nothing)"]]
        shown += [f"  actual:   {line}" for line in self.actual or ["(nothing)"]]
        return "\n".join(shown)


def plain(answer: Answer) -> Answer:
    """An answer of HBase or the model as the two are compared."""
    lines = []
    for line in answer:
        for pattern, kept in _UNCOMPARED:
            line = pattern.sub(kept, line)
        lines.append(line)
    return lines


def as_store(command: c.Command, answer: Answer) -> Answer | None:
    """An answer as it is compared with the store's; None if it is not compared."""
    answer = plain(answer)
    match command:
        case c.Internals(what="rawfile"):
            return ["file" if "file seq=" in x else _SEQUENCE_ID.sub("", x) for x in answer]
        case c.Internals(what="files"):
            return [_FILE_NUMBERS.sub("", line) for line in answer]
        case c.Internals():
            return None
        case c.StepScanner():
            return [_STEP_FRAME.sub("", line) for line in answer]
        case c.ReadModifyWrite() | c.MutateRow() | c.CheckAndMutate():
            return [_TAGS.sub("", line) for line in answer]
        case c.Batch():
            return [" ".join(line.split()[:2]) for line in answer]
        case c.Compact():
            return None
        case c.Scan(read=c.Read(versions=0)):
            return None
    return answer


def _same_names(left: str, right: str) -> bool:
    """Whether two errors are the same, whichever of the two has HBase's name."""
    return same_error(left, right) or same_error(right, left)


def _same_statuses(wanted: Answer, got: Answer) -> bool:
    """Whether each mutation of a batch ended the same way."""
    pairs = [(left.split()[1], right.split()[1]) for left, right in zip(wanted, got, strict=False)]
    same = all(left == right or _same_names(left, right) for left, right in pairs)
    return len(wanted) == len(got) and same


def _is_error(answer: Answer) -> bool:
    return bool(answer) and answer[0].startswith("!! ")


def first_difference(
    lines: Sequence[str],
    commands: Sequence[c.Command],
    expected: Sequence[Answer | None],
    actual: Sequence[Answer | None],
    with_store: bool = False,
) -> Difference | None:
    """The first command with different answers. A runner without an answer is not compared, and
    nothing is after HBase hangs."""
    for index, (line, command) in enumerate(zip(lines, commands, strict=True)):
        wanted, got = expected[index], actual[index]
        if wanted is None or got is None:
            continue
        if HANG in wanted:
            return None
        if with_store and _is_error(wanted) and _is_error(got) and _same_names(wanted[0], got[0]):
            continue
        if with_store and isinstance(command, c.Batch) and _same_statuses(wanted, got):
            continue
        shown_wanted: Answer | None = as_store(command, wanted) if with_store else plain(wanted)
        shown_got: Answer | None = as_store(command, got) if with_store else plain(got)
        if shown_wanted is not None and shown_wanted != shown_got:
            return Difference(index, line, shown_wanted, shown_got or [])
    return None
