"""On HBase: the marker that hides a value is named, and joins give what they give on a directory."""

from __future__ import annotations

import rowstone as rs


def test_the_marker_that_hides_a_value_is_named(cluster: rs.Database, table: rs.Table) -> None:
    table.delete("r", ["f:q"], timestamp=7)
    table.delete("r", ["f"], version=7)
    table.put("r", {"f:q": "lost", "f:other": "x"}, timestamp=7)
    table.put("r", {"f:q": "seen"}, timestamp=9)
    found = cluster.explain_missing(table.name, "r", "f:q")
    assert found.visible == (9,)
    [cell] = found.hidden
    assert {(marker.type, marker.timestamp) for marker in cell.markers} == {
        ("DeleteColumn", 7),
        ("DeleteFamilyVersion", 7),
    }
    assert (cell.timestamp, cell.value, cell.same_millisecond) == (7, b"lost", True)


def test_both_ways_to_join(cluster: rs.Database, table: rs.Table) -> None:
    for number in range(30):
        table.put(f"o{number:02}", {"f:user": f"u{number % 4}"})
    for name in ("u0", "u1", "u3"):
        table.put(name, {"f:town": "Oslo"})
    found = [
        [(order.key, user and user.key) for order, user in join]
        for how in ("nested", "hash", "auto")
        if (join := rs.jobs.join(cluster, table.name, table.name, on="f:user", how=how, prefix="o", outer=True))  # type: ignore[arg-type]
    ]
    assert found[0] == found[1] == found[2]
    assert found[0] == [(b"o%02d" % n, None if n % 4 == 2 else b"u%d" % (n % 4)) for n in range(30)]
