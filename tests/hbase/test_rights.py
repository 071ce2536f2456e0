"""Quotas, permissions and labels on an HBase that has them: the shell's commands and their effects."""

from __future__ import annotations

import getpass
import time
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from tests.access import cells
from tests.access.record import cells_over, walk_over
from tests.access.walk import compared, recorded
from tests.hbase.cluster.server import StandaloneHBase

ACCESS = "org.apache.hadoop.hbase.security.access.AccessController"
LABELS = "org.apache.hadoop.hbase.security.visibility.VisibilityController"
SETTINGS = {
    "hbase.quota.enabled": "true",
    "hbase.security.authorization": "true",
    # The other two are users that may create the server's first table.
    "hbase.superuser": f"keeper,rowstone,{getpass.getuser()}",
    "hbase.coprocessor.master.classes": f"{ACCESS},{LABELS}",
    "hbase.coprocessor.region.classes": f"{ACCESS},{LABELS}",
    "hbase.coprocessor.regionserver.classes": ACCESS,
}


@pytest.fixture(scope="module")
def guarded() -> Iterator[StandaloneHBase]:
    with StandaloneHBase(servers=1, settings=SETTINGS) as server:
        yield server


@pytest.fixture
def keeper(guarded: StandaloneHBase) -> Iterator[rs.Database]:
    """The superuser."""
    with rs.connect(guarded.url, user="keeper") as db:
        yield db


def lines(db: rs.Database, command: str) -> list[str]:
    """Output of a command, without its duration."""
    return [line for line in execute(db, command).splitlines() if not line.startswith("Took ")]


def put_when_allowed(db: rs.Database, column: str) -> None:
    """Servers hear through ZooKeeper what users may do."""
    end = time.monotonic() + 30
    while True:
        try:
            return db.table("secret").put("r", {column: "v"})
        except errors.AccessDenied:
            assert time.monotonic() < end


