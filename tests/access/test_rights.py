"""Permissions in a directory: stored in `hbase:acl` as in HBase, removed with their table, and audited."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.admin import Grant
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError

GUARDED = {"hbase.security.authorization": True, "hbase.superuser": "root,@wheel"}


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:", configuration=GUARDED) as database:
        database.create_table("t", ["f", "g"])
        database.table("t").put("r", {"f:a": "1", "f:b": "2", "g:a": "3"})
        yield database


def stored(db: rs.Database) -> dict[tuple[bytes, bytes], bytes]:
    """The table of grants, as it is."""
    with db.table("hbase:acl").scan() as rows:
        return {(row.key, column): value for row in rows for column, value in row.items()}


def columns(row: rs.Row) -> list[str]:
    return sorted(column.decode() for column in row)


def test_grants_lie_where_hbase_has_them(db: rs.Database) -> None:
    db.admin.namespaces.create("ns")
    db.create_table("ns:u", ["f"])
    before = stored(db)
    db.admin.permissions.grant("ann", "AR")
    db.admin.permissions.grant("@dev", "C", namespace="ns")
    db.admin.permissions.grant("ann", "W", table="ns:u", family="f", qualifier="a,b")
    found = stored(db)
    assert {key: value for key, value in found.items() if key not in before} == {
        (b"hbase:acl", b"l:ann"): b"RA",
        (b"@ns", b"l:@dev"): b"C",
        (b"ns:u", b"l:ann,f,a,b"): b"W",
    }
    assert set(before.values()) == {b"RWXCA"}
    assert db.admin.permissions.list(table="ns:u", family="f") == [Grant("ann", ("WRITE",), "ns", "ns:u", b"f", b"a,b")]
    db.admin.permissions.revoke("ann", table="ns:u", family="f", qualifier="a,b")
    assert (b"ns:u", b"l:ann,f,a,b") not in stored(db)


def test_observers_of_a_view_need_the_permission_to_administer_everything(db: rs.Database) -> None:
    observer, master = rs.coprocessors.RegionObserver(), rs.coprocessors.MasterObserver()
    db.coprocessors.attach("t", observer)
    db.coprocessors.attach_master(master)
    db.admin.permissions.grant("ann", "RWXCA", table="t")
    ann = db.as_user("ann").coprocessors
    for call in (
        lambda: ann.attach("t", rs.coprocessors.RegionObserver()),
        lambda: ann.detach("t", observer),
        lambda: ann.attach_master(rs.coprocessors.MasterObserver()),
        lambda: ann.detach_master(master),
        lambda: ann.attached("t"),
        lambda: ann.stats("t"),
    ):
        with pytest.raises(errors.AccessDenied):
            call()
    assert len(db.coprocessors.attached("t")) == 1
    db.admin.permissions.grant("eva", "A")
    eva = db.as_user("eva").coprocessors
    eva.detach("t", observer)
    eva.detach_master(master)
    eva.attach("t", rs.coprocessors.RegionObserver(), priority=1)
    assert [one.priority for one in db.coprocessors.attached("t")] == [1]


def test_constraints_and_indexes_of_a_view_need_global_admin(db: rs.Database) -> None:
    rule = rs.coprocessors.constraints.Regex("f:a", "[0-9]+")
    db.admin.permissions.grant("bob", "RWXCA", namespace="default")
    bob = db.as_user("bob")
    with pytest.raises(errors.AccessDenied):
        bob.constraints("t").add(rule)
    with pytest.raises(errors.AccessDenied):
        bob.create_index("t", "by_a", "f:a", strategy="coprocessor", build=False)
    assert not db.indexes("t")
    assert not list(db.constraints("t"))
    db.admin.permissions.grant("ann", "RCA")
    ann = db.as_user("ann")
    ann.constraints("t").add(rule)
    with pytest.raises(errors.ConstraintViolation):
        db.table("t").put("r", {"f:a": "x"})
    ann.create_index("t", "by_a", "f:a", strategy="coprocessor", build=False)
    assert [index.name for index in db.indexes("t")] == ["by_a"]


def test_rights_are_there_after_a_restart(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=GUARDED) as db:
        db.create_table("t", ["f"])
        db.admin.permissions.grant("ann", "R", table="t")
        db.as_user("ann").admin.permissions.has("R", table="t")
    with rs.connect(tmp_path / "db", configuration=GUARDED) as db:
        assert db.as_user("ann").admin.permissions.has("R", table="t")
        assert db.tables() == ["t"]
    # Opening the files without the setting disables access control.
    with rs.connect(tmp_path / "db") as db:
        assert db.as_user("eve") is db


def test_grant_replaces_and_merges_and_revoke_takes_what_it_names(db: rs.Database) -> None:
    def rights() -> list[tuple[str, ...]]:
        return [one.actions for one in db.admin.permissions.list(table="t", user="ann")]

    db.admin.permissions.grant("ann", "RW", table="t")
    db.admin.permissions.grant("ann", "C", table="t")
    assert rights() == [("CREATE",)]
    db.admin.permissions.grant("ann", "RX", table="t", merge=True)
    assert rights() == [("READ", "EXEC", "CREATE")]
    db.admin.permissions.revoke("ann", "C", table="t")
    assert rights() == [("READ", "EXEC")]
    db.admin.permissions.revoke("ann", table="t")
    assert rights() == []


def test_the_maker_of_a_table_may_do_all_with_it_until_it_is_dropped(db: rs.Database) -> None:
    db.admin.permissions.grant("ann", "C", namespace="default")
    ann = db.as_user("ann")
    ann.create_table("hers", ["f"])
    ann.table("hers").put("r", {"f:a": "1"})
    assert columns(ann.table("hers").get("r")) == ["f:a"]
    ann.admin.permissions.grant("bob", "R", table="hers")
    ann.drop_table("hers", force=True)
    db.create_table("hers", ["f"])
    for user in ("ann", "bob"):
        with pytest.raises(errors.AccessDenied):
            db.as_user(user).table("hers").get("r")


def test_grants_of_a_namespace_go_with_it(db: rs.Database) -> None:
    db.admin.namespaces.create("ns")
    db.admin.permissions.grant("ann", "RWXCA", namespace="ns")
    db.admin.namespaces.drop("ns")
    db.admin.namespaces.create("ns")
    with pytest.raises(errors.AccessDenied):
        db.as_user("ann").create_table("ns:t", ["f"])


def test_reads_show_what_may_be_read(db: rs.Database) -> None:
    db.admin.permissions.grant("ann", "R", table="t", family="f", qualifier="a")
    ann = db.as_user("ann").table("t")
    assert columns(ann.get("r")) == ["f:a"]
    assert columns(ann.get("r", columns=["f:a", "f:b"])) == ["f:a"]
    with ann.scan(columns=["f"]) as rows:
        assert [columns(row) for row in rows] == [["f:a"]]
    assert columns(ann.get_many(["r"])[0]) == ["f:a"]
    for hidden in (["g"], ["f:b"], ["g:a"]):
        with pytest.raises(errors.AccessDenied, match=r"for user 'ann' \(table=t, action=READ\)"):
            ann.get("r", columns=hidden)


def test_a_filter_does_not_tell_what_is_hidden(db: rs.Database) -> None:
    db.admin.permissions.grant("ann", "R", table="t", family="g")
    ann = db.as_user("ann").table("t")
    for guess in ("1", "x"):
        hidden = f"SingleColumnValueFilter('f', 'a', =, 'binary:{guess}', true, true)"
        with ann.scan(filter=hidden) as rows:
            assert list(rows) == []
        with pytest.raises(errors.AccessDenied):
            ann.check_and_mutate("r", "f:a", "=", guess, rs.Put("r", {"g:a": "4"}))


def test_a_write_is_done_wholly_or_not_at_all(db: rs.Database) -> None:
    db.admin.permissions.grant("ann", "W", table="t", family="f")
    ann = db.as_user("ann").table("t")
    with pytest.raises(errors.AccessDenied, match="family=g:a"):
        ann.put("new", {"f:a": "1", "g:a": "2"})
    assert columns(db.table("t").get("new")) == []
    ann.put("new", {"f:a": "1"})
    with pytest.raises(errors.AccessDenied):
        ann.delete("new")
    assert columns(db.table("t").get("new")) == ["f:a"]
    with pytest.raises(errors.AccessDenied):
        ann.get("new")
    with pytest.raises(errors.AccessDenied):
        db.as_user("ann").mutate_together([("t", rs.Put("new", {"g:a": "2"}))])


def test_groups_and_superusers(db: rs.Database) -> None:
    db.admin.permissions.grant("@dev", "R", table="t")
    assert columns(db.as_user("ann", groups=["dev"]).table("t").get("r")) == ["f:a", "f:b", "g:a"]
    with pytest.raises(errors.AccessDenied):
        db.as_user("ann", groups=["ops"]).table("t").get("r")
    for chief in (db.as_user("root"), db.as_user("carl", groups=["wheel"])):
        assert chief.admin.permissions.has("RWXCA")
    db.admin.permissions.grant("ann", "A")
    with pytest.raises(errors.AccessDenied, match="superusers"):
        db.as_user("ann").admin.permissions.grant("root", "R")
    with pytest.raises(errors.AccessDenied, match="may not act as user 'root'"):
        db.as_user("ann").as_user("root")


def test_groups_come_from_the_configuration() -> None:
    mapping = {"hadoop.user.group.static.mapping.overrides": "ann=dev,ops;bob="}
    with rs.connect(":memory:", configuration={**GUARDED, **mapping}) as db:
        db.create_table("t", ["f"])
        db.admin.permissions.grant("@ops", "R", table="t")
        assert columns(db.as_user("ann").table("t").get("r")) == []
        assert [one.user for one in db.admin.permissions.list(table="t", user="ann")] == ["@ops"]
        with pytest.raises(errors.AccessDenied):
            db.as_user("bob").table("t").get("r")


def test_the_table_of_grants_stays_and_is_heeded_however_it_is_changed(db: rs.Database) -> None:
    for refused in (db.admin.disable_table, db.drop_table):
        with pytest.raises(errors.AccessDenied, match="Not allowed to"):
            refused("hbase:acl")
    with pytest.raises(errors.AccessDenied):
        db.as_user("ann").table("hbase:acl").put("t", {"l:ann": "RWXCA"})
    db.table("hbase:acl").put("t", {"l:ann": "R"})
    assert columns(db.as_user("ann").table("t").get("r", columns=["f:a"])) == ["f:a"]
    db.table("hbase:acl").delete("t")
    with pytest.raises(errors.AccessDenied):
        db.as_user("ann").table("t").get("r")


def test_snapshots_belong_to_their_creator(db: rs.Database) -> None:
    db.admin.permissions.grant("ann", "A", table="t")
    ann, bob = db.as_user("ann"), db.as_user("bob")
    ann.admin.snapshot("s", "t")
    assert [(one.name, one.owner) for one in ann.admin.snapshots.list()] == [("s", "ann")]
    assert bob.admin.snapshots.list() == []
    with pytest.raises(errors.AccessDenied):
        bob.admin.snapshots.delete("s")
    with pytest.raises(errors.AccessDenied):
        ann.admin.snapshots.clone("s", "other")
    db.admin.disable_table("t")
    ann.admin.snapshots.restore("s")
    ann.admin.snapshots.delete("s")


def test_wrong_grants_change_nothing(db: rs.Database) -> None:
    before = stored(db)
    for wrong in ({"actions": "Z"}, {"actions": ""}, {"user": "a,b"}, {"user": ""}, {"table": "t", "qualifier": "q"}):
        arguments = {"user": "ann", "actions": "R", **wrong}
        with pytest.raises(errors.InvalidArgument):
            db.admin.permissions.grant(**arguments)
    assert stored(db) == before


@pytest.mark.parametrize("place", [{"family": "f"}, {"namespace": "default", "family": "f"}, {"qualifier": "q"}])
def test_rights_in_a_family_need_its_table(db: rs.Database, place: dict[str, str]) -> None:
    """Regression: they became global permissions, and revoking them removed the others."""
    before = db.admin.permissions.list()
    for change in (
        lambda: db.admin.permissions.grant("bob", "R", **place),
        lambda: db.admin.permissions.revoke("bob", **place),
    ):
        with pytest.raises(errors.InvalidArgument, match=r"table|family"):
            change()
    assert db.admin.permissions.list() == before


def test_decisions_are_heard(db: rs.Database, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rowstone.audit"), pytest.raises(errors.AccessDenied):
        db.as_user("ann").table("t").put("r", {"f:a": "1"})
    [record] = caplog.records
    assert (record.levelname, record.user, record.operation, record.allowed) == ("WARNING", "ann", "put", False)  # type: ignore[attr-defined]
    assert "scope: default:t" in record.getMessage()


def test_decisions_are_lines_of_a_file(tmp_path: Path) -> None:
    settings = {**GUARDED, "rowstone.audit.file": str(tmp_path / "audit"), "rowstone.audit.allowed": True}
    with rs.connect(":memory:", configuration=settings) as db:
        db.create_table("t", ["f"])
        db.admin.permissions.grant("ann", "R", table="t")
        db.as_user("ann").table("t").get("r")
        with pytest.raises(errors.AccessDenied):
            db.as_user("ann").drop_table("t", force=True)
    lines = [json.loads(line) for line in (tmp_path / "audit").read_text().splitlines()]
    heard = [(line["operation"], line["allowed"]) for line in lines if line["user"] == "ann"]
    assert heard == [("get", True), ("disableTable", False)]
    assert lines[-1]["scope"] == "default:t"


def test_the_shell_grants_on_a_directory(db: rs.Database) -> None:
    execute(db, "grant 'ann', 'RW', 't', 'f'")
    assert " ann default,t,f,: [Permission: actions=READ,WRITE]" in execute(db, "user_permission 't'").splitlines()
    execute(db, "revoke 'ann', 't', 'f'")
    assert " ann " not in execute(db, "user_permission 't'")
    assert "AUTHORIZATION" in execute(db, "list_security_capabilities").splitlines()
    with pytest.raises(ShellError, match="Can't find a table: missing"):
        execute(db, "grant 'ann', 'R', 'missing'")


def test_refusals_use_hbases_words(db: rs.Database) -> None:
    with rs.serve(db, port=0, zk_port=None) as server:
        db.admin.permissions.grant("ann", "R", table="t")
        with rs.connect(server.url, user="ann") as ann, rs.connect(server.url, user="bob") as bob:
            capabilities = ["SIMPLE_AUTHENTICATION", "AUTHORIZATION", "CELL_AUTHORIZATION"]
            assert ann.admin.permissions.capabilities() == db.admin.permissions.capabilities() == capabilities
            assert len(list(ann.table("t"))) == 1
            with pytest.raises(errors.AccessDenied, match="for user 'bob'") as refused:
                list(bob.table("t"))
    assert refused.value.remote_class == "org.apache.hadoop.hbase.security.AccessDeniedException"


def test_a_view_lives_as_long_as_its_database(db: rs.Database) -> None:
    ann = db.as_user("ann")
    ann.close()
    assert not ann.closed
    assert db.tables() == ["t"]
    db.close()
    assert ann.closed


def test_a_superuser_cannot_compact_a_read_only_database(tmp_path: Path) -> None:
    guarded = {"hbase.security.authorization": True, "hbase.superuser": "keeper"}
    with rs.connect(tmp_path / "db", configuration=guarded) as db:
        db.as_user("keeper").create_table("t", ["f"])
    with (
        rs.connect(tmp_path / "db", read_only=True, configuration=guarded) as db,
        rs.serve(db, port=0, zk_port=None) as server,
        rs.connect(server.url, user="keeper") as client,
        pytest.raises(rs.errors.RowstoneError, match="read_only=True"),
    ):
        client.admin.major_compact("t")


def test_indexes_constraints_and_observers_need_global_admin(db: rs.Database) -> None:
    """Regression: who could alter one table could write to others through the attribute of an index."""
    db.admin.permissions.grant("eve", "RWC", table="t")
    eve = db.as_user("eve")
    python = [("coprocessor$1", f"{path}|audit.Audit|1|") for path in ("python", " python ", "\x1cpython")]
    for key, value in [("index$x", "{}"), ("constraint$1", "{}"), ("INDEX_OF", "{}"), *python]:
        with pytest.raises(errors.AccessDenied):
            eve.admin.alter_table("t", attributes={key: value})
    # Nothing loads a coprocessor of Java.
    eve.admin.alter_table("t", attributes={"coprocessor$1": "hdfs:///a.jar|com.example.Audit|1|"})
    eve.admin.alter_table("t", attributes={"OWNER": "eve"})


def test_a_raw_scan_by_a_user_of_some_columns_says_what_is_missing(db: rs.Database) -> None:
    """Regression: "Cannot specify any column for a raw scan", though the user named none."""
    db.admin.permissions.grant("eve", "R", table="t", family="f", qualifier="a")
    with pytest.raises(errors.AccessDenied, match="only some columns"):
        list(db.as_user("eve").table("t").scan(raw=True))
