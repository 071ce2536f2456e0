"""The judge: what HBase's reader finds in a place, and what Rowstone finds in a table."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

import rowstone as rs
from tests.roots import text
from tests.roots.session import RootSession


def find_difference(session: RootSession, place: str, name: str, table: rs.Table, scan: str) -> str:
    """Compare one scan of a table with HBase's; return the first difference, or nothing.

    Args:
        place: Where HBase reads: `session.LIVE`, or a snapshot's place.
        name: Of the table that HBase reads.
        scan: A line of the script language.
    """
    expected, found = session.dump(place, name, scan), text.dump(table, scan)
    if expected == found:
        return ""
    head = f"{place} {name}: {scan}\n  HBase {expected}\n  ours  {found}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lines"
        session.write_lines(place, name, scan, file)
        with file.open() as lines:
            # Only the rows differ if a row is in other pieces.
            return f"{head}\n{text.first_difference(lines, text.lines_of(table, scan)) or 'the same cells'}"


def check_same(session: RootSession, place: str, name: str, table: rs.Table, scans: Iterable[str]) -> None:
    """Compare several scans.

    Raises:
        AssertionError: The first difference of each.
    """
    found = [find_difference(session, place, name, table, scan) for scan in scans]
    differences = "\n\n".join(difference for difference in found if difference)
    assert not differences, differences
