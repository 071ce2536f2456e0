"""Quotas are set, listed, enforced and removed; invalid ones are refused."""

from __future__ import annotations

from pathlib import Path
from typing import get_type_hints

import pytest

import rowstone as rs
from rowstone import Quota, errors
from rowstone.admin import Quotas

ENABLED = {"hbase.quota.enabled": True}
GIB = 1 << 30


@pytest.fixture
def db() -> rs.Database:
    database = rs.connect(":memory:", configuration=ENABLED)
    database.create_table("t", ["f"])
    database.admin.namespaces.create("ns")
    return database


def test_every_owner_has_its_own_limits(db: rs.Database) -> None:
    admin = db.admin
    admin.quotas.set("REQUEST_NUMBER", 10, user="bob")
    admin.quotas.set("READ_SIZE", 1 << 20, unit="MINUTES", user="bob")
    admin.quotas.set("REQUEST_SIZE", 5, unit="HOURS", user="bob", table="t")
    admin.quotas.set("REQUEST_SIZE", GIB, unit="DAYS", user="bob", namespace="ns", scope="CLUSTER")
    admin.quotas.set("WRITE_CAPACITY_UNIT", 7, table="t")
    admin.quotas.set("SPACE", GIB, policy="NO_INSERTS", table="t")
    admin.quotas.set("SPACE", 2 * GIB, policy="DISABLE", namespace="ns")
    admin.quotas.set("REQUEST_NUMBER", 30_000, server="all")
    admin.quotas.set("GLOBAL_BYPASS", True, user="carl")
    assert admin.quotas.list() == [
        Quota("SPACE", 2 * GIB, policy="DISABLE", namespace="ns"),
        Quota("REQUEST_NUMBER", 30_000, "SECONDS", "MACHINE", server="all"),
        Quota("WRITE_CAPACITY_UNIT", 7, "SECONDS", "MACHINE", table="t"),
        Quota("SPACE", GIB, policy="NO_INSERTS", table="t"),
        Quota("REQUEST_NUMBER", 10, "SECONDS", "MACHINE", user="bob"),
        Quota("READ_SIZE", 1 << 20, "MINUTES", "MACHINE", user="bob"),
        Quota("REQUEST_SIZE", GIB, "DAYS", "CLUSTER", user="bob", namespace="ns"),
        Quota("REQUEST_SIZE", 5, "HOURS", "MACHINE", user="bob", table="t"),
        Quota("GLOBAL_BYPASS", user="carl"),
    ]
    kinds = {quota.kind for quota in admin.quotas.list(user="b.*", table=".")}
    assert kinds == {"REQUEST_SIZE"}
    assert [quota.kind for quota in admin.quotas.list(table=".*")] == ["WRITE_CAPACITY_UNIT", "SPACE"]
    assert len(admin.quotas.list(user="bob")) == 4
    assert admin.quotas.list(server="none") == admin.quotas.list(user="bo") == []


def test_limits_go_one_by_one_and_a_users_own_take_the_others_along(db: rs.Database) -> None:
    """As in HBase, which removes the row."""
    admin = db.admin
    for kind in ("READ_NUMBER", "WRITE_NUMBER"):
        admin.quotas.set(kind, 5, user="bob")
    admin.quotas.set("READ_NUMBER", 5, user="bob", table="t")
    admin.quotas.set("READ_NUMBER", None, user="bob")
    assert [quota.kind for quota in admin.quotas.list()] == ["WRITE_NUMBER", "READ_NUMBER"]
    admin.quotas.set(None, None, user="bob")
    assert admin.quotas.list() == []


def test_limits_on_requests_go_without_those_on_space(db: rs.Database) -> None:
    db.admin.quotas.set("READ_NUMBER", 5, table="t")
    db.admin.quotas.set("SPACE", 5, policy="NO_WRITES", table="t")
    db.admin.quotas.set(None, None, table="t")
    assert [quota.kind for quota in db.admin.quotas.list()] == ["SPACE"]
    db.admin.quotas.set("SPACE", None, table="t")
    assert db.admin.quotas.list() == []


def test_a_table_and_a_namespace_take_their_limits_along(db: rs.Database) -> None:
    db.admin.quotas.set("READ_NUMBER", 5, table="t")
    db.admin.quotas.set("READ_NUMBER", 5, namespace="ns")
    db.drop_table("t", force=True)
    db.admin.namespaces.drop("ns")
    assert db.admin.quotas.list() == []


def test_hbase_quota_stores_hbases_messages(db: rs.Database) -> None:
    db.admin.quotas.set("REQUEST_NUMBER", 10, user="bob")
    db.admin.quotas.set("GLOBAL_BYPASS", False, user="carl")
    rows = {row.key: dict(row) for row in db.table("hbase:quota").scan()}
    assert rows == {
        b"u.bob": {b"q:s": b"PBUF\x12\x08\x0a\x06\x08\x04\x10\x0a\x20\x02"},
        b"u.carl": {b"q:s": b"PBUF\x08\x00"},
    }


