"""Methods of all enumerable values: arrays, hashes, ranges, enumerators."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.general import OBJECT, is_kind
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import integer, name
from rowstone.cli.shell.ruby.values.objects import (
    MOST_ITEMS,
    ClassReference,
    Enumerator,
    Hash,
    Proc,
    Range,
    Regex,
    equal,
    key_token,
    ordered,
    truthy,
)
from rowstone.cli.shell.values import kind_of

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

ENUMERABLE = MethodTable(OBJECT)


def listed(run: Runtime, target: Any) -> list[Any]:
    """All items as an array. Raises `RubyError` if there are too many."""
    if isinstance(target, list):
        return target
    if isinstance(target, Range) and type(target.first) is int and target.count() > MOST_ITEMS:
        raise RubyError(too_many(), "RangeError")
    return list(few(run, target))


def few(run: Runtime, target: Any) -> Iterator[Any]:
    """Iterate over the items of a new array. Raises `RubyError` if there are too many."""
    for count, item in enumerate(run.items(target)):
        if count >= MOST_ITEMS:
            raise RubyError(too_many(), "RangeError")
        yield item


def too_many() -> str:
    """The message of the error for more than `MOST_ITEMS` items."""
    return f"an array has at most {MOST_ITEMS:,} items here"


def _test(run: Runtime, wanted: tuple[Any, ...], block: Proc | None) -> Callable[[Any], bool]:
    """The condition of ``any?`` and similar methods: a pattern, a block, or the truth of the item."""
    if wanted:
        return lambda item: matches(run, wanted[0], item)
    if block is None:
        return truthy
    return lambda item: truthy(run.call(block, item))


def matches(run: Runtime, pattern: Any, value: Any) -> bool:
    """``pattern === value``, as in ``when``."""
    if isinstance(pattern, Regex):
        if not isinstance(value, str):
            return False
        return run.matched(pattern.pattern.search(value)) is not None
    if isinstance(pattern, Range):
        return pattern.covers(value)
    if isinstance(pattern, ClassReference):
        return is_kind(value, pattern)
    if isinstance(pattern, Proc):
        return truthy(run.call(pattern, value))
    return equal(pattern, value)


@ENUMERABLE.define("to_a", "entries")
def _to_a(run: Runtime, target: Any) -> list[Any]:
    return list(listed(run, target))


@ENUMERABLE.define("to_set")
def _to_set(run: Runtime, target: Any) -> list[Any]:
    return unique(listed(run, target))


@ENUMERABLE.define("each_entry", waits=True)
def _each_entry(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    for item in run.items(target):
        run.call(run.needed(block), item)
    return target


@ENUMERABLE.define("map", "collect", waits=True)
def _map(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    call, needed = run.call, run.needed(block)
    return [call(needed, item) for item in few(run, target)]


@ENUMERABLE.define("flat_map", "collect_concat", waits=True)
def _flat_map(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    found: list[Any] = []
    for item in few(run, target):
        value = run.call(run.needed(block), item)
        found += value if isinstance(value, list) else [value]
    return found


@ENUMERABLE.define("select", "filter", "find_all", waits=True)
def _select(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    return [item for item in few(run, target) if truthy(run.call(run.needed(block), item))]


@ENUMERABLE.define("filter_map", waits=True)
def _filter_map(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    found = (run.call(run.needed(block), item) for item in few(run, target))
    return [value for value in found if truthy(value)]


@ENUMERABLE.define("reject", waits=True)
def _reject(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    return [item for item in few(run, target) if not truthy(run.call(run.needed(block), item))]


@ENUMERABLE.define("grep")
def _grep(run: Runtime, target: Any, pattern: Any, *, block: Proc | None = None) -> list[Any]:
    found = [item for item in few(run, target) if matches(run, pattern, item)]
    return found if block is None else [run.call(block, item) for item in found]


@ENUMERABLE.define("grep_v")
def _grep_v(run: Runtime, target: Any, pattern: Any) -> list[Any]:
    return [item for item in few(run, target) if not matches(run, pattern, item)]


@ENUMERABLE.define("find", "detect", waits=True)
def _find(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    return next((item for item in run.items(target) if truthy(run.call(run.needed(block), item))), None)


@ENUMERABLE.define("find_index")
def find_index(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> Any:
    """The index of the first item that equals the argument, or for which the block is true."""
    if not wanted and block is None:
        return Enumerator(target, "find_index", ())
    for place, item in enumerate(run.items(target)):
        if equal(item, wanted[0]) if wanted else truthy(run.call(run.needed(block), item)):
            return place
    return None


@ENUMERABLE.define("each_with_index", waits=True)
def _each_with_index(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    for place, item in enumerate(run.items(target)):
        run.call(run.needed(block), item, place)
    return target


@ENUMERABLE.define("each_with_object", waits=True)
def _each_with_object(run: Runtime, target: Any, memory: Any, *, block: Proc | None = None) -> Any:
    for item in run.items(target):
        run.call(run.needed(block), item, memory)
    return memory


@ENUMERABLE.define("inject", "reduce")
def _inject(run: Runtime, target: Any, *given: Any, block: Proc | None = None) -> Any:
    if len(given) > 2:
        raise RubyError(f"wrong number of arguments (given {len(given)}, expected 0..2)", "ArgumentError")
    arguments = list(given)
    sign = name(arguments.pop()) if arguments and (len(arguments) == 2 or block is None) else None
    items = iter(run.items(target))
    memory = arguments[0] if arguments else next(items, None)
    for item in items:
        memory = run.call(run.needed(block), memory, item) if sign is None else run.send(memory, sign, [item])
    return memory


@ENUMERABLE.define("sum")
def sum_items(run: Runtime, target: Any, begin: Any = 0, *, block: Proc | None = None) -> Any:
    """The sum of ``begin`` and the items, or of the block's value for each."""
    items = [item if block is None else run.call(block, item) for item in few(run, target)]
    if all(type(item) in (int, float) for item in (begin, *items)) and any(type(item) is float for item in items):
        return math.fsum((begin, *items))
    total = begin
    for item in items:
        total = run.send(total, "+", [item])
    return total


