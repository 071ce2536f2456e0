"""DuckDB's errors in the terms of the page: what the tables and columns are, and how bytes become text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TABLE = re.compile(r"Table with name (\S+) does not exist")
_COLUMN = re.compile(r'Referenced column "(.+?)" not found')
_CANDIDATES = re.compile(r"Candidate bindings: (.+)")
_BYTES = re.compile(r"\(BLOB\b|of type BLOB|, BLOB\b|-> BLOB\)|and type BLOB")
_NOISE = re.compile(r"^(Binder|Catalog|Conversion|Parser) Error: | You might need to add explicit type casts\.")
_MOST_CHARACTERS = 500


@dataclass(frozen=True)
class Names:
    """Tables that a query may name, columns of the table ``rows``, and why there is no such table, if so."""

    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    no_rows: str = ""


def explain_error(error: Exception, names: Names) -> str:
    """The text of an error.

    >>> explain_error(ValueError('Catalog Error: Table with name users does not exist!'), Names(("rows", "cells")))
    "there is no table 'users' here; there are: rows, cells"
    """
    text = str(error)
    if found := _TABLE.search(text):
        if found[1].strip('"!') == "rows" and names.no_rows:
            return names.no_rows
        return f"there is no table '{found[1]}' here; there are: {', '.join(names.tables)}"
    if found := _COLUMN.search(text):
        same = [f'"{column}"' for column in names.columns if column.endswith(f":{found[1]}")]
        candidates = _CANDIDATES.search(text)
        similar = ", ".join(same) or (candidates[1] if candidates else "")
        hint = f"; similar names: {similar}" if similar else ""
        return f"there is no column '{found[1]}'{hint}. A name with a colon is in double quotes, such as \"f:name\""
    if _BYTES.search(text):
        reason = _NOISE.sub("", text.partition("\n")[0])
        return (
            'the column is bytes: write decode(row) or decode("f:name") for its text, and '
            f'CAST(decode("f:name") AS DOUBLE) for a number in it. DuckDB: {reason}'
        )[:_MOST_CHARACTERS]
    if text.startswith("Out of Memory Error"):
        return "the query needs too much memory: add WHERE or LIMIT, or select fewer columns"
    # A caret below the line would be shown behind it.
    said, _, place = text.partition("\n\nLINE ")
    line = f" (line {place.partition(':')[0]})" if place else ""
    return f"{said[:_MOST_CHARACTERS]}{line}"