def test_limits_and_the_switch_are_there_after_a_restart(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db", configuration=ENABLED) as db:
        db.admin.quotas.set("REQUEST_NUMBER", 10, server="all")
        assert db.admin.switches.set("exceed_throttle_quota", True) is False
    with rs.connect(tmp_path / "db", configuration=ENABLED) as db:
        assert db.admin.quotas.list() == [Quota("REQUEST_NUMBER", 10, "SECONDS", "MACHINE", server="all")]
        assert db.admin.switches.get("exceed_throttle_quota")
        assert db.admin.switches.get("rpc_throttle")
    with rs.connect(tmp_path / "db") as db:
        assert not db.admin.switches.get("exceed_throttle_quota")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ((), "Please set region server quota before enable exceed throttle quota"),
        ((("READ_NUMBER", "SECONDS"),), "at least one write region server quota"),
        ((("WRITE_NUMBER", "SECONDS"),), "at least one read region server quota"),
        ((("REQUEST_SIZE", "MINUTES"),), "must be in seconds time unit"),
    ],
)
def test_exceeding_needs_limits_of_the_server(
    db: rs.Database, limits: tuple[tuple[str, str], ...], message: str
) -> None:
    for kind, unit in limits:
        db.admin.quotas.set(kind, 5, unit=unit, server="all")
    with pytest.raises(errors.InvalidArgument, match=message):
        db.admin.switches.set("exceed_throttle_quota", True)
    assert not db.admin.switches.get("exceed_throttle_quota")


@pytest.mark.parametrize(
    "arguments",
    [
        {"kind": "REQUEST_NUMBER", "limit": 0, "user": "u"},
        {"kind": "REQUEST_NUMBER", "limit": -1, "user": "u"},
        {"kind": "REQUEST_NUMBER", "limit": 1 << 63, "user": "u"},
        {"kind": "REQUEST_NUMBER", "limit": True, "user": "u"},
        {"kind": "REQUEST_NUMBER", "limit": 5},
        {"kind": "REQUEST_NUMBER", "limit": 5, "user": ""},
        {"kind": "REQUEST_NUMBER", "limit": 5, "user": "u", "unit": "NANOSECONDS"},
        {"kind": "REQUEST_NUMBER", "limit": 5, "user": "u", "unit": "WEEKS"},
        {"kind": "REQUEST_NUMBER", "limit": 5, "user": "u", "scope": "GALAXY"},
        {"kind": "NONSENSE", "limit": 5, "user": "u"},
        {"kind": None, "limit": 5, "user": "u"},
        {"kind": "SPACE", "limit": 5, "table": "t"},
        {"kind": "SPACE", "limit": 5, "table": "t", "policy": "NO_READS"},
        {"kind": "SPACE", "limit": 5, "user": "u", "policy": "NO_WRITES"},
        {"kind": "SPACE", "limit": 5, "table": "t", "namespace": "ns", "policy": "NO_WRITES"},
        {"kind": "GLOBAL_BYPASS", "limit": True, "table": "t"},
    ],
)
def test_invalid_quotas_are_refused(db: rs.Database, arguments: dict[str, object]) -> None:
    with pytest.raises(errors.InvalidArgument):
        db.admin.quotas.set(**arguments)  # type: ignore[arg-type]
    assert db.admin.quotas.list() == []


@pytest.mark.parametrize("limit", ["no", 0, 1])
def test_a_bypass_is_a_bool(db: rs.Database, limit: object) -> None:
    with pytest.raises(errors.InvalidType, match="GLOBAL_BYPASS must be a bool or None"):
        db.admin.quotas.set("GLOBAL_BYPASS", limit, user="u")  # type: ignore[arg-type]
    assert db.admin.quotas.list() == []


def test_words_are_accepted_in_lower_case(db: rs.Database) -> None:
    db.admin.quotas.set("space", 10, table="t", policy="no_inserts")  # type: ignore[arg-type]
    db.admin.quotas.set("read_size", 10, user="u", unit="hours", scope="cluster")  # type: ignore[arg-type]
    db.admin.quotas.set("global_bypass", True, user="carl")  # type: ignore[arg-type]
    assert db.admin.quotas.list() == [
        Quota("SPACE", 10, policy="NO_INSERTS", table="t"),
        Quota("GLOBAL_BYPASS", user="carl"),
        Quota("READ_SIZE", 10, "HOURS", "CLUSTER", user="u"),
    ]


