"""The shell's commands for quotas, typed into a directory that has them: what HBase's shell answered on a cluster."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from tests.shell.transcript import recorded, typed_into

OTHERWISE = {
    "set_quota TYPE => NOPE, USER => 'bob', LIMIT => '1req/sec'": "the shell knows a part of Ruby",
    "enable_exceed_throttle_quota": "the error has no stack of Java",
    "list_quota_table_sizes": "HBase had not looked yet",
    "list_quota_snapshots": "HBase had not looked yet",
}


def test_the_shell_answers_as_hbases_on_a_cluster_with_quotas() -> None:
    theirs = recorded("cluster/limits.txt")
    with rs.connect(":memory:", configuration={"hbase.quota.enabled": True}) as db:
        ours = typed_into(db, theirs)
    for before, after in zip(theirs, ours, strict=True):
        if before.typed not in OTHERWISE:
            assert after.answer == before.answer, before.typed


def test_sizes_and_standings_are_listed() -> None:
    with rs.connect(":memory:", configuration={"hbase.quota.enabled": True}) as db:
        db.create_table("t", ["f"])
        db.admin.quotas.set("SPACE", 1, policy="NO_INSERTS", table="t")
        db.table("t").put("r", {"f:q": "v"})
        db.admin.snapshot("s", "t")
        size = db.admin.quotas.space_sizes()["t"]
        assert f" t {size}" in execute(db, "list_quota_table_sizes")
        assert f" t {size} 1 true NO_INSERTS" in execute(db, "list_quota_snapshots")
        assert f" t {size} 1 true NO_INSERTS" in execute(db, "list_quota_snapshots({TABLE => 't'})")
        assert "0 row(s)" in execute(db, "list_quota_snapshots({NAMESPACE => 'ns'})")
        assert " s 0" in execute(db, "list_snapshot_sizes")


def test_descriptions_show_quotas_of_tables_and_namespaces() -> None:
    """As HBase 2.6.4's shell prints them, with the 0 after the header of a namespace."""
    text = "TYPE => THROTTLE, THROTTLE_TYPE => REQUEST_NUMBER, LIMIT => 5req/sec, SCOPE => MACHINE"
    with rs.connect(":memory:", configuration={"hbase.quota.enabled": True}) as db:
        db.create_table("t", ["f"])
        assert "\n1 row(s)\n\nQUOTAS\n0 row(s)\nTook" in execute(db, "describe 't'")
        db.admin.quotas.set("REQUEST_NUMBER", 5, table="t")
        db.admin.quotas.set("REQUEST_NUMBER", 5, namespace="default")
        assert f"\n1 row(s)\n\nQUOTAS\n{text}\n1 row(s)\nTook" in execute(db, "describe 't'")
        assert f"\nQUOTAS\n0\n{text}\n1 row(s)\nTook" in execute(db, "describe_namespace 'default'")
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        assert "\n1 row(s)\nQuota is disabled\nTook" in execute(db, "describe 't'")


def test_a_user_without_rights_on_the_quotas_is_not_told_that_they_are_disabled() -> None:
    """HBase asks whether `hbase:quota` exists, which needs no permission, and fails to read it."""
    configuration = {"hbase.quota.enabled": True, "hbase.security.authorization": True}
    with rs.connect(":memory:", configuration=configuration) as db:
        db.create_table("t", ["f"])
        db.admin.quotas.set("REQUEST_NUMBER", 5, table="t")
        db.admin.permissions.grant("ann", "RWXCA", table="t")
        with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url, user="ann") as served:
            for ann in (db.as_user("ann"), served):
                assert ann.admin.tables.exists("hbase:quota")
                with pytest.raises(ShellError, match=r"AccessDeniedException: .*table=hbase:quota, action=READ"):
                    execute(ann, "describe 't'")
