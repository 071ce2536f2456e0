"""Access statistics from a file: every name of `Access` and `Read`, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rowstone import errors
from rowstone.schema.advise import Access, Read, load_access

DOCUMENT = {
    "tables": {
        "default:t": {
            "seconds": 60,
            "reads": [
                {"kind": "get", "columns": ["f:q"], "count": 5},
                {"kind": "scan", "families": ["f", "g"], "bounded": False, "rows_examined": 9, "caching": 1},
            ],
            "region_writes": {"": 3, r"\x80": 1},
            "new_keys": ["b", r"a\x00"],
            "column_reads": {"f:q": 5},
            "largest_multi": 7,
            "skip_wal_writes": 1,
            "timestamp_gap_ms": {"f": 10},
        }
    }
}


def written(folder: Path, document: Any) -> Path:
    path = folder / "access.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def test_all_of_it(tmp_path: Path) -> None:
    scan = Read(kind="scan", families=(b"f", b"g"), bounded=False, rows_examined=9, caching=1)
    assert load_access(written(tmp_path, DOCUMENT)) == {
        "t": Access(
            seconds=60,
            reads=(Read(columns=(b"f:q",), count=5), scan),
            region_writes={b"": 3, b"\x80": 1},
            new_keys=(b"b", b"a\x00"),
            column_reads={b"f:q": 5},
            largest_multi=7,
            skip_wal_writes=1,
            timestamp_gap_ms={b"f": 10},
        )
    }


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "is not JSON"),
        ({"table": {}}, "no object 'tables'"),
        ([], "no object 'tables'"),
        ({"tables": {"t": []}}, "table 't' must be an object"),
        ({"tables": {"t": {"second": 1}}}, "table 't' has 'second', which is unknown"),
        ({"tables": {"t": {"seconds": "1"}}}, "seconds = '1'"),
        ({"tables": {"t": {"new_keys": [1]}}}, "new_keys"),
        ({"tables": {"t": {"reads": {}}}}, "reads"),
        ({"tables": {"t": {"reads": [1]}}}, "reads must be an object"),
        ({"tables": {"t": {"reads": [{"kind": "put"}]}}}, "kind"),
        ({"tables": {"t": {"reads": [{"count": True}]}}}, "count"),
        ({"tables": {"t": {"region_writes": {"a": "many"}}}}, "region_writes"),
    ],
)
def test_invalid_access_files_are_refused(document: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        load_access(written(tmp_path, document))
