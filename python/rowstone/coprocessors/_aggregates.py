"""Counts, sums and other aggregates of a column's values. Source: HBase's ``AggregationClient``.

They are computed here, from a scan: HBase's endpoint works per region on the servers and knows three kinds of numbers,
while any codec may be used here. `Aggregates.path` states this.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import reduce
from typing import TYPE_CHECKING, Any, Unpack

from rowstone._base.blocking import check_blocking
from rowstone._base.options import check_names
from rowstone._base.options.calls import RowsOptions
from rowstone._base.printable import printable
from rowstone._base.schema import as_bytes
from rowstone.codecs import codec as codec_of
from rowstone.codecs._codec import CodecArgument
from rowstone.errors import InvalidArgument

if TYPE_CHECKING:
    from rowstone._core.table import Columns, Table

Number = int | float | Decimal

_DECIMALS = Context(prec=10_000, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""For sums of decimals, which are rounded to that many digits."""
_LEAST_DIGITS = 28
"""Digits of an average of decimals, unless their sum has more."""


@dataclass(frozen=True)
class Aggregates:
    """Result of `aggregate`.

    Attributes:
        rows: Number of rows read. count: Values among them; rows without the column have none.
        min, max, sum, avg, std: None without values. ``std`` is that of the population, not of a sample. ``min`` and
            ``max`` ignore NaN unless all values are NaN. If any value is NaN, ``sum``, ``avg`` and ``std`` are NaN.
        path: How they were computed.
    """

    rows: int
    count: int
    min: Number | None
    max: Number | None
    sum: Number | None
    avg: float | Decimal | None
    std: float | None
    path: str


def aggregate(
    table: "Table", column: str | bytes, codec: CodecArgument = "int64", **options: Unpack[RowsOptions]
) -> Aggregates:
    """Return count, minimum, maximum, sum, average and standard deviation of a column's newest values.

    Args:
        column: ``"family:qualifier"``.
        codec: The codec of the values; it must decode to numbers.
        options: As in `Table.scan`: ``start``, ``stop``, ``prefix``, ``filter``, …

    Sums of whole numbers do not overflow (HBase's wrap around at 64 bits). Those of decimals are exact up to 10,000
    digits. The standard deviation is computed in one pass with Welford's method, which does not lose precision as
    HBase's sum of squares does.

    Raises:
        InvalidArgument: The codec cannot read a value (the message names the row), or values are not numbers.

    Example:
        >>> import rowstone as rs
        >>> with rs.connect(":memory:") as db:
        ...     table = rs.testing.user_activity(db)
        ...     found = rs.coprocessors.aggregate(table, "f:amount")
        ...     print(found.count, found.min, found.max, found.sum, round(found.avg, 2), found.path)
        96 1 98 4776 49.75 scan of user_activity
    """
    check_blocking("table", table)
    check_names(aggregate, options, RowsOptions.__optional_keys__)
    rows = count = 0
    least: Any = None
    greatest: Any = None
    total: Any = 0
    mean = spread = 0.0
    for value in _values(table, column, codec, options):
        rows += 1
        if value is None:
            continue
        count += 1
        total = _sum(total, value)
        # NaN, which differs from itself, gives way to any number.
        least = value if least is None or least != least or value < least else least
        greatest = value if greatest is None or greatest != greatest or value > greatest else greatest
        step = float(value) - mean
        mean += step / count
        spread += step * (float(value) - mean)
    path = f"scan of {table.name}"
    if not count:
        return Aggregates(rows, 0, None, None, None, None, None, path)
    return Aggregates(rows, count, least, greatest, total, _average(total, count), math.sqrt(spread / count), path)


def count_rows(table: "Table", *, columns: "Columns | None" = None, **options: Unpack[RowsOptions]) -> int:
    """Count the rows of a scan, with ``batch`` its pieces; ``columns`` and options as in `Table.scan`, except
    ``cells_per_family``."""
    check_names(count_rows, options, RowsOptions.__optional_keys__ - {"cells_per_family"})
    if options.get("filter") is None and options.get("batch") is None:
        # A filter has to see all cells of a row.
        options["cells_per_family"] = 1
    with table.scan(columns=columns, **options) as rows:
        return sum(1 for _ in rows)


def median(
    table: "Table",
    column: str | bytes,
    codec: CodecArgument = "int64",
    *,
    weight: str | bytes | None = None,
    **options: Unpack[RowsOptions],
) -> Number | None:
    """Return the weighted median: half of the weight lies on each side; the lower of two; None without values. Values
    and weights that are NaN are ignored.

    Reads the table once and keeps all values in memory, about 100 bytes each.

    Args:
        weight: A column of the same codec with the weight of each value; by default each counts once.

    Source: HBase's ``AggregationClient.median``, which reads the table's regions, then one region again, and returns
    the first value at which more than half of the weight is reached.
    """
    check_blocking("table", table)
    check_names(median, options, RowsOptions.__optional_keys__)
    found: list[tuple[Number, Number]] = []
    if weight is None:
        found = [(value, 1) for value in _values(table, column, codec, options) if value is not None]
    else:
        pairs = zip(
            _values(table, column, codec, options, also=weight),
            _values(table, weight, codec, options, also=column),
            strict=True,
        )
        found = [(value, heavy) for value, heavy in pairs if value is not None and heavy is not None]
    found = [pair for pair in found if pair[0] == pair[0] and pair[1] == pair[1]]
    found.sort(key=lambda pair: pair[0])
    reached: Any = 0
    total = reduce(_sum, (heavy for _, heavy in found), reached)
    for value, heavy in found:
        reached = _sum(reached, heavy)
        if _sum(reached, reached) >= total:
            return value
    return None


def _sum(left: Any, right: Any) -> Any:
    """Add two numbers. The context of decimals would round the sum to 28 digits."""
    if isinstance(right, Decimal) and isinstance(left, int | Decimal):
        return _DECIMALS.add(left, right)
    return right + left


def _average(total: Any, count: int) -> Any:
    if not isinstance(total, Decimal):
        return total / count
    digits = max(_LEAST_DIGITS, len(total.as_tuple().digits))
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN).divide(total, count)


def _values(
    table: "Table",
    column: str | bytes,
    codec: CodecArgument,
    options: RowsOptions,
    also: str | bytes | None = None,
) -> Iterator[Any]:
    """The value of each row, or None."""
    name, decode = as_bytes(column), codec_of(codec).decode
    if b":" not in name:
        raise InvalidArgument(f"column '{printable(name)}' is a family; an aggregate is of family:qualifier")
    wanted = [name] if also is None else [name, as_bytes(also)]
    with table.scan(columns=wanted, **options) as rows:
        for row in rows:
            yield _number(decode, name, row.key, row.get(name))


def _number(decode: Callable[[bytes], Any], column: bytes, row: bytes, data: bytes | None) -> Any:
    if data is None:
        return None
    try:
        value = decode(data)
    except InvalidArgument as error:
        raise InvalidArgument(f"row '{printable(row)}', column '{printable(column)}': {error}") from error
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise InvalidArgument(f"row '{printable(row)}', column '{printable(column)}': {value!r} is no number")
    return value
