"""The advisor and the catalogue of columns on the other side of a port."""

from __future__ import annotations

import rowstone as rs
from rowstone.schema.advise import advise
from rowstone.testing import server
from tests.advise.test_rules import EXAMPLES


def test_a_table_behind_a_port_is_judged_by_its_data() -> None:
    case = EXAMPLES["L09"](True)
    with server() as served, rs.connect(str(served)) as db:
        db.create_table("t", case.families, splits=["user-01"])
        table = db.table("t")
        for row, values, timestamp in case.puts:
            table.put(row, values, timestamp=timestamp)
        assert "L09" in [advice.code for advice in advise(db)]
        assert table.column_catalogue().names == {b"f:q"}


def test_rules_without_data_from_a_cluster_are_skipped() -> None:
    """A cluster does not list its files, so rules about their sizes are skipped."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})

        def refuse(name: str) -> None:
            raise rs.errors.UnsupportedOperation("no files")

        db.admin.tables.store_files = refuse  # type: ignore[method-assign,assignment]
        assert {"L29", "L34", "L40"} <= set(advise(db).silent)
