"""Methods of hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.methods.enumerables import ENUMERABLE, listed, sorted_by
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.values.conversions import array, hash_of, integer
from rowstone.cli.shell.ruby.values.objects import Hash, Proc, equal, truthy
from rowstone.cli.shell.values import inspect

if TYPE_CHECKING:
    from rowstone.cli.shell.ruby.runtime import Runtime

HASH = MethodTable(ENUMERABLE)


@HASH.define("each", "each_pair", waits=True)
def _hash_each(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    for key, value in target:
        run.call(run.needed(block), [key, value])
    return target


@HASH.define("each_key", waits=True)
def _each_key(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    for key, _ in target:
        run.call(run.needed(block), key)
    return target


@HASH.define("each_value", waits=True)
def _each_value(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    for value in target.values():
        run.call(run.needed(block), value)
    return target


@HASH.define("length", "size")
def _hash_length(run: Runtime, target: Hash) -> int:
    return len(target)


@HASH.define("empty?", "isEmpty")
def _hash_is_empty(run: Runtime, target: Hash) -> bool:
    return len(target) == 0


@HASH.define("[]", "get")
def _hash_get(run: Runtime, target: Hash, key: Any) -> Any:
    if key in target:
        return target.get(key)
    return target.default if target.default_block is None else run.call(target.default_block, target, key)


@HASH.define("[]=", "store")
def _hash_set(run: Runtime, target: Hash, key: Any, value: Any) -> Any:
    target[key] = value
    return value


@HASH.define("put")
def _java_put(run: Runtime, target: Hash, key: Any, value: Any) -> Any:
    before = target.get(key)
    target[key] = value
    return before


@HASH.define("fetch")
def _hash_fetch(run: Runtime, target: Hash, key: Any, *given: Any, block: Proc | None = None) -> Any:
    if key in target:
        return target.get(key)
    if block is not None:
        return run.call(block, key)
    if given:
        return given[0]
    raise RubyError(f"key not found: {inspect(key)}", "KeyError")


@HASH.define("dig")
def _hash_dig(run: Runtime, target: Hash, key: Any, *rest: Any) -> Any:
    found = _hash_get(run, target, key)
    return found if not rest or found is None else run.send(found, "dig", list(rest))


@HASH.define("values_at")
def _hash_values_at(run: Runtime, target: Hash, *keys: Any) -> list[Any]:
    return [_hash_get(run, target, key) for key in keys]


@HASH.define("key?", "has_key?", "include?", "member?", "containsKey")
def _has_key(run: Runtime, target: Hash, key: Any) -> bool:
    return key in target


@HASH.define("value?", "has_value?")
def _has_value(run: Runtime, target: Hash, value: Any) -> bool:
    return any(equal(one, value) for one in target.values())


@HASH.define("key")
def _key_of(run: Runtime, target: Hash, value: Any) -> Any:
    return next((key for key, one in target if equal(one, value)), None)


@HASH.define("keys", "keySet")
def _keys(run: Runtime, target: Hash) -> list[Any]:
    return target.keys()


@HASH.define("values")
def _values(run: Runtime, target: Hash) -> list[Any]:
    return target.values()


@HASH.define("delete", "remove")
def _hash_delete(run: Runtime, target: Hash, key: Any) -> Any:
    return target.remove(key)


@HASH.define("clear")
def _hash_clear(run: Runtime, target: Hash) -> Hash:
    target.replace(())
    return target


def _select_pairs(run: Runtime, target: Hash, block: Proc | None, *, wanted: bool) -> list[tuple[Any, Any]]:
    return [(key, value) for key, value in target if truthy(run.call(run.needed(block), key, value)) is wanted]


@HASH.define("select", "filter", waits=True)
def _hash_select(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    return Hash(_select_pairs(run, target, block, wanted=True))


@HASH.define("reject", waits=True)
def _hash_reject(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    return Hash(_select_pairs(run, target, block, wanted=False))


@HASH.define("keep_if", "select!", "filter!", waits=True)
def _hash_keep_if(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    target.replace(_select_pairs(run, target, block, wanted=True))
    return target


@HASH.define("delete_if", "reject!", waits=True)
def _hash_delete_if(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    target.replace(_select_pairs(run, target, block, wanted=False))
    return target


@HASH.define("slice")
def _hash_slice(run: Runtime, target: Hash, *keys: Any) -> Hash:
    return Hash((key, target.get(key)) for key in keys if key in target)


@HASH.define("compact")
def _hash_compact(run: Runtime, target: Hash) -> Hash:
    return Hash((key, value) for key, value in target if value is not None)


@HASH.define("invert")
def _invert(run: Runtime, target: Hash) -> Hash:
    return Hash((value, key) for key, value in target)


def _merge_into(run: Runtime, found: Hash, others: tuple[Any, ...], block: Proc | None) -> Hash:
    for other in others:
        for key, value in hash_of(other):
            clashes = block is not None and key in found
            found[key] = run.call(run.needed(block), key, found.get(key), value) if clashes else value
    return found


@HASH.define("merge")
def _merge(run: Runtime, target: Hash, *others: Any, block: Proc | None = None) -> Hash:
    return _merge_into(run, Hash(target, target.default), others, block)


@HASH.define("merge!", "update", "putAll")
def _merge_in_place(run: Runtime, target: Hash, *others: Any, block: Proc | None = None) -> Hash:
    return _merge_into(run, target, others, block)


@HASH.define("to_h")
def _hash_to_h(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    if block is None:
        return target
    return Hash((pair[0], pair[1]) for key, value in target for pair in [array(run.call(block, key, value))])


@HASH.define("to_a", "pairs")
def _hash_to_a(run: Runtime, target: Hash) -> list[Any]:
    return target.pairs()


@HASH.define("transform_values", waits=True)
def _transform_values(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    return Hash((key, run.call(run.needed(block), value)) for key, value in target)


@HASH.define("transform_keys", waits=True)
def _transform_keys(run: Runtime, target: Hash, *, block: Proc | None = None) -> Hash:
    return Hash((run.call(run.needed(block), key), value) for key, value in target)


@HASH.define("any?")
def _hash_any(run: Runtime, target: Hash, *, block: Proc | None = None) -> bool:
    return len(target) > 0 if block is None else any(truthy(run.call(block, pair)) for pair in target.pairs())


@HASH.define("sort_by", waits=True)
def _hash_sort_by(run: Runtime, target: Hash, *, block: Proc | None = None) -> list[Any]:
    return sorted_by(run, listed(run, target), run.needed(block))


@HASH.define("first")
def _hash_first(run: Runtime, target: Hash, count: Any = None) -> Any:
    pairs = target.pairs()
    return (pairs[0] if pairs else None) if count is None else pairs[: max(integer(count), 0)]


@HASH.define("shift")
def _hash_shift(run: Runtime, target: Hash) -> Any:
    pairs = target.pairs()
    if not pairs:
        return target.default
    target.remove(pairs[0][0])
    return pairs[0]


@HASH.define("default")
def _default(run: Runtime, target: Hash) -> Any:
    return target.default


@HASH.define("default=")
def _set_default(run: Runtime, target: Hash, value: Any) -> Any:
    target.default = value
    return value
