"""Replay of a sample through candidate keys.

The sample is in write order. Its first tenth is known when the table is created: split keys are
proposed from it (or buckets get a region each). The rest is written, cut into windows of equally many writes. For
each window the share of the hottest region is computed. Monotonic keys show their effect: all writes go to one
region, whatever the splits.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone import splits as splitting
from rowstone.errors import InvalidArgument
from rowstone.keys import Key
from rowstone.schema.design import _report
from rowstone.schema.design._queries import Cost, cost
from rowstone.splits import SplitsArgument

if TYPE_CHECKING:
    import pandas

_CELL_BYTES = 21
"""Overhead of a cell besides row, qualifier and value: lengths, timestamp and type, and a family of one letter."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Design:
    """The result of one key on the sample.

    Attributes:
        name: The design's name.
        key: The key.
        splits: The split keys of the table.
        shares: The share of all writes in each region.
        hottest_over_time: The share of the hottest region in each window, in order.
        key_bytes: Average length of a row key.
        key_share: The fraction of all cell bytes that are row keys, from 0 to 1.
        costs: The cost of each query, by name.
    """

    name: str
    key: Key
    splits: tuple[bytes, ...]
    shares: tuple[float, ...]
    hottest_over_time: tuple[float, ...]
    key_bytes: float
    key_share: float
    costs: Mapping[str, Cost]

    @property
    def hottest(self) -> float:
        """The share of all writes in the region with the most."""
        return max(self.shares)

    @property
    def hottest_at_a_time(self) -> float:
        """The average share of the hottest region in a window: 1.0 means one region after another takes all writes."""
        return sum(self.hottest_over_time) / len(self.hottest_over_time)

    @property
    def unreached(self) -> int:
        """Regions that no write reached."""
        return sum(not share for share in self.shares)


@dataclass(frozen=True)
class Simulation(Mapping[str, Design]):
    """A comparison of designs, which it maps by name. ``str()`` returns a table."""

    designs: tuple[Design, ...]

    def __iter__(self) -> Iterator[str]:
        return (design.name for design in self.designs)

    def __len__(self) -> int:
        return len(self.designs)

    def __getitem__(self, name: str) -> Design:
        for design in self.designs:
            if design.name == name:
                return design
        raise KeyError(name)

    def __str__(self) -> str:
        return _report.table(self)

    def pandas(self) -> pandas.DataFrame:
        """Return a DataFrame with a row per design; for each query the scans, rows touched and returned, and bytes."""
        import pandas

        return pandas.DataFrame([_report.record(design) for design in self.designs]).set_index("design")

    def svg(self) -> str:
        """Draw the share of the hottest region over time, a line per design."""
        return _report.svg(self)


def simulate(
    keys: Mapping[str, Key] | Iterable[Key],
    sample: Iterable[Row],
    *,
    regions: int = 10,
    splits: SplitsArgument | None = None,
    queries: Mapping[str, Row] | None = None,
    windows: int = 50,
    from_text: bool = False,
) -> Simulation:
    """Simulate candidate keys on a sample of rows.

    Args:
        keys: The candidate keys, by name.
        sample: The rows in write order: values by name, for the parts of the keys and for columns.
        regions: Number of regions, unless ``splits`` is given. A bucketed key gets one region per bucket.
        splits: Split keys for all designs; by default proposed from the first tenth of the sample.
        queries: Conditions by query name, as in `rowstone.keys.Key.range`. Conditions on columns are allowed too:
            they reduce the rows returned, not the rows read.
        windows: Number of windows for the writes.
        from_text: Values of sample and queries are text, as from a file; each key's parts parse them.

    Raises:
        InvalidArgument: There are fewer than 20 rows, a row lacks a part, or a value does not fit.

    Example:
        >>> from rowstone.schema import design
        >>> from rowstone.keys import Key, salt, time
        >>> rows = [{"at": at} for at in range(2000)]
        >>> found = design.simulate({"time": Key(time("at")), "salted": Key(salt(4), time("at"))}, rows, regions=4)
        >>> round(found["time"].hottest, 2), found["salted"].hottest_at_a_time < 0.5
        (1.0, True)
    """
    rows = list(sample)
    if len(rows) < 20:
        raise InvalidArgument(f"a sample of {len(rows)} rows says nothing: give 20 or more")
    if windows < 1:
        raise InvalidArgument(f"{windows} windows: there is at least 1")
    named = keys if isinstance(keys, Mapping) else {repr(key)[4:-1]: key for key in keys}
    if not named:
        raise InvalidArgument("there is no key to try")
    designs = []
    for name, key in named.items():
        read = _reader(key) if from_text else dict
        typed = [_read(read, f"row {place + 1} of the sample", row) for place, row in enumerate(rows)]
        asked = {query: _read(read, f"query '{query}'", where) for query, where in (queries or {}).items()}
        designs.append(_design(name, key, typed, regions, splits, asked, windows))
    return Simulation(tuple(designs))


