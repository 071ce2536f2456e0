"""Check that stored values fit an index's codec: an index with the wrong codec would have no entries."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rowstone._base.printable import printable
from rowstone._core.inspect.guess import guess
from rowstone._core.inspect.sampling import Bounds, SampledRow, sample_range
from rowstone.errors import InvalidArgument
from rowstone.indexes._definition import Definition, KeyPart

if TYPE_CHECKING:
    from rowstone._core.table import Table

_log = logging.getLogger("rowstone")
_SAMPLED_ROWS = 200
_FEW_VALUES = 20
"""If there are fewer values, numbers of four or eight bytes may all look like text by chance."""
_TEXTUAL = {"text", "decimal", "date", "UUID", "JSON", "XML"}
_SHOWN_BYTES = 20


def check_codec(table: Table, definition: Definition) -> None:
    """Sample up to 200 rows, and log a warning if some of their values, or of those to add up, do not fit the codec.

    Raises:
        InvalidArgument: None of the sampled values fits: each has another size, or is text of that size.
    """
    _check(
        table,
        definition,
        "find nothing",
        "pass the codec that the values were written with",
        "no query finds their rows",
        "; verify().unreadable_count counts all",
    )
    if definition.sums is not None:
        sums = replace(definition, on=definition.sums, codec="int64")
        _check(table, sums, "add up nothing", "sums= must be a column of int64", "summary() does not add them up", "")


def _check(table: Table, definition: Definition, fault: str, advice: str, loss: str, count: str) -> None:
    on = definition.on
    family = on.partition(b":")[0] if isinstance(on, bytes) else None
    rows, _ = sample_range(table, b"", b"", Bounds(rows=_SAMPLED_ROWS, family=family))
    values = [(row.key, value) for row in rows for value in _values(row, on)]
    unreadable = [(key, value) for key, value in values if definition.ordered(value) is None]
    texts = sum(_is_text_instead_of(definition, value) for _, value in values)
    is_wrong = len(unreadable) + texts == len(values) and (unreadable or len(values) >= _FEW_VALUES)
    if not unreadable and not is_wrong:
        return
    key, value = (unreadable or values)[0]
    example = (
        f"row '{printable(key, _SHOWN_BYTES)}' has '{printable(value, _SHOWN_BYTES)}' (looks like "
        f"{guess(value, len(value))})"
    )
    if is_wrong:
        raise InvalidArgument(
            f"index '{definition.name}' would {fault}: none of {len(values)} sampled values of {definition.place} "
            f"is {definition.codec}: {example}; {advice}"
        )
    _log.warning(
        "index '%s' of table '%s': %d of %d sampled values are not %s, and %s: %s%s",
        definition.name,
        definition.table,
        len(unreadable),
        len(values),
        definition.codec,
        loss,
        example,
        count,
    )


def _is_text_instead_of(definition: Definition, value: bytes) -> bool:
    """Whether a value has the size of the codec's numbers, but is printable text."""
    is_number = len(value) >= 4 and definition.codec not in ("bytes", "text")
    return is_number and definition.ordered(value) is not None and guess(value, len(value)) in _TEXTUAL


def _values(row: SampledRow, on: bytes | KeyPart) -> Iterator[bytes]:
    """The newest value of the column, or its first 64 bytes; or the part of the key."""
    if isinstance(on, KeyPart):
        part = on.of(row.key)
        if part is not None:
            yield part
        return
    for cell in row.cells:
        if cell.family + b":" + cell.qualifier == on:
            yield cell.head
            return
