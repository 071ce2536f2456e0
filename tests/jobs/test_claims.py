"""Two attempts at one split of an export, where the first is slow and not dead: only the second one's files count."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import jobs
from rowstone.jobs.executors import Stopped
from rowstone.jobs.splits.claim import Claim

ROWS = 900


class Slow:
    """Run each split; at one of its rows (`meanwhile`) another attempt does all of it, and then the first continues."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.overtaken: list[int] = []
        self._again: Callable[[], Any] | None = None
        self._result: Any = None

    def run(self, function: Callable[[Any], Any], splits: Sequence[Any]) -> Iterator[Any]:
        for split in splits:
            self._again = lambda split=split: function(split)  # type: ignore[misc]
            try:
                yield function(split)
            except Stopped:
                self.overtaken.append(split.split.number)
                yield self._result

    def meanwhile(self, data: bytes) -> str:
        """A decoder."""
        if data.endswith(b"50") and self._again is not None:
            again, self._again = self._again, None
            self._result = again()
        return data.decode()


@pytest.mark.parametrize("name", ["out.jsonl", "out.parquet", "folder"])
def test_an_overtaken_worker_publishes_nothing(db: rs.Database, t: rs.Table, tmp_path: Path, name: str) -> None:
    with t.batch() as batch:
        for n in range(ROWS):
            batch.put(f"r{n:03}", {"f:n": f"{n}"})
    slow = Slow()
    (tmp_path / "here").mkdir()
    options: dict[str, Any] = {"format": None if "." in name else "csv", "part_bytes": 2_000}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rowstone.jobs._export_split._PIECE_BYTES", 1_000)
        done = jobs.export_table(
            db, "t", tmp_path / name, ["f:n"], decode={"f:n": slow.meanwhile}, executor=slow, **options
        )
        here = jobs.export_table(db, "t", tmp_path / "here" / name, ["f:n"], decode={"f:n": bytes.decode}, **options)
    assert slow.overtaken == [0, 1, 2]
    assert done.rows == done.lines == ROWS
    assert [path.read_bytes() for path in done.files] == [path.read_bytes() for path in here.files]
    assert not list(tmp_path.glob("*.export"))


def test_a_claim_ends_with_the_next_one_or_with_its_file(tmp_path: Path) -> None:
    first = Claim(tmp_path / "claim", 1)
    with first.hold():
        pass
    second = Claim(tmp_path / "claim", 1)
    with pytest.raises(Stopped), first.hold():
        pass
    with second.hold():
        pass
    (tmp_path / "claim").unlink()
    with pytest.raises(Stopped), second.hold():
        pass
    with pytest.raises(Stopped):
        Claim(tmp_path / "gone" / "claim", 1)


class Late:
    """A run that fails at once, and whose first split is begun while the next run is at it."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.refused = 0
        self._left: Callable[[], Any] | None = None

    def run(self, function: Callable[[Any], Any], splits: Sequence[Any]) -> Iterator[Any]:
        if self._left is None:
            self._left = lambda: function(splits[0])
            raise OSError("no more workers")
        for split in splits:
            yield function(split)

    def meanwhile(self, data: bytes) -> str:
        """A decoder."""
        if data == b"1" and self._left is not None:
            try:
                self._left()
            except Stopped:
                self.refused += 1
        return data.decode()


def test_leftover_tasks_of_a_failed_run_take_no_splits_of_the_next(
    db: rs.Database, t: rs.Table, tmp_path: Path
) -> None:
    """A worker's process took up a split of a run that had failed, and the run that was at it ended with `Stopped`."""
    with t.batch() as batch:
        for n in range(9):
            batch.put(f"r{n}", {"f:n": f"{n}"})
    late, out = Late(), tmp_path / "out.csv"
    with pytest.raises(OSError, match="no more workers"):
        jobs.export_table(db, "t", out, ["f:n"], decode={"f:n": late.meanwhile}, executor=late)
    done = jobs.export_table(db, "t", out, ["f:n"], decode={"f:n": late.meanwhile}, executor=late)
    assert late.refused == 1
    assert (done.resumed, done.rows, out.read_text().splitlines()[1:]) == (True, 9, [f"r{n},{n}" for n in range(9)])


def test_a_claim_of_an_older_run_ends_nothing(tmp_path: Path) -> None:
    newer = Claim(tmp_path / "claim", 2)
    with pytest.raises(Stopped):
        Claim(tmp_path / "claim", 1)
    with newer.hold():
        pass
