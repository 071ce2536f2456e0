"""Clients of a server are observed as calls in the process are."""

from __future__ import annotations

import pytest

import rowstone as rs
from rowstone import errors
from tests.coprocessors.recorder import MasterRecorder, Upper, Vetoing


def test_clients_of_a_server_are_observed() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["m"])
        db.create_table("plain", ["f"])
        db.coprocessors.attach("t", Upper())
        db.coprocessors.attach("t", Vetoing("marks are not for us"), priority=1)
        master = MasterRecorder()
        db.coprocessors.attach_master(master)
        rules = db.constraints("t")
        rules.add(rs.coprocessors.constraints.Regex("f:q", "[A-Z]*"))
        index = db.create_index("t", "by_q", "f:q", strategy="coprocessor")
        with rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as client:
            table = client.table("t")
            table.put("a", {"f:q": "v"})
            with table.batch() as batch:
                batch.put("b", {"f:q": "w"})
                batch.put("z", {"f:q": "v"})
            with pytest.raises(errors.ConstraintViolation, match="marks are not for us") as caught:
                table.put("!x", {"f:q": "v"})
            assert caught.value.remote_class == "org.apache.hadoop.hbase.constraint.ConstraintException"
            with pytest.raises(errors.ConstraintViolation, match="Regex of 'f:q': '17' does not match"):
                table.put("c", {"f:q": "17"})
            assert {row.key: row["f:q"] for row in table.scan()} == {b"a": b"V", b"b": b"W", b"z": b"V"}
            client.create_table("made", ["f"])
            with pytest.raises(errors.UnsupportedOperation):
                client.coprocessors.attach("t", Upper())
            with pytest.raises(errors.UnsupportedOperation):
                client.constraints("t")
        assert [row.key for row in index.query(equals="V")] == [b"a", b"z"]
        assert not index.verify()
        assert [heard[0] for heard in master.heard if heard[1] == "made"] == ["pre_create_table", "post_create_table"]
