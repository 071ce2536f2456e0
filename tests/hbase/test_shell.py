"""The shell on a real HBase: what our client does there shows as the recordings of HBase's own shell do."""

from __future__ import annotations

import io
import re
import time

import pytest

import rowstone as rs
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from tests.hbase.cluster.server import StandaloneHBase
from tests.shell.differences import reason
from tests.shell.transcript import Exchange, recorded, typed_into

pytestmark = pytest.mark.usefixtures("utc")

NOT_ASKED = "this client does not ask a cluster for that yet"
TWO_SERVERS = "the recorded cluster had one server"
REPORTED_LATER = "servers report every few seconds what they have to do"

CLUSTER_DIFFERENCES = {
    "ddl": {r"list_regions .*": REPORTED_LATER},
    "dml": {r".*AUTHORIZATIONS.*": NOT_ASKED},
    "general": {r"status.*": TWO_SERVERS},
    "namespace": {},
    "quotas": {},
    "replication": {},
    "rsgroup": {},
    "security": {},
    "snapshots": {},
    "tools": {r"compaction_switch true|list_liveservers|clear_slowlog_responses": TWO_SERVERS},
}
"""By recording: the typed commands whose answer on a cluster differs from that on a directory, with the reason."""


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
        cluster.drop_table(table, force=True)
    cluster.admin.switches.set("normalizer", True)
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


def test_commands_that_clusters_do_not_get_say_so(cluster: rs.Database, table: rs.Table) -> None:
    """Nothing is answered in a server's place."""
    commands = ["zk_dump", "refresh_meta", "refresh_hfiles"]
    out = io.StringIO()
    assert loop.run_text(Session(cluster, out), "\n".join(commands)) == 0
    assert out.getvalue().count(NOT_ASKED) == len(commands)


@pytest.mark.parametrize(
    ("switch", "words"),
    [
        ("normalizer", ""), ("catalogjanitor", ""), ("cleaner_chore", ""),
        ("snapshot_cleanup", "Previous snapshot cleanup state : "),
    ],
)  # fmt: skip
def test_a_switch_is_the_masters(hbase: StandaloneHBase, cluster: rs.Database, switch: str, words: str) -> None:
    """Another connection sees it."""
    execute(cluster, f"{switch}_switch true")
    assert execute(cluster, f"{switch}_switch false").startswith(f"{words}true\n")
    with rs.connect(hbase.url) as other:
        assert execute(other, f"{switch}_enabled").startswith("false\n")
        assert execute(other, f"{switch}_switch true").startswith(f"{words}false\n")


def test_states_of_servers(cluster: rs.Database) -> None:
    simple = execute(cluster, "status 'simple'")
    for number in ("requestsPerSecond", "numberOfStores", "writeRequestsCount", "compactionProgressPct"):
        assert len(re.findall(rf"\b{number}=[\d.]+|\b{number}=NaN", simple)) == 2, simple
    assert "coprocessors=[MultiRowMutationEndpoint]" in simple
    detailed = execute(cluster, "status 'detailed'")
    assert re.search(r'        "hbase:meta,,1"\n            numberOfStores=\d+, ', detailed)
    assert re.search(
        r"2 live servers\n    localhost:\n       SOURCE:\n      SINK: ", execute(cluster, "status 'replication'")
    )


def test_a_peer_is_added_changed_and_removed(hbase: StandaloneHBase, cluster: rs.Database) -> None:
    def listed() -> str:
        return execute(cluster, "list_peers").splitlines()[1]

    key = f"127.0.0.1:{hbase.zookeeper_port}:/elsewhere"
    execute(cluster, f"add_peer 'p', CLUSTER_KEY => '{key}'")
    try:
        assert listed() == f" p {key}  ENABLED true   0 false"
        with pytest.raises(ShellError, match="Replication peer p already exists"):
            execute(cluster, f"add_peer 'p', CLUSTER_KEY => '{key}'")
        execute(cluster, "disable_peer 'p'; set_peer_replicate_all 'p', false; set_peer_bandwidth 'p', 1048576")
        execute(
            cluster,
            "set_peer_tableCFs 'p', {'t' => ['f'], 'ns:u' => []}; append_peer_tableCFs 'p', {'x' => ['a', 'b']}",
        )
        execute(cluster, "remove_peer_tableCFs 'p', {'x' => ['a']}; append_peer_namespaces 'p', ['b', 'a']")
        execute(cluster, "update_peer_config 'p', CONFIG => {'k' => 'v'}, DATA => {'d' => 'e'}")
        assert listed() == f" p {key}  DISABLED false a;b default.t:f;default.x:b;ns.u 1048576 false"
        assert cluster.admin.replication.peer_config("p").data == {"d": b"e"}
        assert " k v" in execute(cluster, "get_peer_config 'p'").splitlines()
        for refused, words in (
            ("remove_peer_tableCFs 'p', {'y' => ['a']}", "No table: y in table-cfs config of peer: p"),
            ("remove_peer_tableCFs 'p', {'ns:u' => ['a']}", "Cannot remove cf of table: ns:u which doesn't"),
            ("remove_peer_tableCFs 'p', {'t' => []}", "Cannot remove table: t which has specified cfs"),
            ("remove_peer_exclude_tableCFs 'p', {'t' => []}", "exclude-Table-Cfs for peer: p is null"),
        ):
            with pytest.raises(ShellError, match=re.escape(words)):
                execute(cluster, refused)
    finally:
        execute(cluster, "remove_peer 'p'")
    assert cluster.admin.replication.peers() == []


def test_servers_are_looked_after(cluster: rs.Database, table: rs.Table) -> None:
    """Commands that act on servers return without an error, and their effect is visible."""
    server = cluster.admin.servers.status().servers[0].name
    execute(cluster, f"wal_roll '{server}'; wal_roll_all; update_config '{server}'; update_all_config")
    execute(cluster, f"flush_master_store; clear_compaction_queues '{server}'; compact_rs '{server}'")
    execute(cluster, f"compaction_switch false, '{server}'")
    assert f"{server} false" in execute(cluster, f"compaction_switch true, '{server}'")
    execute(cluster, f"decommission_regionservers '{server}', false")
    assert server in execute(cluster, "list_decommissioned_regionservers")
    execute(cluster, f"recommission_regionserver '{server}'")
    # The master hears of it through ZooKeeper.
    end = time.monotonic() + 30
    while server in execute(cluster, "list_decommissioned_regionservers"):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert execute(cluster, "list_unknownservers").startswith("SERVERNAME\n0 row(s)\n")
    table.put("r", {"f:q": "v"})
    execute(cluster, f"flush '{table.name}'; reopen_regions '{table.name}'")
    assert table.get("r")["f:q"] == b"v"
    execute(cluster, f"truncate_region '{cluster.admin.regions.list(table.name)[0].encoded_name}'")
    assert not table.get("r")
    execute(cluster, f"change_sft '{table.name}', 'FILE'")
    tracker = cluster.admin.describe(table.name).attributes["hbase.store.file-tracker.impl"]
    assert tracker in ("FILE", "MIGRATION")
    assert "CreateTableProcedure SUCCESS" in execute(cluster, "list_procedures")


def test_meta_of_a_cluster_is_read(cluster: rs.Database, table: rs.Table) -> None:
    """Names and encodings of regions and start codes of servers, computed from what HBase wrote."""
    place = cluster.admin.regions.locations(table.name)[0]
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
