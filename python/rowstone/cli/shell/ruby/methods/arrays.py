"""Methods of arrays."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.enumerables import ENUMERABLE, find_index, sorted_by, sorted_items, unique
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import array, bounds, integer, joined, text
from rowstone.cli.shell.ruby.values.objects import MOST_ITEMS, Proc, Range, equal, key_token, truthy
from rowstone.cli.shell.values import inspect

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

ARRAY = MethodTable(ENUMERABLE)


def _check_size(count: int) -> None:
    if count > MOST_ITEMS:
        raise RubyError("argument too big", "ArgumentError")


@ARRAY.define("each", waits=True)
def _each(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any]:
    call, needed = run.call, run.needed(block)
    for item in run.items(target):
        call(needed, item)
    return target


@ARRAY.define("each_index", waits=True)
def _each_index(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any]:
    for place in range(len(target)):
        run.call(run.needed(block), place)
    return target


@ARRAY.define("length", "size")
def _length(run: Runtime, target: list[Any]) -> int:
    return len(target)


@ARRAY.define("empty?", "isEmpty")
def _is_empty(run: Runtime, target: list[Any]) -> bool:
    return not target


@ARRAY.define("[]", "slice")
def _slice(run: Runtime, target: list[Any], place: Any, length: Any = None) -> Any:
    limits = bounds(place, length, len(target))
    if limits is None:
        return None
    return target[limits[0]] if length is None and not isinstance(place, Range) else target[limits[0] : limits[1]]


@ARRAY.define("get")
def _get(run: Runtime, target: list[Any], place: Any) -> Any:
    return _slice(run, target, place)


@ARRAY.define("[]=")
def _set(run: Runtime, target: list[Any], place: Any, *given: Any) -> Any:
    value = given[-1] if given else None
    if len(given) > 1 or isinstance(place, Range):
        limits = bounds(place, given[0] if len(given) > 1 else None, len(target))
        if limits is None:
            raise RubyError(f"index {inspect(place)} out of range", "IndexError")
        target[limits[0] : limits[1]] = value if isinstance(value, list) else [value]
        return value
    at = integer(place)
    if at < -len(target):
        raise RubyError(f"index {at} too small for array; minimum: -{len(target)}", "IndexError")
    _check_size(at)
    target.extend([None] * (at - len(target) + 1))
    target[at] = value
    return value


@ARRAY.define("fetch")
def _fetch(run: Runtime, target: list[Any], place: Any, *given: Any, block: Proc | None = None) -> Any:
    at = integer(place)
    if -len(target) <= at < len(target):
        return target[at]
    if block is not None:
        return run.call(block, place)
    if given:
        return given[0]
    raise RubyError(f"index {at} out of array", "IndexError")


@ARRAY.define("dig")
def _dig(run: Runtime, target: list[Any], place: Any, *rest: Any) -> Any:
    found = _slice(run, target, place)
    return found if not rest or found is None else run.send(found, "dig", list(rest))


@ARRAY.define("values_at")
def _values_at(run: Runtime, target: list[Any], *places: Any) -> list[Any]:
    return [_slice(run, target, place) for place in places]


@ARRAY.define("last")
def _last(run: Runtime, target: list[Any], count: Any = None) -> Any:
    if count is None:
        return target[-1] if target else None
    if integer(count) < 0:
        raise RubyError("negative array size (or size too big)", "ArgumentError")
    return target[max(0, len(target) - integer(count)) :]


@ARRAY.define("push", "append")
def _push(run: Runtime, target: list[Any], *items: Any) -> list[Any]:
    target.extend(items)
    return target


@ARRAY.define("<<")
def _add_one(run: Runtime, target: list[Any], item: Any) -> list[Any]:
    target.append(item)
    return target


@ARRAY.define("add")
def _java_add(run: Runtime, target: list[Any], item: Any) -> bool:
    target.append(item)
    return True


@ARRAY.define("pop")
def _pop(run: Runtime, target: list[Any], count: Any = None) -> Any:
    if count is None:
        return target.pop() if target else None
    begin = max(0, len(target) - integer(count))
    found = target[begin:]
    del target[begin:]
    return found


@ARRAY.define("shift")
def _shift(run: Runtime, target: list[Any], count: Any = None) -> Any:
    if count is None:
        return target.pop(0) if target else None
    found = target[: integer(count)]
    del target[: integer(count)]
    return found


@ARRAY.define("unshift", "prepend")
def _unshift(run: Runtime, target: list[Any], *items: Any) -> list[Any]:
    target[:0] = items
    return target


@ARRAY.define("insert")
def _insert(run: Runtime, target: list[Any], place: Any, *items: Any) -> list[Any]:
    at = integer(place)
    at = len(target) + 1 + at if at < 0 else at
    _check_size(at)
    target.extend([None] * (at - len(target)))
    target[at:at] = items
    return target


@ARRAY.define("concat")
def _concat(run: Runtime, target: list[Any], *others: Any) -> list[Any]:
    for other in others:
        target.extend(list(array(other)))
    return target


@ARRAY.define("replace")
def _replace(run: Runtime, target: list[Any], other: Any) -> list[Any]:
    target[:] = array(other)
    return target


@ARRAY.define("clear")
def _clear(run: Runtime, target: list[Any]) -> list[Any]:
    target.clear()
    return target


@ARRAY.define("+")
def _plus(run: Runtime, target: list[Any], other: Any) -> list[Any]:
    return target + array(other)


@ARRAY.define("-", "difference")
def _minus(run: Runtime, target: list[Any], other: Any) -> list[Any]:
    known = set(map(key_token, array(other)))
    return [item for item in target if key_token(item) not in known]


@ARRAY.define("*")
def _times(run: Runtime, target: list[Any], other: Any) -> Any:
    if isinstance(other, str):
        return joined(target, other)
    count = integer(other)
    if count < 0:
        raise RubyError("negative argument", "ArgumentError")
    _check_size(count * len(target))
    return target * count


@ARRAY.define("&", "intersection")
def _and(run: Runtime, target: list[Any], other: Any) -> list[Any]:
    known = set(map(key_token, array(other)))
    return unique([item for item in target if key_token(item) in known])


@ARRAY.define("|", "union")
def _or(run: Runtime, target: list[Any], *others: Any) -> list[Any]:
    return unique([*target, *(item for other in others for item in array(other))])


@ARRAY.define("join")
def _join(run: Runtime, target: list[Any], separator: Any = None) -> str:
    return joined(target, "" if separator is None else text(separator))


@ARRAY.define("reverse")
def _reverse(run: Runtime, target: list[Any]) -> list[Any]:
    return target[::-1]


@ARRAY.define("rotate")
def _rotate(run: Runtime, target: list[Any], count: Any = 1) -> list[Any]:
    by = integer(count) % len(target) if target else 0
    return target[by:] + target[:by]


@ARRAY.define("compact")
def _compact(run: Runtime, target: list[Any]) -> list[Any]:
    return [item for item in target if item is not None]


@ARRAY.define("flatten")
def _flatten(run: Runtime, target: list[Any], depth: Any = -1) -> list[Any]:
    return _flat(target, -1 if depth is None else integer(depth), ())


def _flat(items: list[Any], depth: int, around: tuple[int, ...]) -> list[Any]:
    if id(items) in around:
        raise RubyError("tried to flatten recursive array", "ArgumentError")
    found: list[Any] = []
    for item in items:
        found += _flat(item, depth - 1, (*around, id(items))) if isinstance(item, list) and depth else [item]
    return found


ARRAY.define("index")(find_index)


@ARRAY.define("rindex")
def _rindex(run: Runtime, target: list[Any], *wanted: Any, block: Proc | None = None) -> int | None:
    found = find_index(run, target[::-1], *wanted, block=run.needed(block) if not wanted else None)
    return None if found is None else len(target) - 1 - found


@ARRAY.define("delete")
def _delete(run: Runtime, target: list[Any], wanted: Any) -> Any:
    found = [item for item in target if equal(item, wanted)]
    target[:] = [item for item in target if not equal(item, wanted)]
    return found[-1] if found else None


@ARRAY.define("delete_at")
def _delete_at(run: Runtime, target: list[Any], place: Any) -> Any:
    at = integer(place)
    return target.pop(at) if -len(target) <= at < len(target) else None


@ARRAY.define("reject!", waits=True)
def _reject_in_place(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any] | None:
    before = len(target)
    return None if len(_delete_if(run, target, block=block)) == before else target


@ARRAY.define("select!", "filter!", waits=True)
def _select_in_place(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any] | None:
    before = len(target)
    return None if len(_keep_if(run, target, block=block)) == before else target


@ARRAY.define("delete_if", waits=True)
def _delete_if(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any]:
    target[:] = [item for item in list(target) if not truthy(run.call(run.needed(block), item))]
    return target


@ARRAY.define("keep_if", waits=True)
def _keep_if(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any]:
    target[:] = [item for item in list(target) if truthy(run.call(run.needed(block), item))]
    return target


@ARRAY.define("map!", "collect!", waits=True)
def _map_in_place(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any]:
    target[:] = [run.call(run.needed(block), item) for item in list(target)]
    return target


@ARRAY.define("slice!")
def _slice_out(run: Runtime, target: list[Any], place: Any, length: Any = None) -> Any:
    found = _slice(run, target, place, length)
    limits = bounds(place, length, len(target))
    if limits is not None:
        del target[limits[0] : limits[1]]
    return found


def _in_place(method: str, compute: Callable[[Runtime, list[Any], Proc | None], list[Any]]) -> None:
    @ARRAY.define(method)
    def apply(run: Runtime, target: list[Any], *, block: Proc | None = None) -> list[Any] | None:
        before = list(target)
        target[:] = compute(run, before, block)
        changes = method in ("uniq!", "compact!", "flatten!")
        return None if changes and len(before) == len(target) else target


_in_place("sort!", sorted_items)
_in_place("sort_by!", lambda run, items, block: sorted_by(run, items, run.needed(block)))
_in_place("uniq!", lambda run, items, block: unique(items))
_in_place("compact!", lambda run, items, block: [item for item in items if item is not None])
_in_place("flatten!", lambda run, items, block: _flat(items, -1, ()))
_in_place("reverse!", lambda run, items, block: items[::-1])
_in_place("shuffle!", lambda run, items, block: shuffled(items))


def shuffled(items: list[Any]) -> list[Any]:
    """The items in random order."""
    import random  # seldom needed

    return random.sample(items, len(items))


@ARRAY.define("shuffle")
def _shuffle(run: Runtime, target: list[Any]) -> list[Any]:
    return shuffled(target)


@ARRAY.define("sample")
def _sample(run: Runtime, target: list[Any], count: Any = None) -> Any:
    import random  # seldom needed

    if count is None:
        return random.choice(target) if target else None
    return random.sample(target, min(max(integer(count), 0), len(target)))


@ARRAY.define("fill")
def _fill(run: Runtime, target: list[Any], value: Any = None, *, block: Proc | None = None) -> list[Any]:
    target[:] = [value if block is None else run.call(block, place) for place in range(len(target))]
    return target


@ARRAY.define("assoc")
def _assoc(run: Runtime, target: list[Any], key: Any) -> Any:
    return next((item for item in target if isinstance(item, list) and item and equal(item[0], key)), None)


@ARRAY.define("transpose")
def _transpose(run: Runtime, target: list[Any]) -> list[list[Any]]:
    rows = [array(row) for row in target]
    if any(len(row) != len(rows[0]) for row in rows):
        raise RubyError("element size differs", "IndexError")
    return [list(column) for column in zip(*rows, strict=True)]


@ARRAY.define("product")
def _product(run: Runtime, target: list[Any], *others: Any) -> list[list[Any]]:
    count = len(target)
    for other in others:
        count *= len(array(other))
        _check_size(count)
    return [list(found) for found in product(target, *others)]


@ARRAY.define("pack")
def _pack(run: Runtime, target: list[Any], template: Any) -> str:
    from rowstone.cli.shell.ruby.values.formats import pack  # seldom needed

    return pack(target, text(template))


@ARRAY.define("to_a", "to_ary", "toArray")
def _to_a(run: Runtime, target: list[Any]) -> list[Any]:
    return target


@ARRAY.define("to_java")
def _to_java(run: Runtime, target: list[Any], kind: Any = None) -> list[Any]:
    return target
