"""Ten queries of DuckDB and Polars, with and without pushdown: `make bench-engines`.

One table of events in a directory, flushed and compacted; with `--served`, through a server in this process. Without
pushdown, an engine gets the whole table from `scan(...)`. The two ways alternate, in reverse order in every second
round; the first round is discarded. Rows are those that the store returned. Times are CPU seconds of all threads of the
process, with the server's: unlike elapsed time, they hardly depend on what else the machine does.

    python -m benches.engines --rows 500000 --rounds 5 --document docs/explanation/measurements.md
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet
from benches.report import load, machine, machine_text, publish
from polars import col

import rowstone as rs
from rowstone.engines import RowSchema, Sink, Source, duckdb_view, scan_polars

EVENTS_PER_USER = 100
COUNTRIES = ("no", "se", "dk", "fi", "is")
KINDS = ("view", "view", "view", "view", "view", "view", "view", "view", "cart", "buy")
NOTE = "a note of about sixty bytes, as people write them, or not"
SCHEMA = RowSchema(
    "text",
    {
        "kind": ("f:kind", "text"),
        "amount": ("f:amount", "float64"),
        "country": ("f:country", "text"),
        "at": ("f:at", "int64"),
        "note": ("f:note", "text"),
    },
)
CODECS = {field.column or b"": field.kind for field in SCHEMA.cells}
LEAST_RATIO = 1 / 1.05
"""Smallest allowed speed-up by pushdown."""


@dataclass(frozen=True)
class Query:
    """A query in both languages. ``{users}`` is the Parquet file."""

    name: str
    sql: str
    polars: Callable[[pl.LazyFrame, pl.LazyFrame], pl.LazyFrame]


def _queries(users: int) -> list[Query]:
    """The ten queries of a table with that many users."""
    low, high = f"u{users // 2:06}", f"u{users // 2 + 10:06}"
    tens = f"u{users // 2:06}"[:5]
    after = tens[:-1] + chr(ord(tens[-1]) + 1)
    keys = [f"u{number:06}-050" for number in range(0, users, max(1, users // 100))][:100]
    listed = ", ".join(f"'{key}'" for key in keys)
    within = (col("row") >= low) & (col("row") < high)
    total = pl.len(), col("amount").sum()
    return [
        Query(
            "point", f"SELECT * FROM events WHERE row = '{low}-050'", lambda t, _: t.filter(col("row") == f"{low}-050")
        ),
        Query(
            "key range",
            f"SELECT * FROM events WHERE row >= '{low}' AND row < '{high}'",
            lambda t, _: t.filter(within),
        ),
        Query(
            "prefix",
            f"SELECT kind, count(*) FROM events WHERE row >= '{tens}' AND row < '{after}' GROUP BY kind",
            lambda t, _: t.filter(col("row").str.starts_with(tens)).group_by("kind").len(),
        ),
        Query(
            "100 keys (IN)",
            f"SELECT * FROM events WHERE row IN ({listed})",
            lambda t, _: t.filter(col("row").is_in(keys)),
        ),
        Query(
            "value, 0.1 % of the rows",
            "SELECT count(*), sum(amount) FROM events WHERE amount < 1",
            lambda t, _: t.filter(col("amount") < 1).select(*total),
        ),
        Query(
            "value, 90 % of the rows",
            "SELECT count(*), sum(amount) FROM events WHERE amount < 900",
            lambda t, _: t.filter(col("amount") < 900).select(*total),
        ),
        Query(
            "key range and value",
            f"SELECT * FROM events WHERE row >= '{low}' AND row < '{high}' AND kind = 'buy'",
            lambda t, _: t.filter(within, col("kind") == "buy"),
        ),
        Query(
            "group by, 2 of 6 columns",
            "SELECT country, sum(amount) FROM events GROUP BY country",
            lambda t, _: t.group_by("country").agg(col("amount").sum()),
        ),
        Query("count", "SELECT count(*) FROM events", lambda t, _: t.select(pl.len())),
        Query(
            "join with a Parquet file",
            "SELECT tier, sum(amount) FROM events JOIN users ON users.user = substr(row, 1, 7) "
            f"WHERE row >= '{low}' AND row < '{high}' GROUP BY tier",
            lambda t, users: (
                t.filter(within)
                .with_columns(user=col("row").str.slice(0, 7))
                .join(users, on="user")
                .group_by("tier")
                .agg(col("amount").sum())
            ),
        ),
    ]


def fill(db: rs.Database, rows: int, users: Path) -> None:
    """Write the events, and the Parquet file of users."""
    db.create_table("events", ["f"])
    sink = Sink(db, "events", SCHEMA)
    for start in range(0, rows, 50_000):
        numbers = range(start, min(start + 50_000, rows))
        columns = {
            "row": [f"u{number // EVENTS_PER_USER:06}-{number % EVENTS_PER_USER:03}" for number in numbers],
            "kind": [KINDS[number % len(KINDS)] for number in numbers],
            # A permutation of the numbers, so that amounts do not follow the keys.
            "amount": [number * 7919 % 1_000_003 % 100_000 / 100 for number in numbers],
            "country": [COUNTRIES[number // EVENTS_PER_USER % len(COUNTRIES)] for number in numbers],
            "at": pa.array([1_700_000_000_000 + number for number in numbers], pa.int64()),
            "note": [NOTE] * len(numbers),
        }
        sink.write(pa.table(columns).to_batches())
    db.admin.flush("events")
    db.admin.major_compact("events")
    names = [f"u{number:06}" for number in range(rows // EVENTS_PER_USER)]
    tiers = [("gold", "silver", "none")[number % 3] for number in range(len(names))]
    pyarrow.parquet.write_table(pa.table({"user": names, "tier": tiers}), users)


Run = Callable[[Query], Any]


def _duckdb(db: rs.Database, users: Path, is_pushed: bool, query: Query) -> Any:
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.read_parquet(str(users)).create_view("users")
        if is_pushed:
            duckdb_view(connection, "events", Source(db, "events", SCHEMA))
        else:
            names = [field.pair for field in SCHEMA.cells]
            relation = db.table("events").scan(columns=names).duckdb(connection, key="text", codecs=CODECS)
            renamed = ", ".join(f'"f:{field.name}" AS "{field.name}"' for field in SCHEMA.cells)
            relation.project(f"row, {renamed}").create_view("events")
        return connection.execute(query.sql).fetchall()


def _polars(db: rs.Database, users: Path, is_pushed: bool, query: Query) -> Any:
    if is_pushed:
        frame = scan_polars(Source(db, "events", SCHEMA))
    else:
        scan = db.table("events").scan(columns=[field.pair for field in SCHEMA.cells])
        whole = scan.polars(key="text", codecs=CODECS)
        frame = whole.lazy().rename({f"f:{field.name}": field.name for field in SCHEMA.cells}).select(SCHEMA.names)
    return query.polars(frame, pl.scan_parquet(users)).collect().rows()


ENGINES = {"DuckDB": _duckdb, "Polars": _polars}


@dataclass
class Figures:
    """Cost of one query in one engine: CPU seconds with and without pushdown, and rows read."""

    seconds: dict[bool, list[float]]
    rows: dict[bool, int]


def measure(db: rs.Database, store: rs.Database, users: Path, queries: list[Query], rounds: int) -> dict[Any, Figures]:
    """Measure every query in both engines; rows are counted by ``store``, which has the files."""
    found = {(query.name, engine): Figures({True: [], False: []}, {}) for query in queries for engine in ENGINES}
    for number in range(rounds):
        for query in queries:
            for engine, run in ENGINES.items():
                figures = found[query.name, engine]
                answers = []
                for is_pushed in (True, False) if number % 2 else (False, True):
                    gc.collect()
                    before = store.admin.metrics.stats()["read_requests"]
                    began = time.process_time()
                    answer = run(db, users, is_pushed, query)
                    seconds = time.process_time() - began
                    answers.append(sorted(map(repr, _rounded(answer))))
                    figures.rows[is_pushed] = store.admin.metrics.stats()["read_requests"] - before
                    if number:
                        figures.seconds[is_pushed].append(seconds)
                if answers[0] != answers[1]:
                    raise AssertionError(f"{engine}, {query.name}: {answers[0][:3]} and {answers[1][:3]}")
        print(f"  round {number + 1} of {rounds}", file=sys.stderr)
    return found


def _rounded(rows: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Sums of floats depend on the order of their addition."""
    for row in rows:
        yield tuple(float(f"{value:.6g}") if isinstance(value, float) else value for value in row)


