"""Markers and time ranges: every combination answers as the reference model (checklist 108).

Four markers at 20; puts older, equal and newer; before or after the marker; in memory or in files; classic or new
version behavior. What HBase itself answers to them is recorded in `tests/cases/marker_matrix.txt`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from tests.checklist import checklist
from tests.script.compare import first_difference
from tests.script.parse import parse_script
from tests.script.runners.base import run_script
from tests.script.runners.model import ModelRunner
from tests.script.runners.store import StoreRunner

MARKERS = {"version": "delc r f:a 20", "column": "delcs r f:a 20", "family": "delf r f 20", "of family": "delfv r f 20"}
RANGES = ["", "tr=0,15", "tr=0,20", "tr=0,21", "tr=15,25", "tr=20,21", "tr=21,40"]


def _script(marker: str, at: int, marker_first: bool, in_file: bool, new_behavior: bool) -> Iterator[str]:
    yield "now 1000"
    yield f"table t f,VERSIONS=5,NVB={str(new_behavior).lower()}"
    writes = [marker, f"put r f:a {at} value"]
    for write in writes if marker_first else reversed(writes):
        yield "+now 1"
        yield write
        if in_file:
            yield "flush"
    for time_range in RANGES:
        yield f"scan versions=all {time_range}"
        yield f"get r cols=f:a versions=all {time_range}"
    yield "scan raw versions=all"
    yield "major"
    yield "scan raw versions=all"
    yield from (f"scan versions=all {time_range}" for time_range in RANGES)


@checklist("108", clause="the matrix of markers, times, places and behaviors equals the model")
@pytest.mark.parametrize("new_behavior", [False, True], ids=["classic", "new"])
@pytest.mark.parametrize("in_file", [False, True], ids=["memory", "file"])
@pytest.mark.parametrize("kind", MARKERS)
def test_the_matrix_of_markers(kind: str, in_file: bool, new_behavior: bool) -> None:
    for at, marker_first in itertools.product((10, 20, 30), (False, True)):
        lines = list(_script(MARKERS[kind], at, marker_first, in_file, new_behavior))
        commands = parse_script(lines)
        expected = run_script(ModelRunner(), commands)
        actual = run_script(StoreRunner(), commands)
        assert None not in actual
        assert first_difference(lines, commands, expected, actual, with_store=True) is None
        assert any(answer for answer in expected)