@pytest.mark.parametrize("kind", [None, "NONSENSE"])
def test_a_message_about_the_kind_names_all_kinds(db: rs.Database, kind: str | None) -> None:
    with pytest.raises(
        errors.InvalidArgument, match=r"REQUEST_NUMBER, .*REQUEST_HANDLER_USAGE_MS, SPACE, GLOBAL_BYPASS"
    ):
        db.admin.quotas.set(kind, 5, user="u")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [("kind", 5), ("unit", None), ("scope", None), ("policy", 5), ("user", 5), ("table", 5), ("server", True)],
)
def test_an_argument_of_a_wrong_type_is_named(db: rs.Database, name: str, value: object) -> None:
    arguments = {"kind": "READ_SIZE", "limit": 5, "user": "u", name: value}
    with pytest.raises(errors.InvalidType, match=f"^{name} must be a str, not {type(value).__name__}$"):
        db.admin.quotas.set(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"kind": "READ_SIZE", "limit": 5, "user": "u", "policy": "NO_INSERTS"},
            "`policy` does not belong to READ_SIZE",
        ),
        ({"kind": None, "limit": None, "user": "u", "policy": "NO_INSERTS"}, "`policy` does not belong to limits"),
        ({"kind": "SPACE", "limit": None, "table": "t", "policy": "BOGUS"}, "there is no policy 'BOGUS'"),
        ({"kind": "SPACE", "limit": None, "table": "t", "unit": "HOURS"}, "`unit` does not belong to SPACE"),
        ({"kind": "SPACE", "limit": None, "table": "t", "user": "u"}, "no other owner"),
        (
            {"kind": "GLOBAL_BYPASS", "limit": True, "user": "u", "scope": "CLUSTER"},
            "`scope` does not belong to GLOBAL",
        ),
        ({"kind": "GLOBAL_BYPASS", "limit": True, "user": "u", "table": "t"}, "applies to users only"),
        ({"kind": "READ_SIZE", "limit": 5, "user": "u", "table": "t", "namespace": "ns"}, "needs one of"),
        ({"kind": "READ_SIZE", "limit": 5, "table": "t", "namespace": "ns"}, "needs one of"),
        ({"kind": None, "limit": None, "user": "u", "server": "all"}, "needs one of"),
        ({"kind": "READ_SIZE", "limit": 5, "server": "x"}, "needs `server='all'`"),
        ({"kind": "READ_SIZE", "limit": 5, "server": "all", "scope": "CLUSTER"}, "the scope MACHINE"),
    ],
)
def test_an_argument_foreign_to_the_kind_is_refused(
    db: rs.Database, arguments: dict[str, object], message: str
) -> None:
    db.admin.quotas.set("SPACE", 7, policy="NO_WRITES", table="t")
    db.admin.quotas.set("WRITE_SIZE", 7, user="u")
    before = db.admin.quotas.list()
    with pytest.raises(errors.InvalidArgument, match=message):
        db.admin.quotas.set(**arguments)  # type: ignore[arg-type]
    assert db.admin.quotas.list() == before


def test_a_listed_quota_has_the_types_of_the_arguments() -> None:
    """So that a type checker lets it be set again."""
    wanted, fields = get_type_hints(Quotas.set), get_type_hints(Quota)
    assert fields["kind"] | None == wanted["kind"]
    assert fields["unit"] == wanted["unit"] | None
    assert fields["scope"] == wanted["scope"] | None
    assert fields["policy"] == get_type_hints(rs.SpaceUse)["policy"] == wanted["policy"]


def test_without_the_setting_there_are_none() -> None:
    with rs.connect(":memory:") as db:
        with pytest.raises(errors.UnsupportedOperation, match="quota support disabled"):
            db.admin.quotas.set("REQUEST_NUMBER", 5, user="u")
        with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            with pytest.raises(errors.UnsupportedOperation, match=r"hbase\.quota\.enabled = true"):
                client.admin.quotas.set("REQUEST_NUMBER", 5, user="u")
            with pytest.raises(errors.UnsupportedOperation, match=r"hbase\.security\.authorization = true"):
                client.admin.permissions.list()
        assert db.admin.quotas.list() == []
        assert "hbase:quota" not in db.admin.tables.list("hbase")


def test_table_admins_set_the_limits_of_their_tables() -> None:
    settings = {**ENABLED, "hbase.security.authorization": True}
    with rs.connect(":memory:", configuration=settings) as db:
        db.create_table("t", ["f"])
        db.admin.permissions.grant("ann", "A", table="t")
        ann = db.as_user("ann").admin
        ann.quotas.set("READ_NUMBER", 5, table="t")
        ann.quotas.set("READ_NUMBER", 5, user="bob", table="t")
        for owner in ({"user": "bob"}, {"namespace": "default"}, {"server": "all"}):
            with pytest.raises(errors.AccessDenied):
                ann.quotas.set("READ_NUMBER", 5, **owner)
        assert len(db.admin.quotas.list()) == 2