def lines(found: dict[Any, Figures]) -> list[str]:
    """The table."""
    heads = (
        "query",
        "engine",
        "rows read",
        "without pushdown",
        "CPU s",
        "without pushdown",
        "times faster",
        "≥ 1/1.05",
    )
    texts = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for (query, engine), figures in found.items():
        pushed, whole = min(figures.seconds[True]), min(figures.seconds[False])
        goal = "✓" if whole / pushed >= LEAST_RATIO else "✗"
        rows = f"{figures.rows[True]:,} | {figures.rows[False]:,}"
        texts.append(f"| {query} | {engine} | {rows} | {pushed:.3f} | {whole:.3f} | {whole / pushed:.2f} | {goal} |")
    return texts


@contextmanager
def opened(folder: Path, rows: int, is_served: bool) -> Iterator[tuple[rs.Database, rs.Database]]:
    """The database that the engines ask, and the one that has the files."""
    with rs.connect(folder / "db", cache_bytes=1 << 30) as store:
        fill(store, rows, folder / "users.parquet")
        if not is_served:
            yield store, store
            return
        with rs.serve(store, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            yield client, store


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=5, help="the first does not count")
    parser.add_argument("--served", action="store_true", help="through a server in this process")
    parser.add_argument("--document", type=Path, help="write the table into this document")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("--rounds must be at least 2: the first does not count")
    versions = f"rowstone {rs.__version__}, duckdb {duckdb.__version__}, polars {pl.__version__}"
    facts = machine(versions)
    with tempfile.TemporaryDirectory() as name, opened(Path(name), options.rows, options.served) as (db, store):
        queries = _queries(options.rows // EVENTS_PER_USER)
        texts = lines(measure(db, store, Path(name) / "users.parquet", queries, options.rounds))
    facts["load at the end"] = load()
    place = "through a server in the same process" if options.served else "in a directory, from the cache"
    caption = (
        f"{options.rows:,} rows of five columns, {place}; the best of {options.rounds - 1} interleaved "
        f"rounds. {machine_text(facts)}"
    )
    publish("\n".join([*texts, "", caption]), options.document, "engines-served" if options.served else "engines")


if __name__ == "__main__":
    main()
