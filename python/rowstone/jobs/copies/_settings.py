"""Settings of a job on two tables, which its state file records: a run with others does not continue it."""

from typing import Any

from rowstone._base.blocking import check_blocking
from rowstone._core.database import Database
from rowstone.errors import InvalidType
from rowstone.jobs.splits.state import key_setting


def settings_of(
    source: Database,
    table: str,
    target: Database,
    target_table: str,
    start: str | bytes | None,
    stop: str | bytes | None,
) -> dict[str, Any]:
    """Return both tables and the range of rows.

    Raises:
        TableNotFound: One of the tables does not exist. InvalidType: An argument is no database.
    """
    for what, database in (("source", source), ("target", target)):
        check_blocking(what, database)
        if not isinstance(database, Database):
            raise InvalidType(f"{what} must be a Database, not {type(database).__name__}")
    return {
        "source": [source.path, source.table(table).name],
        "target": [target.path, target.table(target_table).name],
        "start": key_setting(start, "start"),
        "stop": key_setting(stop, "stop"),
    }
