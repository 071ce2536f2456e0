"""An observer that writes down what it hears, and one of the schema."""

from __future__ import annotations

from typing import Any

import rowstone as rs
from rowstone.coprocessors import MasterObserver, ObserverContext, RegionObserver


def _recording(name: str) -> Any:
    def hook(self: Any, context: ObserverContext, *given: Any) -> None:
        self.heard.append((name, *given))

    return hook


_HOOKS = [name for name in vars(RegionObserver) if name.startswith(("pre_", "post_"))]
_MASTER_HOOKS = [name for name in vars(MasterObserver) if name.startswith(("pre_", "post_"))]
Recorder: Any = type(
    "Recorder",
    (RegionObserver,),
    {"__init__": lambda self: setattr(self, "heard", []), **{name: _recording(name) for name in _HOOKS}},
)
MasterRecorder: Any = type(
    "MasterRecorder",
    (MasterObserver,),
    {"__init__": lambda self: setattr(self, "heard", []), **{name: _recording(name) for name in _MASTER_HOOKS}},
)


class Upper(RegionObserver):
    """Writes values in capitals."""

    def pre_put(self, context: ObserverContext, put: rs.Put, durability: str) -> rs.Put:
        return rs.Put(put.row, [(cell.column, cell.value.upper()) for cell in put.cells])


class Vetoing(RegionObserver):
    """Refuses rows that begin with an exclamation mark."""

    def __init__(self, reason: str = "no marks") -> None:
        self.reason = reason

    def _check(self, row: bytes) -> None:
        if row.startswith(b"!"):
            raise rs.errors.ConstraintViolation(self.reason)

    def pre_put(self, context: ObserverContext, put: rs.Put, durability: str) -> None:
        self._check(put.row)

    def pre_delete(self, context: ObserverContext, delete: rs.Delete, durability: str) -> None:
        self._check(delete.row)

    def pre_increment(self, context: ObserverContext, increment: rs.Increment) -> None:
        self._check(increment.row)

    def pre_append(self, context: ObserverContext, append: rs.Append) -> None:
        self._check(append.row)

    def pre_get_op(self, context: ObserverContext, get: rs.Get) -> None:
        self._check(get.row)

    def pre_scanner_open(self, context: ObserverContext, scan: rs.Scan) -> None:
        self._check(scan.start)