def put_until_refused(db: rs.Database) -> None:
    """The same the other way."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        db.table("secret").put("r", {"f:q": "v"})


def test_the_shell_sets_and_lists_quotas(keeper: rs.Database) -> None:
    keeper.create_table("limited", ["f"])
    execute(keeper, "set_quota TYPE => THROTTLE, USER => 'ada', LIMIT => '10req/sec'")
    execute(
        keeper,
        "set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, USER => 'ada', TABLE => 'limited', LIMIT => '5M/min'",
    )
    execute(keeper, "set_quota TYPE => THROTTLE, NAMESPACE => 'default', LIMIT => '7cu/hour', SCOPE => CLUSTER")
    execute(keeper, "set_quota TYPE => SPACE, TABLE => 'limited', LIMIT => '1G', POLICY => NO_INSERTS")
    execute(keeper, "set_quota USER => 'bob', GLOBAL_BYPASS => true")
    throttle = "TYPE => THROTTLE, THROTTLE_TYPE =>"
    assert lines(keeper, "list_quotas") == [
        "OWNER  QUOTAS",
        f" NAMESPACE => default {throttle} REQUEST_CAPACITY_UNIT, LIMIT => 7CU/hour, SCOPE => CLUSTER",
        " TABLE => limited TYPE => SPACE, TABLE => limited, LIMIT => 1.00G, VIOLATION_POLICY => NO_INSERTS",
        f" USER => ada {throttle} REQUEST_NUMBER, LIMIT => 10req/sec, SCOPE => MACHINE",
        f" USER => ada, TABLE => limited {throttle} WRITE_SIZE, LIMIT => 5.00M/min, SCOPE => MACHINE",
        " USER => bob GLOBAL_BYPASS => true",
        "5 row(s)",
    ]
    assert lines(keeper, "list_quotas USER => 'b.*'")[1:] == [" USER => bob GLOBAL_BYPASS => true", "1 row(s)"]
    execute(keeper, "set_quota TYPE => THROTTLE, USER => 'ada', LIMIT => NONE")
    execute(
        keeper,
        "set_quota TYPE => THROTTLE, THROTTLE_TYPE => WRITE, USER => 'ada', TABLE => 'limited', LIMIT => '6M/min'",
    )
    execute(keeper, "set_quota TYPE => SPACE, TABLE => 'limited', LIMIT => NONE")
    # No later test is throttled by it.
    execute(keeper, "set_quota TYPE => THROTTLE, NAMESPACE => 'default', LIMIT => NONE")
    left = "\n".join(lines(keeper, "list_quotas"))
    assert "REQUEST_NUMBER" not in left
    assert "TYPE => SPACE" not in left
    assert "LIMIT => 6.00M/min" in left
    assert lines(keeper, "list_snapshot_sizes") == ["SNAPSHOT  SIZE", "0 row(s)"]
    assert lines(keeper, "disable_rpc_throttle; rpc_throttle_enabled") == [
        "Previous rpc throttle state : true", "Rpc throttle enabled : false", "=> false",
    ]  # fmt: skip
    execute(keeper, "enable_rpc_throttle")
    assert keeper.admin.switches.get("rpc_throttle")
    keeper.drop_table("limited", force=True)


def test_the_walk_over_rights_is_as_recorded(guarded: StandaloneHBase) -> None:
    """`make test` compares a directory, and a served one, with what was recorded."""
    assert compared(walk_over(guarded), recorded()) == []


def test_the_walk_over_cells_is_as_recorded(guarded: StandaloneHBase) -> None:
    """The same for cells with their own ACL."""
    assert cells.compared(cells_over(guarded), recorded(cells.RECORDED)) == []


def test_the_shell_grants_and_revokes_permissions(guarded: StandaloneHBase, keeper: rs.Database) -> None:
    keeper.create_table("secret", ["f", "g"])
    with rs.connect(guarded.url, user="ada") as ada:
        with pytest.raises(errors.AccessDenied):
            ada.table("secret").put("r", {"f:q": "v"})
        execute(keeper, "grant 'ada', 'RW', 'secret', 'f'")
        put_when_allowed(ada, "f:q")
        with pytest.raises(errors.AccessDenied):
            ada.table("secret").put("r", {"g:q": "v"})
        shown = lines(keeper, "user_permission 'secret'")
        assert " ada default,secret,f,: [Permission: actions=READ,WRITE]" in shown
        execute(keeper, "revoke 'ada', 'secret', 'f'")
        with pytest.raises(errors.AccessDenied):
            put_until_refused(ada)
        execute(keeper, "grant 'ada', 'C', '@default'")
        assert any(line.startswith(" ada default,,,: ") for line in lines(keeper, "user_permission '@default'"))
        execute(keeper, "grant 'bob', 'RX'")
        assert " bob ,,,: [Permission: actions=READ,EXEC]" in lines(keeper, "user_permission")
    for refused, words in (
        ("grant 'u', 'R', 'missing'", "Can't find a table: missing"),
        ("grant 'u', 'R', 'secret', 'x'", "Can't find a family: x"),
        ("grant 'u', 'R', '@missing'", "Can't find a namespace: missing"),
    ):
        with pytest.raises(ShellError, match=words):
            execute(keeper, refused)
    assert "AUTHORIZATION" in lines(keeper, "list_security_capabilities")
    keeper.drop_table("secret", force=True)


def test_the_shell_manages_visibility_labels(keeper: rs.Database) -> None:
    execute(keeper, "add_labels 'red', 'green'")
    assert {"red", "green"} <= set(lines(keeper, "list_labels"))
    assert lines(keeper, "list_labels 'r.*'")[0] == "red"
    with pytest.raises(ShellError, match="LabelAlreadyExistsException"):
        execute(keeper, "add_labels 'red'")
    execute(keeper, "set_auths 'ada', 'red', 'green'")
    assert lines(keeper, "get_auths 'ada'")[:2] == ["red", "green"]
    execute(keeper, "clear_auths 'ada', 'red'")
    assert lines(keeper, "get_auths 'ada'")[0] == "green"
