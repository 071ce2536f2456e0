"""The explorer shows a real HBase: rows, versions and markers, why a cell is missing, and it changes cells."""

from __future__ import annotations

import rowstone as rs
from rowstone.server.dashboard import explore
from tests.explorer.conftest import admit
from tests.explorer.test_edit import fields_of


def test_pages_of_a_cluster(cluster: rs.Database, table: rs.Table) -> None:
    for number in range(30):
        table.put(f"k{number:02}", {"f:n": str(number), "g:doc": '{"a": 1}'})
    table.put("old", {"f:q": "lost"}, timestamp=7)
    table.delete("old", ["f:q"], timestamp=8)
    with explore(cluster, write=True) as page:
        visitor, name = admit(page), table.name
        for path in ("/tables", f"/tables/{name}", "/snapshots"):
            assert visitor.request("GET", path).status == 200, path
        assert "Next rows" in visitor.text("rows", name)
        assert "1 row of 31 examined" in visitor.text("rows", name, filter="ValueFilter(=, 'binary:7')")
        assert "k07" in visitor.text("rows", name, prefix="k0", columns="f:n", limit=9)
        text = visitor.text("row", name, key="old", missing="f:q")
        assert text.index("marker DeleteColumn") < text.index("hidden by DeleteColumn of 8 lost")
        assert "is hidden by DeleteColumn of 8" in text
        assert "lost" in visitor.text("cell", name, key="old", column="f:q", timestamp=7)
        assert "1 of 1 regions" in visitor.text("scan", name, prefix="k")
        assert len(visitor.get("download", name, format="jsonl").html.splitlines()) == 30
        change_of_row = {"kind": "put", "key": "k00", "column": "f:n", "value": "new", "form": "text"}
        preview = visitor.post("edit", name, None, token=visitor.token(name), **change_of_row)
        assert visitor.post("edit", name, None, **fields_of(preview)).status == 303
    assert table.value("k00", "f:n") == b"new"
