"""User activity: the table with which HBase's reference guide explains secondary indexes."""

from rowstone._core.database import Database
from rowstone._core.table import Table

START_MS = 1_700_000_000_000
_USERS = ("ann", "bob", "cid", "eva", "kim", "lea", "max", "zoe")
_ACTIONS = ("login", "view", "buy", "logout")


def user_activity(db: Database, name: str = "user_activity", *, rows: int = 400) -> Table:
    """Return a table whose keys are ``user-timestamp`` (8 bytes), while a report needs time ranges over all users.

    Column ``f:action`` is what the user did, ``f:at`` when (int64), ``f:amount`` (int64) what they paid. The table is
    created in ``db`` if it is missing.

    Args:
        rows: Number of rows; one every quarter of an hour from 2023-11-14 on.

    Source: HBase reference guide, secondary indexes and alternate query paths.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     table = rs.examples.user_activity(db)
        ...     first = next(iter(table.scan()))
        ...     print(len(list(table)), first.key[:4], first["f:action"])
        400 b'ann-' b'login'
    """
    db.create_table(name, ["f"], if_not_exists=True)
    table = db.table(name)
    with table.batch() as batch:
        for number in range(rows):
            time_ms = START_MS + number * 900_000
            key = _USERS[number % 8].encode() + b"-" + time_ms.to_bytes(8, "big")
            action = _ACTIONS[number // 8 % 4]
            data = {b"f:action": action.encode(), b"f:at": time_ms.to_bytes(8, "big")}
            if action == "buy":
                data[b"f:amount"] = (number * 7 % 100).to_bytes(8, "big")
            batch.put(key, data)
    return table
