"""The shell on a real HBase: what our client does there shows as the recordings of HBase's own shell do."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.shell import execute, loop
from rowstone.shell.errors import ShellError
from rowstone.shell.session import Session
from tests.shell.differences import reason
from tests.shell.transcript import Exchange, recorded, typed_into

NOT_ASKED = "this client does not ask a cluster for that yet"
SIZES = "sizes and requests of a region are not asked for"

CLUSTER_DIFFERENCES = {
    "ddl": {r"list_regions .*": SIZES},
    "dml": {r".*AUTHORIZATIONS.*": NOT_ASKED},
    "namespace": {},
    "snapshots": {r"list_snapshot_sizes": NOT_ASKED},
}
"""By recording: what was typed, and why the answer differs on a cluster though not on a directory."""


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def differs(name: str, typed: str) -> bool:
    why = reason(name, typed)
    return (why is not None and not why.startswith("waits: ")) or any(
        re.fullmatch(pattern, typed) for pattern in CLUSTER_DIFFERENCES[name]
    )


def comparable(exchange: Exchange) -> list[str]:
    """The lines of an answer; those of lists of snapshots, which HBase gives in any order, in order."""
    lines = exchange.answer.splitlines()
    in_any_order = exchange.typed.startswith(("list_snapshots", "list_table_snapshots"))
    return sorted(re.sub(r"^=> .*", "", line) for line in lines) if in_any_order else lines


@pytest.mark.parametrize("name", sorted(CLUSTER_DIFFERENCES))
def test_the_shell_answers_on_a_cluster_as_hbases(cluster: rs.Database, name: str) -> None:
    for table in cluster.tables():
        cluster.drop_table(table)
    theirs = recorded(f"{name}.txt")
    ours = typed_into(cluster, theirs)
    for before, after in zip(theirs, ours, strict=True):
        if not differs(name, before.typed):
            assert comparable(after) == comparable(before), before.typed


def test_servers_and_regions_of_a_cluster(cluster: rs.Database, table: rs.Table) -> None:
    assert re.match(r"1 active master, 0 backup masters, 2 servers, 0 dead, ", execute(cluster, "status"))
    servers = execute(cluster, "list_liveservers").splitlines()[1:3]
    assert all(re.fullmatch(r"localhost,\d+,\d{13}", server) for server in servers)
    assert servers[0].split(",")[1] in execute(cluster, "status 'simple'")
    assert f"| {table.name},," in execute(cluster, f"list_regions '{table.name}'")
    assert re.search(r"localhost:\d+ +\{ENCODED => ", execute(cluster, f"locate_region '{table.name}', 'r'"))
    assert "Previous balancer state : " in execute(cluster, "balance_switch true")
    assert "=> true" in execute(cluster, "balancer_enabled")


def test_what_is_not_asked_of_a_cluster_says_so(cluster: rs.Database) -> None:
    """Nothing is answered in a server's place."""
    commands = ["list_peers", "zk_dump", "normalizer_enabled", "splitormerge_switch 'SPLIT', true", "update_all_config"]
    out = io.StringIO()
    assert loop.run_text(Session(cluster, out), "\n".join(commands)) == 0
    assert out.getvalue().count(NOT_ASKED) == len(commands)


def test_meta_of_a_cluster_is_read(cluster: rs.Database, table: rs.Table) -> None:
    """Names and encodings of regions and start codes of servers, computed from what HBase wrote."""
    place = cluster.admin.region_places(table.name)[0]
    shown = execute(cluster, f"scan 'hbase:meta', {{ROWPREFIXFILTER => '{table.name}'}}")
    name = place.region.name.decode()
    assert f"value={{ENCODED => {place.region.encoded_name}, NAME => '{name}', STARTKEY => ''" in shown
    assert place.server is not None
    assert re.search(rf"column=info:serverstartcode, timestamp=.*, value={place.server.split(',')[2]}\b", shown)


def test_labels_are_never_dropped_in_silence(cluster: rs.Database, table: rs.Table) -> None:
    name = table.name
    for command in (
        f"put '{name}', 'r', 'f:q', 'v', {{VISIBILITY => 'SECRET'}}",
        f"put '{name}', 'r', 'f:q', 'v', 5, {{VISIBILITY => 'SECRET'}}",
        f"incr '{name}', 'r', 'f:q', 1, {{VISIBILITY => 'SECRET'}}",
        f"append '{name}', 'r', 'f:q', 'v', {{VISIBILITY => 'SECRET'}}",
        f"deleteall '{name}', 'r', 'f:q', 5, {{VISIBILITY => 'SECRET'}}",
        f"scan '{name}', {{AUTHORIZATIONS => ['SECRET']}}",
    ):
        with pytest.raises(ShellError, match=NOT_ASKED):
            execute(cluster, command)
    assert list(table) == []
