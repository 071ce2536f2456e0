"""Tests of OpenTSDB that speak with its TSD: queries, puts, annotations, trees. Each returns what the TSD answered."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import rowstone as rs
from tests.ecosystem.running import Failed, Running

BEGIN = 1_700_000_000
END = BEGIN + 20_000
START_SECONDS = 300
FLUSH_SECONDS = 300
ANSWER_SECONDS = 120
QUERIES = (
    "sum:cpu.load",
    "avg:cpu.load{host=h07}",
    "max:1h-avg:cpu.load{host=*}",
    "sum:rate:10m-sum:cpu.load{core=1|2}",
    "p99:1h-max-zero:cpu.load",
    "dev:30m-count:cpu.load{host=wildcard(h1*)}{core=not_literal_or(0)}",
    "none:6h-last:cpu.load{host=h03}",
    "mimmin:1h-min:cpu.load{host=regexp(h[0-4]5)}",
)
MILLION_QUERIES = ("sum:1h-count:disk.busy", "avg:1m-avg:disk.busy{core=*}", "p95:6h-max:disk.busy{host=*}")


class Daemon:
    """A running TSD and its HTTP interface."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, path: str, body: object = None, method: str | None = None, *, refused: int = 0) -> Any:
        """A request's answer: its JSON, without the times at which things were created; or the expected refusal."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            if error.code == refused:
                return refused
            raise Failed(f"{path} was answered with {error.code}: {error.read().decode()[:200]}") from None
        return json.loads(re.sub(r'"(created|lastReceived)":\d+', r'"\1":0', text) or "null")


@contextmanager
def serving(running: Running, configuration: str = "opentsdb.conf") -> Iterator[Daemon]:
    """A TSD for the time of a test."""
    found = re.search(r"tsd.network.port = (\d+)", (running.folder / configuration).read_text())
    assert found is not None
    port = int(found[1])
    with running.service("tsd", "net.opentsdb.tools.TSDMain", f"--config={running.folder / configuration}") as process:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                break
            except OSError:
                time.sleep(0.2)
        else:
            raise Failed("the TSD did not start")
        yield Daemon(port)


def summarize(*answers: object) -> str:
    """Answers as their number of bytes and their digest: equal if all of them are."""
    text = json.dumps(sort_names(answers), sort_keys=True)
    return f"{len(text)} bytes, {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def sort_names(answer: Any) -> Any:
    """The answer with lists of names, such as those of aggregated tags, in their order: a TSD lists them in any."""
    if isinstance(answer, dict):
        return {key: sort_names(value) for key, value in answer.items()}
    if not isinstance(answer, list | tuple):
        return answer
    items = [sort_names(each) for each in answer]
    return sorted(items) if all(isinstance(each, str) for each in items) else items


def query(running: Running, queries: Sequence[str] = QUERIES, end: int = END) -> str:
    """The answers of all queries."""
    with serving(running) as daemon:
        paths = [
            f"/api/query?start={BEGIN}&end={end}&show_tsuids=true&m={urllib.parse.quote(each)}" for each in queries
        ]
        answers = [sorted(daemon.call(path), key=json.dumps) for path in paths]
        if not all(answer and answer[0]["dps"] for answer in answers):
            raise Failed("a query found no points")
        return summarize(*answers)


def query_million(running: Running) -> str:
    """The answers of queries that read a million points."""
    return query(running, MILLION_QUERIES, BEGIN + 100_000)


def compact(running: Running) -> str:
    """The content of the table when a query has made the TSD merge the columns of all its rows."""
    with serving(running) as daemon, rs.connect(running.target.url) as db:
        daemon.call(f"/api/query?start={BEGIN}&end={END}&m=sum:6h-sum:cpu.load")
        end = time.monotonic() + FLUSH_SECONDS
        before = -1
        # The TSD answers before it has written; it is done when two counts are equal.
        while (cells := sum(len(row.cells) for row in db.table("tsdb").scan())) != before and time.monotonic() < end:
            before = cells
            time.sleep(2)
    return running.describe_table("tsdb", timestamps=False)


def suggest(running: Running) -> str:
    """Suggestions of names, and the aggregators."""
    with serving(running) as daemon:
        kinds = ("metrics", "tagk", "tagv")
        names = [daemon.call(f"/api/suggest?type={kind}&q={q}&max=1000") for kind in kinds for q in ("", "c", "h1")]
        return summarize(names, daemon.call("/api/aggregators"), daemon.call("/api/uid/assign?metric=a.new,b.new"))


def put(running: Running) -> str:
    """Points of all kinds, written by HTTP and by telnet, and read again."""
    with serving(running) as daemon:
        points = [
            {
                "metric": "disk.free",
                "timestamp": BEGIN + 60 * number,
                "value": value,
                "tags": {"host": f"h{number % 3}"},
            }
            for number, value in enumerate([1, -1, 2**40, 0.5, -1e-9, 3.25e30, 255, 65_536, 2**62])
        ]
        points += [{"metric": "disk.free", "timestamp": BEGIN * 1000 + 7, "value": 1, "tags": {"host": "milliseconds"}}]
        points += [{"metric": "disk.free", "timestamp": BEGIN, "value": "no number", "tags": {"host": "h1"}}]
        details = daemon.call("/api/put?summary&sync", points[:-1])
        refused = daemon.call("/api/put?details", points[-1:], refused=400)
        with socket.create_connection(("127.0.0.1", daemon.port), timeout=60) as telnet:
            lines = [f"put mem.used {BEGIN + number} {number} host=telnet\n" for number in range(1_000)]
            telnet.sendall("".join([*lines, "version\n"]).encode())
            answer = telnet.recv(100)
        time.sleep(2)
        found = [
            daemon.call(f"/api/query?start={BEGIN}&end={END}&ms=true&m=sum:{name}{{host=*}}")
            for name in ("disk.free", "mem.used")
        ]
        last = daemon.call("/api/query/last?timeseries=mem.used{host=telnet}&resolve=true&back_scan=24")
        ordered = [sorted(each, key=json.dumps) for each in found]
        return summarize(details, refused, bool(answer), ordered, last)


def annotate(running: Running) -> str:
    """Annotations, written, changed, found and deleted."""
    with serving(running) as daemon:
        note = {"startTime": BEGIN + 5, "description": "a note", "custom": {"owner": "ada"}}
        written = daemon.call("/api/annotation", note)
        changed = daemon.call("/api/annotation", {**note, "notes": "more"})
        bulk = daemon.call("/api/annotation/bulk", [{**note, "startTime": BEGIN + each} for each in range(10, 20)])
        found = daemon.call(
            f"/api/query?start={BEGIN}&end={BEGIN + 600}&global_annotations=true&m=sum:10m-sum:cpu.load"
        )
        daemon.call(f"/api/annotation?start_time={BEGIN + 5}", method="DELETE")
        deleted = daemon.call(f"/api/annotation?start_time={BEGIN + 5}", refused=404)
    return summarize(written, changed, bulk, found, deleted)


def delete(running: Running) -> str:
    """A query that deletes what it finds, and what is left."""
    with serving(running) as daemon:
        span = f"start={BEGIN}&end={BEGIN + 600}&m=sum:disk.free{{host=*}}"
        found = sorted(daemon.call(f"/api/query?{span}&delete=true", method="DELETE"), key=json.dumps)
        time.sleep(2)
        left = daemon.call(f"/api/query?{span}")
    return summarize(found, left)


def look_up(running: Running) -> str:
    """The series of a metric and of tags."""
    with serving(running) as daemon:
        paths = ("cpu.load", "cpu.load{host=h07}", "{core=1}")
        answers = [
            daemon.call(f"/api/search/lookup?limit=1000&use_meta=false&m={urllib.parse.quote(path)}") for path in paths
        ]
        for answer in answers:
            answer.pop("time", None)
            answer["results"].sort(key=json.dumps)
        return summarize(*answers)


RULES = [
    {"type": "METRIC", "level": 0, "order": 0, "separator": "\\."},
    {"type": "TAGK", "field": "host", "level": 1, "order": 0},
    {"type": "TAGK", "field": "core", "level": 2, "order": 0},
]


def define_tree(running: Running) -> str:
    """A tree with rules, and what it would do with a series."""
    with serving(running, "meta.conf") as daemon:
        created = daemon.call("/api/tree", {"name": "hosts", "description": "by host", "enabled": True})
        ruled = daemon.call("/api/tree/rules", [{"treeId": 1, **rule} for rule in RULES])
        trees = daemon.call("/api/tree?treeid=1")
        series = daemon.call("/api/search/lookup?limit=5&use_meta=false&m=cpu.load%7Bhost%3Dh07%7D")["results"]
        tested = [
            daemon.call(f"/api/tree/test?treeid=1&tsuids={each['tsuid']}") for each in sorted(series, key=json.dumps)
        ]
        return summarize(created, ruled, trees, tested)


def browse_tree(running: Running) -> str:
    """The number of the tree's branches, from its root down. What a branch lists differs from run to run."""
    with serving(running, "meta.conf") as daemon:
        branches = [daemon.call("/api/tree/branch?treeid=1")]
        for branch in branches:
            found = branch.get("branches") or []
            branches += [
                daemon.call(f"/api/tree/branch?branch={each['branchId']}") for each in sorted(found, key=json.dumps)
            ]
        if len(branches) < 50:
            raise Failed(f"the tree has {len(branches)} branches")
        return f"{len(branches)} branches"


def track(running: Running) -> str:
    """Meta data of series that appear while it is tracked: found, counted, changed."""
    with serving(running, "meta.conf") as daemon:
        points = [
            {"metric": "new.metric", "timestamp": BEGIN + each, "value": each, "tags": {"host": "h01"}}
            for each in range(20)
        ]
        written = daemon.call("/api/put?summary&sync", points)
        time.sleep(3)
        found = daemon.call("/api/search/lookup?limit=5&use_meta=true&m=new.metric")["results"]
        series = daemon.call(f"/api/uid/tsmeta?tsuid={found[0]['tsuid']}")
        changed = daemon.call("/api/uid/tsmeta", {"tsuid": found[0]["tsuid"], "displayName": "new", "units": "bytes"})
        name = daemon.call(f"/api/uid/uidmeta?uid={found[0]['tsuid'][:6]}&type=metric")
        return summarize(written, found, series, changed, name)
