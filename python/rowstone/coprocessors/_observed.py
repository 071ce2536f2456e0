"""The attribute ``OBSERVED``: a process that does not know the table's constraints and indexes must not write to it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowstone._core.database import Database

OBSERVED = "OBSERVED"


def _is_watched(key: str, value: str | None) -> bool:
    if value is None:
        return False
    return key.startswith("constraint$") or (key.startswith("index$") and '"strategy":"coprocessor"' in value)


def change(database: "Database", table: str, attributes: Mapping[str, str | None]) -> None:
    """Change the attributes that name constraints or indexes, and OBSERVED, in one change of the descriptor."""
    schema = database.admin.describe(table)
    after = {**schema.attributes, **attributes}
    is_watched = any(_is_watched(key, value) for key, value in after.items())
    wanted: dict[str, str | None] = {**attributes, OBSERVED: "true" if is_watched else None}
    if not is_watched:
        database.admin.alter_table(table, attributes=wanted)
        return
    # The observer is attached before the table requires it, so concurrent writes are not refused.
    database.coprocessors._load(
        schema.name, {**schema.attributes, **{k: v for k, v in attributes.items() if v is not None}}
    )
    try:
        database.admin.alter_table(table, attributes=wanted)
    except BaseException:
        database.coprocessors._load(schema.name, schema.attributes)
        raise
