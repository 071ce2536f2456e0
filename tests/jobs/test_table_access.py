"""A job that fails ends its server after the splits that still run elsewhere."""

from __future__ import annotations

import threading
import time

import pytest

import rowstone as rs
from rowstone.jobs.splits.table_access import TableAccess, table_access


class Elsewhere:
    """An executor whose splits run in other processes."""

    stopped = None


def test_splits_under_way_find_the_server_when_a_job_fails() -> None:
    found: list[bytes] = []

    def split(access: TableAccess) -> None:
        with access.open() as table:
            assert table.get("r")
            began.set()
            time.sleep(0.2)
            found.append(table.get("r")["f:q"])

    def job(db: rs.Database) -> None:
        with table_access(db, "t", Elsewhere()) as access:  # type: ignore[arg-type]
            workers.append(threading.Thread(target=split, args=(access,)))
            workers[0].start()
            assert began.wait(30)
            raise ValueError("failed")

    began = threading.Event()
    workers: list[threading.Thread] = []
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        with pytest.raises(ValueError, match="failed"):
            job(db)
        # The thread has already been joined.
        assert found == [b"v"]
        workers[0].join()
