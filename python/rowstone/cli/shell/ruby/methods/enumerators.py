"""Methods of enumerators, and their items."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.enumerables import ENUMERABLE, listed, too_many
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.scopes import Break
from rowstone.cli.shell.ruby.values.conversions import integer
from rowstone.cli.shell.ruby.values.objects import MOST_ITEMS, Enumerator, Proc

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

ENUMERATOR = MethodTable(ENUMERABLE)


@ENUMERATOR.define("each")
def _enumerator_each(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    return target if block is None else run.send(target.target, target.method, list(target.arguments), block)


@ENUMERATOR.define("with_index", "each_with_index", waits=True)
def _with_index(run: Runtime, target: Any, offset: Any = 0, *, block: Proc | None = None) -> Any:
    place = integer(offset) - 1

    def numbered(*items: Any) -> Any:
        nonlocal place
        place += 1
        return run.call(run.needed(block), items[0] if len(items) == 1 else list(items), place)

    return run.send(target.target, target.method, list(target.arguments), Proc(None, None, numbered))


@ENUMERATOR.define("with_object", "each_with_object")
def _with_object(run: Runtime, target: Any, memory: Any, *, block: Proc | None = None) -> Any:
    def remembering(*items: Any) -> Any:
        return run.call(run.needed(block), items[0] if len(items) == 1 else list(items), memory)

    run.send(target.target, target.method, list(target.arguments), Proc(None, None, remembering))
    return memory


@ENUMERATOR.define("size", "length")
def _enumerator_size(run: Runtime, target: Any) -> int:
    return len(listed(run, target))


def enumerated(run: Runtime, target: Enumerator) -> Iterator[Any]:
    """The items that an enumerator passes to a block. Only ``cycle`` may be infinite."""
    if target.method == "cycle" and not target.arguments:
        return cycle(listed(run, target.target))
    found: list[Any] = []

    def collect(*items: Any) -> None:
        found.append(items[0] if len(items) == 1 else list(items))
        if len(found) > MOST_ITEMS:
            raise RubyError(too_many(), "RangeError")

    try:
        run.send(target.target, target.method, list(target.arguments), Proc(None, None, collect))
    except Break as end:
        raise RubyError("break from an enumerator", "LocalJumpError") from end
    return iter(found)
