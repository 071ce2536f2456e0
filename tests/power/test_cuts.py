"""Images contain flushed data and parts of the rest; the journal detects a loss. The cuts: `make power-cuts`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.crash.oracle import Content
from tests.power.disk import EVENT, FLUSH
from tests.power.journal import Broken, Journal
from tests.power.recording import KINDS, NOTHING, SECTOR_BYTES, Images, Recording
from tests.power.workload import INDEXED, operation

DISK_BYTES, WRITE_BYTES = 1 << 20, 1 << 19


def recording_of(folder: Path, *events: tuple[int, bytes] | None) -> Recording:
    """A log of writes (offset and bytes) and flushes (``None``)."""
    log = b""
    for time, event in enumerate(events):
        offset, data = event or (0, b"")
        log += EVENT.pack(time, offset, len(data) if event else FLUSH) + data
    (folder / "log").write_bytes(log)
    return Recording(folder / "log")


def test_an_image_holds_what_was_flushed_and_what_survives_of_the_rest(tmp_path: Path) -> None:
    old, new = b"o" * 8192, b"n" * 8192
    images = Images(recording_of(tmp_path, (0, old), None, (0, new), None, (8192, new)), tmp_path, DISK_BYTES)
    assert images.build(3, NOTHING, random.Random(1)) == 1
    assert images.image.read_bytes()[:8192] == old
    assert images.build(3, KINDS[1], random.Random(1)) == 1
    assert images.image.read_bytes()[:8192] == new
    assert images.build(4, NOTHING, random.Random(1)) == 0
    assert images.image.read_bytes()[:16384] == new + bytes(8192)
    assert images.build(5, KINDS[1], random.Random(1)) == 1
    assert images.image.read_bytes() == new + new + bytes(DISK_BYTES - 16384)


@pytest.mark.parametrize("survivors", KINDS, ids=lambda survivors: survivors.name)
def test_a_unit_of_a_write_survives_whole_or_not_at_all(tmp_path: Path, survivors: object) -> None:
    [kind] = [one for one in KINDS if one == survivors]
    old, new = b"o" * WRITE_BYTES, b"n" * WRITE_BYTES
    images = Images(recording_of(tmp_path, (4096, old), None, (4096, new)), tmp_path, DISK_BYTES)
    images.build(3, kind, random.Random(7))
    data = images.image.read_bytes()[4096 : 4096 + WRITE_BYTES]
    units = {data[at : at + SECTOR_BYTES] for at in range(0, len(data), SECTOR_BYTES)}
    assert units <= {old[:SECTOR_BYTES], new[:SECTOR_BYTES]}
    if 0 < kind.share < 1:
        assert len(units) == 2


def journal_of(counts: list[int]) -> Journal:
    """A journal in which each thread's n-th operation was acknowledged at 10 n."""
    journal = Journal(1)
    for thread, count in enumerate(counts):
        for number in range(1, count + 1):
            journal.read(f"A {thread} {number} {10 * number}")
    journal.complete()
    return journal


def content_after(thread: int, count: int) -> Content:
    content = Content()
    for number in range(1, count + 1):
        content = content.after(operation(1, thread, number))
    return content


def test_the_journal_knows_what_must_be_there() -> None:
    journal = journal_of([5, 5, 5, 5, 5])
    assert [journal.floor(0, moment) for moment in (9, 10, 49, 50)] == [0, 1, 4, 5]
    # The fourth operation of thread 0 began after the third, and so did what it synced with it.
    assert journal.floor(1, 45) == 3
    assert journal_of([0, 5, 5, 5, 0]).floor(1, 45) == 0
    assert journal_of([0] * INDEXED + [5]).floor(INDEXED - 1, 45) == 0


def test_a_lost_a_torn_and_an_unknown_operation_are_noticed() -> None:
    journal = journal_of([20, 20, 20, 20, 20])
    for thread, count in ((0, 20), (1, 15)):
        found = journal.match(thread, content_after(thread, count), count, 21)
        assert content_after(thread, found) == content_after(thread, count)
    later = next(count for count in range(19, 0, -1) if content_after(0, count) != content_after(0, 20))
    with pytest.raises(Broken, match=rf"that of {later}$"):
        journal.match(0, content_after(0, later), 20, 21)
    mixture = Content({**content_after(1, 3).rows, "1-999": "7"})
    with pytest.raises(Broken, match="1-999 7 and not None"):
        journal.match(1, mixture, 0, 21)
    with pytest.raises(Broken, match="row 1-999"):
        journal.check_rows(1, mixture, 0, 21)