@ENUMERABLE.define("count")
def _count(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> int:
    if wanted:
        return sum(equal(item, wanted[0]) for item in run.items(target))
    if block is None:
        return target.count() if isinstance(target, Range) else sum(1 for _ in run.items(target))
    return sum(truthy(run.call(block, item)) for item in run.items(target))


@ENUMERABLE.define("any?")
def _any(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> bool:
    return any(map(_test(run, wanted, block), run.items(target)))


@ENUMERABLE.define("all?")
def _all(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> bool:
    return all(map(_test(run, wanted, block), run.items(target)))


@ENUMERABLE.define("none?")
def _none(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> bool:
    return not any(map(_test(run, wanted, block), run.items(target)))


@ENUMERABLE.define("one?")
def _one(run: Runtime, target: Any, *wanted: Any, block: Proc | None = None) -> bool:
    return sum(map(_test(run, wanted, block), run.items(target))) == 1


@ENUMERABLE.define("include?", "member?", "contains")
def _include(run: Runtime, target: Any, wanted: Any) -> bool:
    return any(equal(item, wanted) for item in run.items(target))


@ENUMERABLE.define("first")
def _first(run: Runtime, target: Any, count: Any = None) -> Any:
    if count is None:
        return next(iter(run.items(target)), None)
    return take_first(run, target, count)


@ENUMERABLE.define("take")
def take_first(run: Runtime, target: Any, count: Any) -> list[Any]:
    """The first items, at most ``count``."""
    most = integer(count)
    if most < 0:
        raise RubyError("negative array size (or size too big)", "ArgumentError")
    found: list[Any] = []
    for item in run.items(target):
        if len(found) >= most:
            break
        found.append(item)
    return found


@ENUMERABLE.define("take_while", waits=True)
def _take_while(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    found: list[Any] = []
    for item in run.items(target):
        if not truthy(run.call(run.needed(block), item)):
            break
        found.append(item)
    return found


@ENUMERABLE.define("drop")
def _drop(run: Runtime, target: Any, count: Any) -> list[Any]:
    least = integer(count)
    if least < 0:
        raise RubyError("attempt to drop negative size", "ArgumentError")
    return listed(run, target)[least:]


@ENUMERABLE.define("drop_while", waits=True)
def _drop_while(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    items = listed(run, target)
    for place, item in enumerate(items):
        if not truthy(run.call(run.needed(block), item)):
            return items[place:]
    return []


@ENUMERABLE.define("partition", waits=True)
def _partition(run: Runtime, target: Any, *, block: Proc | None = None) -> list[list[Any]]:
    chosen: list[Any] = []
    others: list[Any] = []
    for item in few(run, target):
        (chosen if truthy(run.call(run.needed(block), item)) else others).append(item)
    return [chosen, others]


@ENUMERABLE.define("group_by", waits=True)
def _group_by(run: Runtime, target: Any, *, block: Proc | None = None) -> Hash:
    groups = Hash()
    for item in few(run, target):
        key = run.call(run.needed(block), item)
        if key not in groups:
            groups[key] = []
        groups.get(key).append(item)
    return groups


@ENUMERABLE.define("tally")
def _tally(run: Runtime, target: Any) -> Hash:
    counts = Hash()
    for item in few(run, target):
        counts[item] = counts.get(item, 0) + 1
    return counts


@ENUMERABLE.define("to_h")
def _to_h(run: Runtime, target: Any, *, block: Proc | None = None) -> Hash:
    found = Hash()
    for item in few(run, target):
        pair = item if block is None else run.call(block, item)
        if not isinstance(pair, list) or len(pair) != 2:
            raise RubyError(f"wrong element type {kind_of(pair)} (expected array)", "TypeError")
        found[pair[0]] = pair[1]
    return found


@ENUMERABLE.define("uniq")
def _uniq(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    return unique(listed(run, target), None if block is None else lambda item: run.call(block, item))


def unique(items: list[Any], key_of: Callable[[Any], Any] | None = None) -> list[Any]:
    """The items without duplicates."""
    found: dict[Any, Any] = {}
    for item in items:
        found.setdefault(key_token(item if key_of is None else key_of(item)), item)
    return list(found.values())


# --- order


def _order(run: Runtime, block: Proc | None) -> Callable[[Any, Any], int]:
    if block is None:
        return ordered

    def by_block(left: Any, right: Any) -> int:
        order = run.call(block, left, right)
        if isinstance(order, bool) or not isinstance(order, (int, float)):
            raise RubyError(f"comparison of {kind_of(left)} with {kind_of(right)} failed", "ArgumentError")
        return -1 if order < 0 else 1 if order > 0 else 0

    return by_block


def sorted_items(run: Runtime, items: list[Any], block: Proc | None) -> list[Any]:
    """The items sorted by their own order, or by a block."""
    order = _order(run, block)
    # Python compares an item with the one before it, Ruby the other way round.
    return sorted(items, key=cmp_to_key(lambda later, earlier: -order(earlier, later)))


def sorted_by(run: Runtime, items: list[Any], block: Proc) -> list[Any]:
    """The items sorted by the block's value for each."""

    def by_key(one: tuple[Any, Any], other: tuple[Any, Any]) -> int:
        return -ordered(other[0], one[0])

    return [item for _, item in sorted([(run.call(block, item), item) for item in items], key=cmp_to_key(by_key))]


@ENUMERABLE.define("sort")
def _sort(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    return sorted_items(run, listed(run, target), block)


@ENUMERABLE.define("sort_by", waits=True)
def _sort_by(run: Runtime, target: Any, *, block: Proc | None = None) -> list[Any]:
    return sorted_by(run, listed(run, target), run.needed(block))


def _extreme(run: Runtime, target: Any, count: Any, block: Proc | None, *, largest: bool) -> Any:
    if count is not None:
        items = sorted_items(run, listed(run, target), block)
        return take_first(run, items[::-1] if largest else items, count)
    order, found, is_first = _order(run, block), None, True
    for item in run.items(target):
        if is_first or (order(item, found) > 0 if largest else order(item, found) < 0):
            found, is_first = item, False
    return found


@ENUMERABLE.define("min")
def _min(run: Runtime, target: Any, count: Any = None, *, block: Proc | None = None) -> Any:
    return _extreme(run, target, count, block, largest=False)


@ENUMERABLE.define("max")
def _max(run: Runtime, target: Any, count: Any = None, *, block: Proc | None = None) -> Any:
    return _extreme(run, target, count, block, largest=True)


@ENUMERABLE.define("minmax")
def _minmax(run: Runtime, target: Any) -> list[Any]:
    items = sorted_items(run, listed(run, target), None)
    return [items[0], items[-1]] if items else [None, None]


@ENUMERABLE.define("min_by", waits=True)
def _min_by(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    return next(iter(sorted_by(run, listed(run, target), run.needed(block))), None)


@ENUMERABLE.define("max_by", waits=True)
def _max_by(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    # Of several equal largest items, the first is returned.
    items = sorted_by(run, list(reversed(listed(run, target))), run.needed(block))
    return items[-1] if items else None


@ENUMERABLE.define("reverse_each", waits=True)
def _reverse_each(run: Runtime, target: Any, *, block: Proc | None = None) -> Any:
    for item in reversed(list(listed(run, target))):
        run.call(run.needed(block), item)
    return target


# --- groups of items


def _size(value: Any, what: str) -> int:
    size = integer(value)
    if size <= 0:
        raise RubyError(f"invalid {what}size", "ArgumentError")
    return size


@ENUMERABLE.define("each_slice")
def _each_slice(run: Runtime, target: Any, count: Any, *, block: Proc | None = None) -> Any:
    size, group = _size(count, "slice "), list[Any]()
    if block is None:
        return Enumerator(target, "each_slice", (count,))
    for item in run.items(target):
        group.append(item)
        if len(group) == size:
            run.call(run.needed(block), group)
            group = []
    if group:
        run.call(run.needed(block), group)
    return None


@ENUMERABLE.define("each_cons")
def _each_cons(run: Runtime, target: Any, count: Any, *, block: Proc | None = None) -> Any:
    size, items = _size(count, ""), listed(run, target)
    if block is None:
        return Enumerator(target, "each_cons", (count,))
    for place in range(len(items) - size + 1):
        run.call(block, items[place : place + size])
    return None


@ENUMERABLE.define("zip")
def _zip(run: Runtime, target: Any, *others: Any) -> list[list[Any]]:
    lists = [listed(run, other) for other in others]
    return [
        [item, *(one[place] if place < len(one) else None for one in lists)]
        for place, item in enumerate(run.items(target))
    ]


@ENUMERABLE.define("cycle", waits=True)
def _cycle(run: Runtime, target: Any, count: Any = None, *, block: Proc | None = None) -> None:
    items = list(listed(run, target))
    turns = 0
    while items and (count is None or turns < integer(count)):
        for item in items:
            run.call(run.needed(block), item)
        turns += 1


@ENUMERABLE.define("lazy")
def _lazy(run: Runtime, target: Any) -> Any:
    return listed(run, target)
