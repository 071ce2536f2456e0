"""Methods of ranges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.enumerables import ENUMERABLE, listed, sum_items, take_first
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import integer
from rowstone.cli.shell.ruby.values.objects import Proc, Range

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

RANGE = MethodTable(ENUMERABLE)


@RANGE.define("each", waits=True)
def _range_each(run: Runtime, target: Range, *, block: Proc | None = None) -> Range:
    call, needed = run.call, run.needed(block)
    for item in target.items():
        call(needed, item)
    return target


@RANGE.define("step", "%", waits=True)
def _range_step(run: Runtime, target: Range, step: Any = 1, *, block: Proc | None = None) -> Range:
    for item in _stepped(target, step):
        run.call(run.needed(block), item)
    return target


def _stepped(target: Range, step: Any) -> Iterator[Any]:
    if isinstance(step, bool) or not isinstance(step, (int, float)):
        integer(step)
    if step <= 0:
        raise RubyError("step can't be 0" if step == 0 else "step can't be negative", "ArgumentError")
    if isinstance(target.first, str):
        yield from (item for place, item in enumerate(target.items()) if place % integer(step) == 0)
        return
    number, place = target.first, 0
    while target.covers(number):
        yield number
        place += 1
        number = target.first + place * step


@RANGE.define("first")
def _range_first(run: Runtime, target: Range, count: Any = None) -> Any:
    return target.first if count is None else take_first(run, target, count)


@RANGE.define("begin")
def _range_begin(run: Runtime, target: Range) -> Any:
    return target.first


@RANGE.define("end")
def _range_end(run: Runtime, target: Range) -> Any:
    return target.last


@RANGE.define("last")
def _range_last(run: Runtime, target: Range, count: Any = None) -> Any:
    return target.last if count is None else listed(run, target)[-integer(count) :]


@RANGE.define("size")
def _range_size(run: Runtime, target: Range) -> Any:
    if not isinstance(target.first, (int, float)):
        return None
    return float("inf") if target.last is None else target.count()


@RANGE.define("include?", "member?", "===", "cover?")
def _covers(run: Runtime, target: Range, value: Any) -> bool:
    return target.covers(value)


@RANGE.define("exclude_end?")
def _excludes_end(run: Runtime, target: Range) -> bool:
    return target.excludes_end


@RANGE.define("sum")
def _range_sum(run: Runtime, target: Range, begin: Any = 0, *, block: Proc | None = None) -> Any:
    if block is None and isinstance(target.first, int) and isinstance(target.last, int):
        count = target.count()
        return begin + (2 * target.first + count - 1) * count // 2
    return sum_items(run, target, begin, block=block)
