"""Heat maps as JSON files, to read later or elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rowstone._base.targets import complete_file
from rowstone.errors import InvalidArgument, NotFoundError
from rowstone.schema.heat._map import HeatMap, heat_map
from rowstone.schema.heat._side import Side, Window


def save(maps: Iterable[HeatMap], path: str | os.PathLike[str]) -> None:
    """Write maps of several tables into one file, replacing it atomically.

    Raises:
        OSError: The file cannot be written.
    """
    tables = {
        one.table: {
            "reads": _plain(one.reads),
            "writes": _plain(one.writes),
            "is_sample": one.reads.is_sample or one.writes.is_sample,
        }
        for one in maps
    }
    with complete_file(path) as new:
        new.write_text(json.dumps({"tables": tables}), encoding="utf-8")


def load(path: str | os.PathLike[str], table: str) -> HeatMap:
    """Load the map of a table from a file.

    Raises:
        NotFoundError: It has no map of this table. InvalidArgument: It is no heat map file. OSError: It is unreadable.
    """
    try:
        tables = json.loads(Path(path).read_text(encoding="utf-8"))["tables"]
        known = sorted(tables)
        found = tables.get(table)
        if found is not None:
            is_sample = bool(found.get("is_sample", True))
            return heat_map(table, _windows(found["reads"]), _windows(found["writes"]), is_sample=is_sample)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidArgument(f"'{os.fspath(path)}' is no file of heat maps: {error!r}") from None
    raise NotFoundError(f"'{os.fspath(path)}' has no heat map of '{table}'; it has: {', '.join(known) or 'none'}")


def _plain(side: Side) -> list[list[Any]]:
    return [
        [one.start_ms, one.width_ms, one.total, [[row.hex(), weight] for row, weight in one.rows]]
        for one in side.windows
    ]


def _windows(plain: list[list[Any]]) -> list[Window]:
    return [
        Window(int(start), int(width), int(total), tuple((bytes.fromhex(row), float(weight)) for row, weight in rows))
        for start, width, total, rows in plain
    ]
