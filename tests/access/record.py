"""Walks over a real HBase and writes down what it said: ``python -m tests.access.record`` (needs Java and Maven)."""

from __future__ import annotations

import json
import time
from pathlib import Path

import rowstone as rs
from rowstone import errors
from tests.access import cells
from tests.access.walk import KEEPER, RECORDED, Verdicts, prepare, walk
from tests.hbase.cluster.server import StandaloneHBase


def walk_over(server: StandaloneHBase) -> Verdicts:
    """The verdicts of a server with access control and the superuser keeper."""
    with rs.connect(server.url, user=KEEPER) as db:
        prepare(db)
    wait_until_heard(server)
    return walk(lambda user: rs.connect(server.url, user=user))


def wait_until_heard(server: StandaloneHBase) -> None:
    """Servers hear through ZooKeeper what users may do: the last ones last."""
    end = time.monotonic() + 30
    for user in ("r_at_g", "r_at_n", "r_at_q", "rw_at_q"):
        with rs.connect(server.url, user=user) as db:
            while True:
                try:
                    db.table("ns:t").get("row", columns=["f:q"])
                    break
                except errors.AccessDenied:
                    assert time.monotonic() < end, f"the server has not heard of {user}"


def cells_over(server: StandaloneHBase) -> Verdicts:
    """The verdicts about cells with their own ACL."""
    with rs.connect(server.url, user=KEEPER) as db:
        cells.prepare(db)
    end = time.monotonic() + 30
    with rs.connect(server.url, user="w_plain") as db:
        while True:
            try:
                db.table(cells.MUTE).put("heard", {"f:p": "1"})
                break
            except errors.AccessDenied:
                assert time.monotonic() < end, "the server has not heard of w_plain"
    return cells.walk(lambda user: rs.connect(server.url, user=user))


def _write(path: Path, found: Verdicts) -> None:
    path.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{len(found)} operations, {len(next(iter(found.values())))} users: {path}")


def main() -> None:
    """Writes the files."""
    from tests.hbase.test_rights import SETTINGS

    with StandaloneHBase(servers=1, heap="512m", settings=SETTINGS) as server:
        found, found_of_cells = walk_over(server), cells_over(server)
    _write(RECORDED, found)
    _write(cells.RECORDED, found_of_cells)


if __name__ == "__main__":
    main()
