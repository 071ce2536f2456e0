"""Namespaces: groups of tables with properties and limits (checklist 043-049, 051)."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import errors
from tests.checklist import checklist


@checklist("043", clause="it lists only its own tables")
def test_a_namespace_lists_its_own_tables(db: rs.Database) -> None:
    db.admin.namespaces.create("my_ns")
    for name in ("my_ns:b", "my_ns:a", "elsewhere"):
        db.create_table(name, ["f"])
    assert db.admin.tables.list("my_ns") == ["my_ns:a", "my_ns:b"]
    assert db.tables("my_ns") == ["my_ns:a", "my_ns:b"]
    assert db.tables("default") == ["elsewhere"]


@checklist("044", clause="properties are set and unset")
@checklist("048", clause="a property is shown until it is unset")
def test_properties_of_a_namespace(db: rs.Database) -> None:
    db.admin.namespaces.create("my_ns", {"OWNER": "ada"})
    db.admin.namespaces.alter("my_ns", set={"PROPERTY_NAME": "PROPERTY_VALUE"})
    assert db.admin.namespaces.describe("my_ns") == {"OWNER": "ada", "PROPERTY_NAME": "PROPERTY_VALUE"}
    db.admin.namespaces.alter("my_ns", unset=["PROPERTY_NAME"])
    assert db.admin.namespaces.describe("my_ns") == {"OWNER": "ada"}


@checklist("044", clause="one with tables cannot be dropped")
def test_a_namespace_with_tables_stays(db: rs.Database) -> None:
    db.admin.namespaces.create("my_ns")
    db.create_table("my_ns:t", ["f"])
    with pytest.raises(errors.ConstraintViolation) as refused:
        db.admin.namespaces.drop("my_ns")
    assert isinstance(refused.value, errors.NamespaceNotEmpty)
    assert refused.value.remote_class == "org.apache.hadoop.hbase.constraint.ConstraintException"
    db.drop_table("my_ns:t", force=True)
    db.admin.namespaces.drop("my_ns")
    assert "my_ns" not in db.admin.namespaces.list()


@checklist("044", clause="an unknown one cannot be dropped")
def test_an_unknown_namespace_cannot_be_dropped(db: rs.Database) -> None:
    with pytest.raises(errors.NamespaceNotFound):
        db.admin.namespaces.drop("unknown")
    with pytest.raises(errors.NamespaceNotFound):
        db.admin.namespaces.alter("unknown", set={"a": "b"})


@checklist("045", clause="a table is made in its namespace")
def test_a_table_is_made_in_its_namespace(db: rs.Database) -> None:
    db.admin.namespaces.create("my_ns")
    assert db.create_table("my_ns:my_table", ["fam"])
    assert db.table("my_ns:my_table").name == "my_ns:my_table"
    assert not db.admin.tables.exists("my_table")


@checklist("045", clause="a missing namespace is an error")
def test_a_missing_namespace_is_an_error(db: rs.Database) -> None:
    with pytest.raises(errors.NamespaceNotFound, match="missing"):
        db.create_table("missing:t", ["f"])
    assert db.tables() == []


@checklist("045", clause="there is no renaming")
def test_tables_cannot_be_renamed() -> None:
    offered = [name for name in (*dir(rs.Admin), *dir(rs.Database)) if "table" in name or "namespace" in name]
    assert "create_table" in offered
    assert not [name for name in offered if "rename" in name or "move" in name]


@checklist("046", clause="they can be neither made nor dropped")
@pytest.mark.parametrize("name", ["default", "hbase"])
def test_the_first_namespaces_stay(db: rs.Database, name: str) -> None:
    assert name in db.admin.namespaces.list()
    with pytest.raises(errors.NamespaceExists):
        db.admin.namespaces.create(name)
    with pytest.raises(errors.ConstraintViolation):
        db.admin.namespaces.drop(name)
    assert name in db.admin.namespaces.list()


@checklist("046", clause="the system namespace takes no user tables")
def test_no_user_tables_in_the_system_namespace(db: rs.Database) -> None:
    with pytest.raises(errors.ConstraintViolation, match="hbase"):
        db.create_table("hbase:mine", ["f"])


@checklist("047", clause="both names mean one table")
def test_tables_land_in_default(db: rs.Database) -> None:
    db.create_table("bar", ["f"])
    assert db.admin.tables.exists("default:bar")
    db.table("bar").put("r", {"f:q": "v"})
    assert db.table("default:bar").get("r")["f:q"] == b"v"
    assert db.table("default:bar").name == db.table("bar").name
    with pytest.raises(errors.TableExists):
        db.create_table("default:bar", ["f"])


@checklist("049", clause="one table too many is refused")
def test_a_limit_of_tables(db: rs.Database) -> None:
    db.admin.namespaces.create("small", {"hbase.namespace.quota.maxtables": 2})
    db.create_table("small:a", ["f"])
    db.create_table("small:b", ["f"])
    with pytest.raises(errors.QuotaExceeded, match="2"):
        db.create_table("small:c", ["f"])
    assert db.tables("small") == ["small:a", "small:b"]
    db.drop_table("small:a", force=True)
    db.create_table("small:c", ["f"])


@checklist("049", clause="the regions of a split table count")
def test_a_limit_of_regions(db: rs.Database) -> None:
    db.admin.namespaces.create("small", {"hbase.namespace.quota.maxregions": 5})
    with pytest.raises(errors.QuotaExceeded, match="5"):
        db.create_table("small:wide", ["f"], splits=list("abcde"))
    db.create_table("small:fits", ["f"], splits=list("abc"))
    with pytest.raises(errors.QuotaExceeded):
        db.create_table("small:more", ["f"], splits=["a"])
    db.create_table("small:last", ["f"])


@checklist("051", clause="the property is kept and shown")
def test_a_server_group_is_kept_and_shown(db: rs.Database) -> None:
    db.admin.namespaces.create("pinned", {"hbase.rsgroup.name": "fast"})
    db.create_table("pinned:t", ["f"], attributes={"hbase.rsgroup.name": "faster"})
    assert db.admin.namespaces.describe("pinned") == {"hbase.rsgroup.name": "fast"}
    assert db.admin.describe("pinned:t").attributes["hbase.rsgroup.name"] == "faster"


@checklist("049", clause="a limit is above zero")
@pytest.mark.parametrize("key", ["hbase.namespace.quota.maxtables", "hbase.namespace.quota.maxregions"])
def test_a_limit_of_zero_is_refused(db: rs.Database, key: str) -> None:
    with pytest.raises(errors.ConstraintViolation, match="less than or equal to zero"):
        db.admin.namespaces.create("my_ns", {key: 0})
    db.admin.namespaces.create("my_ns", {key: 1})
    with pytest.raises(errors.ConstraintViolation, match="less than or equal to zero"):
        db.admin.namespaces.alter("my_ns", set={key: 0})
    with pytest.raises(errors.InvalidArgument, match="is not a number"):
        db.admin.namespaces.alter("my_ns", set={key: "many"})
    assert db.admin.namespaces.describe("my_ns") == {key: "1"}
    db.create_table("my_ns:t", ["f"])
    with pytest.raises(errors.QuotaExceeded) as refused:
        db.create_table("my_ns:u", ["f"])
    assert refused.value.remote_class == "org.apache.hadoop.hbase.quotas.QuotaExceededException"
