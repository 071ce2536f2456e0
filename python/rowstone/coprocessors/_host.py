"""Callbacks of the store around a table's operations: they call the observers in order.

Each attribute named for a hook is a function, or None if no observer has the hook; then the store makes no call at all.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rowstone import _native
from rowstone.coprocessors._calls import Call
from rowstone.coprocessors._context import ObserverContext
from rowstone.errors import InvalidType

# The store's bit for each hook, and its name for it.
GET, MUTATE, CHECK, SCAN, BATCH, FLUSH, COMPACT, MUTATED = 1, 2, 4, 8, 16, 32, 64, 128
HOOKS: dict[str, tuple[int, str]] = {
    "pre_put": (MUTATE, "pre_put"),
    "pre_delete": (MUTATE, "pre_delete"),
    "pre_increment": (MUTATE, "pre_increment"),
    "pre_append": (MUTATE, "pre_append"),
    "post_put": (MUTATED, "post_put"),
    "post_delete": (MUTATED, "post_delete"),
    "post_increment": (MUTATED, "post_increment"),
    "post_append": (MUTATED, "post_append"),
    "pre_get_op": (GET, "pre_get"),
    "post_get_op": (GET, "post_get"),
    "pre_scanner_open": (SCAN, "pre_scan"),
    "post_scanner_open": (SCAN, "post_scan"),
    "pre_check_and_mutate": (CHECK, "pre_check"),
    "post_check_and_mutate": (CHECK, "post_check"),
    "pre_batch_mutate": (BATCH, "pre_batch"),
    "post_batch_mutate": (BATCH, "post_batch"),
    "pre_flush": (FLUSH, "pre_flush"),
    "post_flush": (FLUSH, "post_flush"),
    "pre_compact": (COMPACT, "pre_compact"),
    "post_compact": (COMPACT, "post_compact"),
}
_WITH_DURABILITY = {"pre_put", "pre_delete", "post_put", "post_delete"}
_WANTED: dict[str, type] = {
    "pre_put": _native.Put,
    "pre_delete": _native.Delete,
    "pre_increment": _native.Increment,
    "pre_append": _native.Append,
    "pre_get_op": _native.Get,
    "pre_scanner_open": _native.Scan,
    "pre_check_and_mutate": _native.RowMutations,
}


class _Inside(threading.local):
    reads = False


_inside = _Inside()


@contextmanager
def unobserved() -> Iterator[None]:
    """Exempt reads of this thread from observers: index maintenance must see the table as it is."""
    before, _inside.reads = _inside.reads, True
    try:
        yield
    finally:
        _inside.reads = before


class TableHost:
    """The observers of one table, in the form that the store needs."""

    def __init__(self, database: Any, table: str, calls: dict[str, list[Call]]) -> None:
        self.hooks = 0
        for hook, (bit, name) in HOOKS.items():
            listening = calls.get(hook, [])
            setattr(self, name, _function(database, table, hook, listening) if listening else None)
            self.hooks |= bit if listening else 0


def _function(database: Any, table: str, hook: str, calls: Sequence[Call]) -> Callable[..., Any]:
    if hook in _WANTED:
        return _before(database, table, hook, calls)
    if hook == "pre_batch_mutate":
        return _batch(database, table, calls)
    if hook == "post_get_op":
        return _after_get(database, table, calls)

    def notify(*arguments: Any) -> None:
        if _inside.reads and hook == "post_scanner_open":
            return
        given = (arguments[0], arguments[0].durability) if hook in _WITH_DURABILITY else arguments
        for call in calls:
            call(ObserverContext(database, table, hook), *given)

    return notify


def _before(database: Any, table: str, hook: str, calls: Sequence[Call]) -> Callable[[Any], Any]:
    """Return None to go on, the replacement of the operation, or the result if it is skipped."""
    wanted, with_durability = _WANTED[hook], hook in _WITH_DURABILITY

    def consult(operation: Any) -> Any:
        if _inside.reads and hook in ("pre_get_op", "pre_scanner_open"):
            return None
        replaced = None
        for call in calls:
            context = ObserverContext(database, table, hook)
            answer = call(context, operation, operation.durability) if with_durability else call(context, operation)
            if context._bypassed:
                is_check, result = hook == "pre_check_and_mutate", context._result
                return bool(result) if is_check else [] if result is None else _cells(call, result)
            if answer is not None:
                if not isinstance(answer, wanted):
                    raise _wrong(call, wanted.__name__, answer)
                operation = replaced = answer
        return replaced

    return consult


def _batch(database: Any, table: str, calls: Sequence[Call]) -> Callable[..., Any]:
    def consult(rows: Sequence[bytes], cells: Sequence[_native.Cell]) -> Any:
        others: list[Any] = []
        for call in calls:
            context = ObserverContext(database, table, "pre_batch_mutate")
            call(context, rows, cells)
            if context._others:
                others.extend(context._others)
        return others or None

    return consult


def _after_get(database: Any, table: str, calls: Sequence[Call]) -> Callable[..., Any]:
    def notify(get: _native.Get, row: _native.Row) -> Any:
        if _inside.reads:
            return None
        replaced = None
        for call in calls:
            answer = call(ObserverContext(database, table, "post_get_op"), get, row)
            if answer is not None:
                replaced = _cells(call, answer)
        return replaced

    return notify


def _cells(call: Call, answer: Any) -> list[_native.Cell]:
    cells = list(answer) if isinstance(answer, Iterable) else None
    if cells is None or not all(isinstance(one, _native.Cell) for one in cells):
        raise InvalidType(
            f"observer {call.observer} gave {answer!r} as the result of {call.hook}; a result is a list of cells, such "
            "as row.cells or rs.Put(...).cells"
        )
    return cells


def _wrong(call: Call, wanted: str, answer: Any) -> InvalidType:
    found = type(answer).__name__
    return InvalidType(f"observer {call.observer} returned {found} from {call.hook}; that takes None or a {wanted}")
