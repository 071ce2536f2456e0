"""Residues applied to record batches."""

from __future__ import annotations

from typing import Any

from rowstone._base.lazy import import_optional
from rowstone.engines._predicate import Predicate


def keep(batch: Any, residue: Predicate) -> Any:
    """Return the rows of a `pyarrow.RecordBatch` for which the residue holds."""
    pyarrow = import_optional("pyarrow", "reading a Source", "arrow")
    holds = [residue.matches(record) is True for record in batch.to_pylist()]
    return batch.filter(pyarrow.array(holds, pyarrow.bool_()))
