"""Walks over a real HBase and writes down what it said: ``python -m tests.access.record`` (needs Java and Maven)."""

from __future__ import annotations

import json
import time

import rowstone as rs
from rowstone import errors
from tests.access.walk import KEEPER, OPERATIONS, RECORDED, USERS, Verdicts, prepare, walk
from tests.hbase.cluster.server import StandaloneHBase


def walk_over(server: StandaloneHBase) -> Verdicts:
    """The verdicts of a server that looks at rights and knows the keeper as a superuser."""
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


def main() -> None:
    """Writes the file."""
    from tests.hbase.test_rights import SETTINGS

    with StandaloneHBase(servers=1, heap="512m", settings=SETTINGS) as server:
        found = walk_over(server)
    RECORDED.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{len(OPERATIONS)} operations, {len(USERS) + 2} users: {RECORDED}")


if __name__ == "__main__":
    main()
