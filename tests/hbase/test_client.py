"""The client against a real HBase: what comes back, in which order, and what is refused."""

from __future__ import annotations

import rowstone as rs


def test_a_put_comes_back(table: rs.Table) -> None:
    table.put("r", {"f:a": b"1", "g:b": b"2"})
    assert table.get("r").to_dict() == {b"f:a": b"1", b"g:b": b"2"}
