"""Settings of a job on two tables, which its state file records: a run with others does not continue it."""

from typing import Any

from rowstone._core.database import Database
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
        TableNotFound: One of the tables does not exist.
    """
    return {
        "source": [source.path, source.table(table).name],
        "target": [target.path, target.table(target_table).name],
        "start": key_setting(start),
        "stop": key_setting(stop),
    }
