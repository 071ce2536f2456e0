"""Clock warning: a clock behind a database's newest write is reported at open, while it is served, and on the web
page."""

from __future__ import annotations

import logging
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone._core import clock_watch as _clock_watch
from rowstone.testing import ManualClock

HOUR_MS = 3_600_000
MONOTONE = {"rowstone.monotone.timestamps": True}
UNIQUE = {"rowstone.unique.timestamps": True}


class Heard(logging.Handler):
    """Collects the package's warnings; other threads can wait for them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self.came = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        self.came.set()


@pytest.fixture
def heard() -> Iterator[Heard]:
    handler, log = Heard(), logging.getLogger("rowstone")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A database whose newest write is from hour 10."""
    with rs.connect(tmp_path / "db", clock=ManualClock(10 * HOUR_MS)) as db:
        db.create_table("t", ["f"])
        db.table("t").put("row", {"f:q": "value"})
    return tmp_path / "db"


def test_opening_with_a_clock_that_is_behind_warns(directory: Path, heard: Heard) -> None:
    with rs.connect(directory, clock=ManualClock(9 * HOUR_MS)) as db:
        db.table("t").put("row", {"f:q": "later"})
        assert db.table("t").get("row")["f:q"] == b"value", "what the warning is about"
    [text] = heard.texts
    assert "1 h 0 min behind the newest write" in text
    assert str(directory) in text
    assert "stay hidden" in text
    assert "set the clock, or set rowstone.unique.timestamps=true" in text


@pytest.mark.parametrize("settings", [UNIQUE, MONOTONE | UNIQUE])
def test_the_recommended_settings_show_a_put_after_a_delete(
    directory: Path, heard: Heard, settings: dict[str, bool]
) -> None:
    with rs.connect(directory, clock=ManualClock(9 * HOUR_MS), configuration=settings) as db:
        t = db.table("t")
        t.delete("row")
        t.put("row", {"f:q": "later"})
        assert t.value("row", "f:q") == b"later"
    assert not heard.texts


def test_monotone_timestamps_alone_warn_of_puts_after_deletes(directory: Path, heard: Heard) -> None:
    with rs.connect(directory, clock=ManualClock(9 * HOUR_MS), configuration=MONOTONE) as db:
        t = db.table("t")
        t.put("row", {"f:q": "later"})
        assert t.value("row", "f:q") == b"later"
        t.delete("row")
        t.put("row", {"f:q": "last"})
        assert t.value("row", "f:q") is None, "what the warning is about"
    [text] = heard.texts
    assert "stays hidden if that was a delete" in text


def test_opening_says_nothing_where_nothing_can_be_hidden(directory: Path, heard: Heard) -> None:
    rs.connect(directory, clock=ManualClock(11 * HOUR_MS)).close()
    rs.connect(directory, clock=ManualClock(9 * HOUR_MS), read_only=True).close()
    rs.connect(directory, clock=ManualClock(9 * HOUR_MS), configuration=UNIQUE).close()
    assert not heard.texts


def test_a_server_warns_once_when_its_clock_falls_behind(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_clock_watch, "EVERY_SECONDS", 0.01)
    clock = ManualClock(10 * HOUR_MS)
    with rs.serve(":memory:", port=0, zk_port=None, clock=clock) as server:
        watch = server.database._clock_watch
        watch.check()
        assert not heard.texts
        clock.set(9 * HOUR_MS)
        assert heard.came.wait(20), "the server compares by itself"
        watch.check()
        assert len(heard.texts) == 1
        clock.set(11 * HOUR_MS)
        watch.check()
        heard.came.clear()
        clock.set(9 * HOUR_MS)
        assert heard.came.wait(20), "it warns again when the clock falls behind again"
    assert not [thread for thread in threading.enumerate() if thread.name == "rowstone-clock"]


def test_the_page_shows_a_clock_that_is_behind() -> None:
    clock = ManualClock(10 * HOUR_MS)
    with rs.connect(":memory:", clock=clock) as db, rs.server.dashboard.serve(db) as dashboard:
        assert db.admin.metrics.stats()["clock_behind_ms"] == 0
        assert 'role="alert"' not in urllib.request.urlopen(dashboard.url).read().decode()
        clock.set(9 * HOUR_MS)
        text = urllib.request.urlopen(dashboard.url).read().decode()
        assert 'role="alert"' in text
        assert "The clock is 1 h 0 min behind the newest write of the database :memory:" in text
