"""Groups of region servers on an HBase that has them: calls of `db.admin` and the shell's commands reach its master."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.cli.shell import execute
from tests.checklist import checklist
from tests.hbase.cluster import server as cluster_server
from tests.hbase.cluster.server import StandaloneHBase
from tests.oracle.build import fetched

SETTINGS = {
    "hbase.coprocessor.master.classes": "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint",
    "hbase.master.loadbalancer.class": "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer",
}
LONGEST_WAIT_SECONDS = 60


@pytest.fixture(scope="module")
def db() -> Iterator[rs.Database]:
    jars = fetched(Path(cluster_server.__file__).parent / "rsgroup.xml", "rsgroup")
    with StandaloneHBase(heap="512m", settings=SETTINGS, more_jars=jars) as server, rs.connect(server.url) as db:
        # The group of all hears of its servers and tables a moment after the master is up.
        end = time.monotonic() + LONGEST_WAIT_SECONDS
        while len(servers_of(db, "default")) < 2:
            assert time.monotonic() < end
            time.sleep(0.2)
        yield db


def servers_of(db: rs.Database, group: str) -> list[str]:
    """Its servers."""
    found = db.admin.groups.get(group)
    assert found is not None, group
    return found.servers


def lines(db: rs.Database, command: str) -> list[str]:
    """Output of a command, without its duration."""
    return [line.rstrip() for line in execute(db, command).splitlines() if not line.startswith("Took ")]


@checklist("051", clause="group commands are forwarded")
def test_calls_reach_the_master(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    server = servers_of(db, "default")[0]
    db.admin.groups.add("fast")
    assert db.admin.groups.get("fast") == rs.ServerGroup("fast", [], [], {})
    db.admin.groups.move("fast", servers=[server], tables=["t"])
    assert db.admin.groups.get("fast") == rs.ServerGroup("fast", [server], ["t"], {})
    assert {group.name for group in db.admin.groups.list()} == {"default", "fast"}
    for found in (db.admin.groups.of_table("t"), db.admin.groups.of_server(server)):
        assert found is not None
        assert found.name == "fast"
    assert server not in servers_of(db, "default")
    db.table("t").put("r", {"f:q": "v"})
    assert db.table("t").get("r")["f:q"] == b"v"
    with pytest.raises(errors.RowstoneError, match="fast"):
        db.admin.groups.remove("fast")
    db.admin.groups.move("default", servers=[server], tables=["t"])
    db.admin.groups.rename("fast", "empty")
    db.admin.groups.remove("empty")
    assert [group.name for group in db.admin.groups.list()] == ["default"]
    assert db.admin.groups.get("fast") is None
    db.drop_table("t", force=True)


@checklist("051", clause="group commands are forwarded")
def test_the_shells_commands_reach_the_master(db: rs.Database) -> None:
    server = servers_of(db, "default")[0]
    lines(db, "create_namespace 'ns'")
    lines(db, "create 'ns:t', 'f'")
    lines(db, "add_rsgroup 'slow'")
    lines(db, f"move_servers_namespaces_rsgroup 'slow', ['{server}'], ['ns']")
    assert rs.ServerGroup("slow", [server], ["ns:t"], {}) in db.admin.groups.list()
    assert "slow" in lines(db, "get_table_rsgroup 'ns:t'")[-2]
    assert "slow" in "".join(lines(db, f"get_server_rsgroup '{server}'"))
    shown = "\n".join(lines(db, "list_rsgroups"))
    assert f"server {server}" in shown
    assert "table ns:t" in shown
    lines(db, "alter_rsgroup_config 'slow', {METHOD => 'set', 'key' => 'value'}")
    found = db.admin.groups.get("slow")
    assert found is not None
    assert found.configuration == {"key": "value"}
    lines(db, "move_tables_rsgroup 'default', ['ns:t']")
    lines(db, f"move_servers_rsgroup 'default', ['{server}']")
    lines(db, "remove_rsgroup 'slow'")
    assert [group.name for group in db.admin.groups.list()] == ["default"]


@checklist("051", clause="group commands are forwarded")
def test_a_namespace_pins_the_tables_made_in_it(db: rs.Database) -> None:
    server = servers_of(db, "default")[0]
    db.admin.groups.add("mine")
    db.admin.groups.move("mine", servers=[server])
    db.admin.namespaces.create("pinned", {"hbase.rsgroup.name": "mine"})
    db.create_table("pinned:t", ["f"])
    group = db.admin.groups.of_table("pinned:t")
    assert group is not None
    assert (group.name, group.servers) == ("mine", [server])
    with pytest.raises(errors.RowstoneError):
        db.admin.namespaces.create("lost", {"hbase.rsgroup.name": "no-such-group"})
