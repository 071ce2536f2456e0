"""Observers of the schema hear of every change of it, and can veto it."""

from __future__ import annotations

from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from tests.coprocessors.recorder import MasterRecorder


def test_changes_are_heard() -> None:
    with rs.connect(":memory:") as db:
        recorder = MasterRecorder()
        db.coprocessors.attach_master(recorder)
        db.create_table("t", ["f"])
        db.admin.alter_table("t", families=["g"])
        db.admin.snapshot("s", "t")
        db.admin.snapshots.clone("s", "u")
        db.admin.disable_table("t")
        db.admin.snapshots.restore("s")
        db.admin.truncate_table("t")
        db.admin.disable_table("t")
        db.admin.enable_table("t")
        db.drop_table("t", force=True)
        db.admin.snapshots.delete("s")
        db.admin.namespaces.create("n")
        db.admin.namespaces.alter("n", set={"a": "b"})
        db.admin.namespaces.drop("n")
        names = [heard[0] for heard in recorder.heard]
        steps = ["create_table", "modify_table", "snapshot", "clone_snapshot", "disable_table", "restore_snapshot"]
        steps += ["truncate_table", "disable_table", "enable_table", "disable_table", "delete_table", "delete_snapshot"]
        steps += ["create_namespace", "modify_namespace", "delete_namespace"]
        assert names == [f"{when}_{step}" for step in steps for when in ("pre", "post")]
        made = recorder.heard[0]
        assert (made[1], set(made[2].families)) == ("t", {b"f"})
        assert recorder.heard[4][1:] == ("s", "t")


def test_a_veto_changes_nothing() -> None:
    class Keep(rs.coprocessors.MasterObserver):
        def pre_create_table(self, context: Any, table: str, schema: rs.TableSchema) -> None:
            if len(schema.families) > 3:
                raise errors.ConstraintViolation(
                    f"table '{table}' has {len(schema.families)} families, three are enough"
                )

        def pre_delete_table(self, context: Any, table: str) -> None:
            raise errors.ConstraintViolation(f"{context.table} stays")

        def pre_modify_table(self, context: Any, table: str, schema: rs.TableSchema) -> None:
            raise RuntimeError("no")

    with rs.connect(":memory:") as db:
        keep = Keep()
        db.coprocessors.attach_master(keep)
        with pytest.raises(errors.ConstraintViolation, match="4 families"):
            db.create_table("wide", list("abcd"))
        db.create_table("t", ["f"])
        with pytest.raises(errors.ConstraintViolation, match="t stays"):
            db.drop_table("t", force=True)
        with pytest.raises(errors.CoprocessorError, match="observer Keep in pre_modify_table of table 't' failed"):
            db.admin.tables.add_family("t", "g")
        assert {name: set(db.admin.describe(name).families) for name in db.tables()} == {"t": {b"f"}}
        assert db.admin.tables.is_enabled("t")
        db.coprocessors.detach_master(keep)
        db.drop_table("t", force=True)
        assert db.tables() == []
