"""A conversation in happybase's API, and its answers as text: the same code talks to happybase and to ours.

    python -m tests.happybase.conversation HOST PORT > tests/happybase/recorded.txt

records happybase's answers in an environment where happybase is installed; HOST and PORT are those of an HBase's Thrift
gateway. The tables `conversation` and `conversation2` there are deleted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

Step = tuple[str, Callable[[], Any]]

_JAVA_CLASS = re.compile(rb"\b[a-z][\w.]*\.([A-Z]\w*Exception)\b")
_VOLATILE = re.compile(r"(?<='id': )\d+|(?<=,)\d{13}(?=\.)|[0-9a-f]{32}|(?<='port': )\d+")


def answers(connection: Any) -> Iterator[str]:
    """A line for each step: its label and what came back."""
    for part in (schema, reads, writes, counters, scans, disabled):
        for name in (b"conversation", b"conversation2"):
            if name in connection.tables():
                connection.delete_table(name, disable=True)
        connection.create_table("conversation", {"cf1": {}, "cf2": None, "cf3:": {"max_versions": 1}})
        for label, call in part(connection, connection.table("conversation")):
            yield f"{part.__name__}: {label} -> {_answer(call)}"


def _answer(call: Callable[[], Any]) -> str:
    try:
        return _VOLATILE.sub("#", repr(call()))
    except Exception as error:
        return f"! {type(error).__name__} {_java_class(error)}".rstrip()


def _java_class(error: Exception) -> str:
    """The last Java class that the first line of the message names: the reason, behind those that wrap it."""
    message = getattr(error, "message", None)
    if not isinstance(message, bytes):
        return ""
    names = _JAVA_CLASS.findall(message.split(b"\n\tat ")[0])
    return names[-1].decode() if names else ""


def schema(c: Any, t: Any) -> Iterator[Step]:
    """Tables, families, regions."""
    all_options = {
        "max_versions": 7,
        "time_to_live": 60,
        "bloom_filter_type": "ROW",
        "compression": "gz",
        "in_memory": True,
        "block_cache_enabled": True,
    }

    def create(families: Any, name: str = "conversation2") -> Step:
        return f"create {name} {families}", lambda: c.create_table(name, families)

    yield "families", t.families
    yield "regions", t.regions
    yield "families of none", c.table("nope").families
    yield "regions of none", c.table("nope").regions
    yield create({"cf": all_options})
    yield "families of all options", c.table("conversation2").families
    yield create({"cf": {}})
    for families in (
        {"cf": {"nope": 1}},
        {"cf": {"bloom_filter_type": "X"}},
        {"cf": {"compression": "X"}},
        {"cf": {"max_versions": 0}},
        {"c/f": {}},
        {},
        0,
        [],
    ):
        yield create(families, "conversation3")
    yield create({"cf": {}}, "no:conversation")
    yield "delete enabled", lambda: c.delete_table("conversation")
    yield "delete missing", lambda: c.delete_table("nope")
    yield "delete missing, disable", lambda: c.delete_table("nope", disable=True)
    yield "enable enabled", lambda: c.enable_table("conversation")
    yield "enable missing", lambda: c.enable_table("nope")
    yield "disable missing", lambda: c.disable_table("nope")
    yield "enabled", lambda: c.is_table_enabled("conversation")
    yield "enabled missing", lambda: c.is_table_enabled("nope")
    yield "compact", lambda: c.compact_table("conversation")
    yield "compact major", lambda: c.compact_table("conversation", major=True)
    yield "compact missing", lambda: c.compact_table("nope")
    yield "type of a name", lambda: c.table(5)


def reads(c: Any, t: Any) -> Iterator[Step]:
    """row, rows, cells."""
    t.put("r", {"cf1:a": "1", "cf1:b": "2", "cf2:": "e", "cf2:x": "x"}, timestamp=100)
    t.put("r", {"cf1:a": "1b"}, timestamp=200)
    yield "row", lambda: t.row("r")
    yield "row with timestamps", lambda: t.row(b"r", include_timestamp=True)
    yield "row missing", lambda: t.row("x")
    yield "row of no table", lambda: c.table("nope").row("r")
    for columns in (
        ["cf1"], ["cf1:"], ["cf2:"], ["cf2"], [], ["cf1", "cf1:a"], ["cf1:a", "cf1"], ["cf1:a", b"cf1:b"],
        ["cf1:b", "cf2"], ["none"], ["none:x"], ("cf1:a",), ["cf1:a:b"],
    ):  # fmt: skip
        yield f"row {columns}", lambda columns=columns: t.row("r", columns)
        yield f"scan {columns}", lambda columns=columns: list(t.scan(columns=columns))
        yield f"rows {columns}", lambda columns=columns: t.rows(["r"], columns)
    for timestamp in (0, 1, 100, 101, 200, 201):
        yield f"row {timestamp}", lambda timestamp=timestamp: t.row("r", timestamp=timestamp, include_timestamp=True)
        yield f"cells {timestamp}", lambda timestamp=timestamp: t.cells("r", "cf1:a", timestamp=timestamp)
    yield "row of wrong columns", lambda: t.row("r", 123)
    yield "row of a wrong timestamp", lambda: t.row("r", timestamp="x")
    yield "rows", lambda: t.rows(["r", "x", "r"])
    yield "rows of none", lambda: t.rows([])
    yield "rows older", lambda: t.rows(("r", "x"), timestamp=150)
    yield "rows with columns", lambda: t.rows(["r"], columns=["cf1:a"], include_timestamp=True)
    yield "cells", lambda: t.cells("r", "cf1:a", include_timestamp=True)
    yield "cells of a family", lambda: t.cells("r", "cf1", include_timestamp=True)
    yield "cells of an empty qualifier", lambda: t.cells("r", "cf2:", include_timestamp=True)
    yield "cells, one version", lambda: t.cells("r", "cf1:a", versions=1)
    yield "cells missing", lambda: t.cells("r", "cf1:zz")
    yield "cells of no family", lambda: t.cells("r", "none:zz")
    yield "cells, no version", lambda: t.cells("r", "cf1:a", versions=0)
    yield "cells, wrong versions", lambda: t.cells("r", "cf1:a", versions="x")
    t.put("many", {"cf1:a": "1", "cf3:a": "1"}, timestamp=1)
    for number in range(2, 6):
        t.put("many", {"cf1:a": str(number), "cf3:a": str(number)}, timestamp=number)
    yield "versions by default", lambda: t.cells("many", "cf1:a")
    yield "one version kept", lambda: t.cells("many", "cf3:a")


def writes(c: Any, t: Any) -> Iterator[Step]:
    """put, delete, batches."""

    def batch(*changes: tuple[str, ...], **options: Any) -> Any:
        with t.batch(**options) as b:
            for name, row, *rest in changes:
                getattr(b, name)(row, *rest)

    yield "put a family only", lambda: t.put("r", {"cf1": "1"})
    yield "put to no family", lambda: t.put("r", {"none:q": "1"})
    yield "put an empty row", lambda: t.put("", {"cf1:q": "1"})
    yield "put no value", lambda: (t.put("r2", {"cf1:q": None}), t.row("r2"))
    yield "put nothing", lambda: (t.put("r3", {}), t.row("r3"))
    yield "put a list", lambda: t.put("r3", [("cf1:q", "x")])
    yield "put without log", lambda: (t.put("r4", {"cf1:q": "x"}, wal=False), t.row("r4"))
    one = {"cf1:q": "1"}
    yield (
        "batch with a bad row",
        lambda: batch(("put", "k1", one), ("put", "bad", {"none:q": "1"}), ("put", "k2", one), ("delete", "r2")),
    )
    yield "after it", lambda: t.rows(["k1", "bad", "k2", "r2"])
    yield "batch with a bad column", lambda: batch(("put", "k3", one), ("put", "bad", {"none": "1"}))
    yield "after that", lambda: t.rows(["k3", "bad"])
    yield "delete, then put", lambda: batch(("delete", "o", ["cf1:q"]), ("put", "o", {"cf1:q": "1", "cf1:z": "z"}))
    yield "puts come first", lambda: t.row("o")
    yield "put thrice", lambda: batch(("put", "p", one), ("put", "p", {"cf1:q": "2"}), ("put", "p", {b"cf1:q": b"3"}))
    yield "the last", lambda: t.row("p")
    yield "batch at a time", lambda: batch(("put", "s", {"cf1:a": "1", "cf1:b": "2"}), timestamp=77)
    yield "its time", lambda: t.row("s", include_timestamp=True)
    yield "batch of a wrong time", lambda: t.batch(timestamp="x")
    yield "batch of size 0", lambda: t.batch(batch_size=0)
    yield "batch of both", lambda: t.batch(batch_size=1, transaction=True)
    two = {"cf1:": "e", "cf1:x": "x"}
    yield "delete an empty qualifier", lambda: (t.put("d", two), t.delete("d", ["cf1:"]), t.row("d"))
    yield "delete a family", lambda: (t.put("d", two), t.delete("d", ["cf1"]), t.row("d"))
    yield "delete of no family", lambda: t.delete("d", ["none"])
    yield "delete nothing", lambda: (t.put("d2", two), t.delete("d2", []), t.row("d2"))
    yield "delete a row", lambda: (t.put("d3", {"cf1:a": "1", "cf2:a": "2"}), t.delete("d3"), t.row("d3"))
    for stamp in (10, 20, 30):
        t.put("e", {"cf1:x": str(stamp)}, timestamp=stamp)
    yield "delete up to a time", lambda: (t.delete("e", timestamp=20), t.cells("e", "cf1:x", include_timestamp=True))
    for stamp in (10, 20, 30):
        t.put("f", {"cf1:x": str(stamp)}, timestamp=stamp)
    yield (
        "delete a column up to a time",
        lambda: (t.delete("f", ["cf1:x"], timestamp=10), t.cells("f", "cf1:x", include_timestamp=True)),
    )


def counters(c: Any, t: Any) -> Iterator[Step]:
    """Counters."""
    yield "get makes it", lambda: (t.counter_get("c", "cf1:n"), t.row("c"))
    yield "inc", lambda: t.counter_inc("c", "cf1:n", 5)
    yield "dec", lambda: t.counter_dec("c", "cf1:n")
    yield "value", lambda: t.row("c")
    yield "set", lambda: (t.counter_set("c", "cf1:n", -7), t.counter_get("c", "cf1:n"))
    yield "set to 0", lambda: (t.counter_set("c", "cf1:n"), t.counter_get("c", "cf1:n"))
    yield "a family only", lambda: (t.counter_inc("c2", "cf1"), t.row("c2"))
    t.put("c3", {"cf1:a": "text"})
    yield "not a counter", lambda: t.counter_inc("c3", "cf1:a")
    yield "of no family", lambda: t.counter_inc("c", "none:n")
    yield "set too large", lambda: t.counter_set("c", "cf1:n", 2**63)


def scans(c: Any, t: Any) -> Iterator[Step]:
    """Scans."""
    for key in ("a", "ab", "abc", "abd", "ac", "b", "ba"):
        t.put(key, {"cf1:1": key, "cf1:2": "2", "cf2:3": "3"}, timestamp=50)

    def keys(**arguments: Any) -> Step:
        return f"keys {arguments}", lambda: [key for key, _ in t.scan(**arguments)]

    def rows(**arguments: Any) -> Step:
        return f"rows {arguments}", lambda: list(t.scan(**arguments))

    yield keys()
    yield keys(row_prefix=b"ab")
    yield keys(row_prefix=b"")
    yield keys(row_prefix=b"", reverse=True)
    yield keys(row_prefix=b"ab", reverse=True)
    yield keys(reverse=True)
    yield keys(reverse=True, limit=3)
    yield keys(row_start=b"ab", row_stop=b"b")
    yield keys(row_start="ab")
    yield keys(row_stop="ab")
    yield keys(row_start="abd", row_stop="ab", reverse=True)
    yield keys(row_start="ab", row_stop="abd", reverse=True)
    yield keys(row_start="b", row_stop="a")
    yield keys(row_start="ab", row_stop="ab")
    yield keys(row_start="abb", row_stop="abb")
    yield keys(row_prefix=b"a", row_start=b"a")
    yield keys(limit=2, batch_size=1)
    yield keys(limit=2, scan_batching=1)
    yield rows(scan_batching=2, row_stop=b"abc")
    yield rows(scan_batching=2, limit=3)
    yield rows(sorted_columns=True, limit=1)
    yield rows(sorted_columns=True, include_timestamp=True, limit=1)
    yield rows(include_timestamp=True, limit=1)
    yield rows(columns=["cf2"], limit=1)
    yield keys(timestamp=0)
    yield keys(timestamp=50)
    yield keys(timestamp=51, limit=1)
    for name in ("batch_size", "limit", "scan_batching"):
        yield keys(**{name: 0})
    yield "of no table", lambda: list(c.table("nope").scan())
    yield "a generator", lambda: (scanner := t.scan(), next(scanner)[0], scanner.close(), next(scanner, None))[1:]
    yield keys(filter="PrefixFilter('ab')")
    yield rows(filter=b"KeyOnlyFilter()", row_stop=b"ab")
    yield keys(filter="SingleColumnValueFilter('cf1', '1', >=, 'binary:abd')")


def disabled(c: Any, t: Any) -> Iterator[Step]:
    """A disabled table."""
    yield "enabled", lambda: c.is_table_enabled("conversation")
    yield "disable", lambda: c.disable_table("conversation")
    yield "disable again", lambda: c.disable_table("conversation")
    yield "enabled now", lambda: c.is_table_enabled("conversation")
    yield "row", lambda: t.row("r")
    yield "scan", lambda: list(t.scan())
    yield "families", lambda: sorted(t.families())
    yield "enable", lambda: c.enable_table("conversation")
    yield "row again", lambda: t.row("r")
    yield "put again", lambda: t.put("r", {"cf1:a": "1"})
    yield "disable, delete", lambda: c.delete_table("conversation", disable=True)
    yield "gone", lambda: b"conversation" in c.tables()


if __name__ == "__main__":
    import happybase  # type: ignore[import-untyped,unused-ignore]

    for line in answers(happybase.Connection(sys.argv[1], int(sys.argv[2]))):
        print(line)
