"""Values as HBase 2.6.4 encodes them, byte for byte: OrderedBytes, Bytes, MurmurHash3.

`vectors.txt` was printed by `java/KeyVectors.java`; `tests/hbase/test_keys.py` draws others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.keys.vectors import unlike

LINES = (Path(__file__).parent / "vectors.txt").read_text().splitlines()


@pytest.mark.parametrize("kind", sorted({line.split()[0] for line in LINES}))
def test_values_are_written_as_hbase_writes_them(kind: str) -> None:
    lines = [line for line in LINES if line.split()[0] == kind]
    assert lines
    assert unlike(lines) == []