def _read(read: Callable[[Row], dict[str, Any]], what: str, row: Row) -> dict[str, Any]:
    try:
        return read(row)
    except ValueError as error:
        raise InvalidArgument(f"{what}: {error}") from None


def _reader(key: Key) -> Callable[[Row], dict[str, Any]]:
    """Parse text into values for the parts of the key."""
    parts = {part.name: part for part in key.parts if part.name}

    def one(name: str, said: Any) -> Any:
        if isinstance(said, tuple):
            return tuple(None if end is None else one(name, end) for end in said)
        return parts[name].from_text(said) if name in parts and isinstance(said, str) else said

    return lambda row: {name: one(name, said) for name, said in row.items()}


def _design(
    name: str,
    key: Key,
    rows: Sequence[dict[str, Any]],
    regions: int,
    splits: SplitsArgument | None,
    queries: Mapping[str, Row],
    windows: int,
) -> Design:
    encoded = [_encoded(key, place, row) for place, row in enumerate(rows)]
    known = len(rows) // 10
    bounds = sorted(splitting.keys_of(splits)) if splits is not None else _proposed(key, encoded[:known], regions)
    places = [bisect_right(bounds, row) for row in encoded[known:]]
    sizes = [_cells(row) for row in rows]
    key_bytes = [cells * len(one) for one, (cells, _) in zip(encoded, sizes, strict=True)]
    totals = [part + rest for part, (_, rest) in zip(key_bytes, sizes, strict=True)]
    written = sorted(zip(encoded, totals, strict=True))
    counts = Counter(places)
    return Design(
        name,
        key,
        tuple(bounds),
        tuple(counts[region] / len(places) for region in range(len(bounds) + 1)),
        tuple(_hottest(places, windows)),
        sum(map(len, encoded)) / len(encoded),
        sum(key_bytes) / sum(totals),
        {query: cost(key, where, written, rows) for query, where in queries.items()},
    )


def _encoded(key: Key, place: int, row: dict[str, Any]) -> bytes:
    try:
        return key.encode({field: row[field] for field in key.fields if field in row})
    except InvalidArgument as error:
        raise type(error)(f"row {place + 1} of the sample: {error}") from None


def _proposed(key: Key, known: Sequence[bytes], regions: int) -> list[bytes]:
    return key.bucket_splits() if key.bucket is not None else splitting.propose_splits(known, regions)


def _hottest(places: Sequence[int], windows: int) -> Iterable[float]:
    count = min(windows, len(places))
    for window in range(count):
        piece = places[len(places) * window // count : len(places) * (window + 1) // count]
        yield max(Counter(piece).values()) / len(piece)


def _cells(row: Row) -> tuple[int, int]:
    """The number of cells in a sample row, one per value, and their size without row keys."""
    return len(row), sum(_CELL_BYTES + len(name) + len(str(value)) for name, value in row.items())
