"""Spans of table calls: HBase's names and attributes, errors, duration of scans, and no overhead without tracing."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry.trace import SpanKind, StatusCode

import rowstone as rs
from rowstone import _native, errors
from tests.tracing.conftest import Kept


def opened(spans: Kept, *tables: str) -> rs.Database:
    db = rs.connect(":memory:", tracing=spans.provider)
    for name in tables or ("t",):
        db.create_table(name, ["f"])
    return db


PUT = rs.Put("r", {"f:q": b"v"})
CALLS: dict[str, tuple[Callable[[rs.Table], Any], str, list[str]]] = {
    "get": (lambda t: t.get("r"), "GET", []),
    "value": (lambda t: t.value("r", "f:q"), "GET", []),
    "item": (lambda t: t["r"], "GET", []),
    "exists": (lambda t: "r" in t, "GET", []),
    "put": (lambda t: t.put("r", {"f:q": "v"}), "PUT", []),
    "delete": (lambda t: t.delete("r", ["f:x"]), "DELETE", []),
    "increment": (lambda t: t.increment("n", "f:n", 1), "INCREMENT", []),
    "append": (lambda t: t.append("a", {"f:a": "x"}), "APPEND", []),
    "get_many": (lambda t: t.get_many(["r", "s"]), "BATCH", ["GET"]),
    "exists_many": (lambda t: t.exists_many(["r", "s"]), "BATCH", ["GET"]),
    "multi": (
        lambda t: t.multi(each for each in (PUT, rs.Get("r"), rs.Delete("s"))),
        "BATCH",
        ["DELETE", "GET", "PUT"],
    ),
    "mutate_row": (lambda t: t.mutate_row("r", [PUT, rs.Delete("r", ["f:x"])]), "BATCH", ["DELETE", "PUT"]),
    "check": (
        lambda t: t.check_and_mutate("r", "f:q", "=", "v", PUT),
        "CHECK_AND_MUTATE",
        ["CHECK_AND_MUTATE", "PUT"],
    ),
    "scan": (lambda t: list(t.scan()), "SCAN", []),
    "keys": (lambda t: list(t), "SCAN", []),
}


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_a_span(spans: Kept, call: str) -> None:
    run, operation, inside = CALLS[call]
    with opened(spans, "t") as db, rs.connect(":memory:") as plain:
        plain.create_table("t", ["f"])
        for database in (db, plain):
            database.table("t").put("r", {"f:q": "v"}, timestamp=1)
        spans.take()
        assert _without_times(run(db.table("t"))) == _without_times(run(plain.table("t")))
        [span] = spans.take()
    assert (span.name, span.kind) == (f"{operation} default:t", SpanKind.CLIENT)
    expected: dict[str, object] = {
        "db.system": "hbase",
        "db.connection_string": ":memory:",
        "db.name": "default",
        "db.namespace": "default",
        "db.operation": operation,
        "db.hbase.table": "t",
    }
    if inside:
        expected["db.hbase.container_operations"] = tuple(inside)
    assert dict(span.attributes or {}) == expected


def _without_times(result: Any) -> Any:
    """The result of a call, without times."""
    if isinstance(result, list):
        return [_without_times(each) for each in result]
    return dict(result) if isinstance(result, rs.Row) else type(result) if result is not True else True


def test_a_table_of_a_namespace(spans: Kept) -> None:
    with rs.connect(":memory:", tracing=spans.provider) as db:
        db.admin.namespaces.create("n")
        db.create_table("n:t", ["f"])
        db.table("n:t").get("r")
    [span] = spans.take()
    assert span.name == "GET n:t"
    assert span.attributes is not None
    assert (span.attributes["db.name"], span.attributes["db.hbase.table"]) == ("n", "n:t")


def test_an_error_is_recorded_and_raised(spans: Kept) -> None:
    with opened(spans) as db:
        with pytest.raises(errors.NoSuchColumnFamily):
            db.table("t").put("r", {"none:q": "v"})
        with pytest.raises(errors.NoSuchColumnFamily):
            db.table("t").scan(columns=["none"])
        with pytest.raises(errors.InvalidType):
            db.table("t").multi(7)  # type: ignore[arg-type]
    for span in spans.take():
        assert span.status.status_code is StatusCode.ERROR
        assert [event.name for event in span.events] == ["exception"]


def test_the_span_of_a_scan_lasts_until_its_end_or_close(spans: Kept) -> None:
    with opened(spans) as db:
        table = db.table("t")
        with table.batch() as batch:
            for number in range(10):
                batch.put(f"r{number}", {"f:q": "v"})
            assert len(batch) == 10
            assert spans.names() == []
        assert spans.names() == ["BATCH default:t"]
        with table.scan() as scanner:
            assert next(scanner).key == b"r0"
            assert spans.names() == []
        assert spans.names() == ["SCAN default:t"]
        rows = iter(table.scan())
        assert len(list(rows)) == 10
        assert spans.names() == ["SCAN default:t"]
        assert len(table.scan().to_columns()[0]) == 10


def test_a_scan_read_to_its_end_has_no_error(spans: Kept, caplog: pytest.LogCaptureFixture) -> None:
    """Regression: the end of a scan was recorded as an exception event, and `close` then ended the span again."""
    with opened(spans) as db:
        table = db.table("t")
        table.put("r", {"f:q": "v"})
        spans.take()
        with table.scan() as scanner:
            assert len(list(scanner)) == 1
            assert next(scanner, None) is None
            scanner.close()
        [span] = spans.take()
    assert span.status.status_code is StatusCode.UNSET
    assert span.events == ()
    assert caplog.text == ""


WHOLE: dict[str, Callable[[rs.Scanner], Any]] = {
    "arrow": lambda scanner: scanner.arrow(),
    "to_columns": lambda scanner: scanner.to_columns(),
    "pandas": lambda scanner: scanner.pandas(),
    "polars": lambda scanner: scanner.polars(),
    "duckdb": lambda scanner: scanner.duckdb(),
    "pairs": lambda scanner: list(scanner.pairs("f:q")),
    "batches": lambda scanner: list(iter(scanner._next_rows, [])),
}


@pytest.mark.parametrize("way", WHOLE)
def test_a_scan_that_is_read_as_a_whole_ends_its_span(spans: Kept, way: str) -> None:
    """Regression: only iterating or closing ended the span, so that it was never exported."""
    with opened(spans) as db:
        db.table("t").put("r", {"f:q": "v"})
        scanner = db.table("t").scan()
        spans.take()
        assert WHOLE[way](scanner) is not None
        [span] = spans.take()
        assert (span.name, span.status.status_code) == ("SCAN default:t", StatusCode.UNSET)
        scanner.close()
        assert spans.take() == []


def test_a_garbage_collected_scan_ends_its_span(spans: Kept) -> None:
    with opened(spans) as db:
        scanner = db.table("t").scan()
        assert spans.take() == []
        del scanner
        gc.collect()
        assert spans.names() == ["SCAN default:t"]
        pairs = db.table("t").scan().pairs("f:q")
        gc.collect()
        assert spans.take() == []
        assert list(pairs) == []
        assert spans.names() == ["SCAN default:t"]


def test_a_call_is_a_child_of_the_current_span(spans: Kept) -> None:
    tracer = spans.provider.get_tracer("test")
    with opened(spans) as db, tracer.start_as_current_span("ours") as ours:
        db.table("t").put("r", {"f:q": "v"})
        [put] = spans.take()
        assert put.parent is not None
        assert put.parent.span_id == ours.get_span_context().span_id


def test_spans_of_asyncio_and_of_users(spans: Kept) -> None:
    tracer = spans.provider.get_tracer("test")

    async def run() -> None:
        async with rs.aio.connect(":memory:", tracing=spans.provider) as db:
            await db.create_table("t", ["f"])
            with tracer.start_as_current_span("ours") as ours:
                await db.table("t").put("r", {"f:q": "v"})
                for _ in range(2):
                    await db.table("t").get("r")
            assert {span.parent.span_id for span in spans.take() if span.parent} == {ours.get_span_context().span_id}
            assert [row.key async for row in db.table("t").scan()] == [b"r"]
            assert spans.names() == ["SCAN default:t"]
            # Regression: a TypeError, because the method of the store's scanner received another scanner.
            assert (await db.table("t").scan().to_columns())[0] == [b"r"]
            assert spans.names() == ["SCAN default:t"]

    asyncio.run(run())
    rights = {"hbase.security.authorization": True}
    with rs.connect(":memory:", tracing=spans.provider, configuration=rights) as db:
        db.create_table("t", ["f"])
        spans.take()
        with pytest.raises(errors.AccessDenied):
            db.as_user("ann").table("t").put("r", {"f:q": "v"})
    assert spans.names() == ["PUT default:t"]


def test_without_tracing_calls_are_not_wrapped() -> None:
    code = """
import sys, rowstone as rs
from rowstone import _native
db = rs.connect(":memory:")
db.create_table("t", ["f"])
table = db.table("t")
assert type(table) is rs.Table
for name in ("get", "put", "scan", "multi", "batch"):
    assert getattr(rs.Table, name) is getattr(_native.Table, name), name
assert not [name for name in sys.modules if name.startswith(("opentelemetry", "rowstone._core.tracing"))]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_wrong_values_and_a_missing_package(spans: Kept) -> None:
    with pytest.raises(errors.InvalidType, match="TracerProvider"):
        rs.connect(":memory:", tracing="yes")  # type: ignore[arg-type]
    code = (
        "import sys; sys.modules['opentelemetry'] = None\nimport rowstone\n"
        "try: rowstone.connect(':memory:', tracing=True)\nexcept ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "rowstone[tracing]" in done.stdout


def test_trace_headers_are_restored(spans: Kept) -> None:
    """A thread has trace headers only while it is in a span."""
    with rs.testing.server() as url, rs.connect(url, tracing=spans.provider) as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        assert _native.set_trace_headers([]) == []
