"""Parses the text form that `Key` prints. Only calls of the parts are understood; no code is executed."""

from __future__ import annotations

import ast
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.keys._key import Key
from rowstone.keys.parts import _buckets, _floats, _hashes, _integers, _ordered, _random, _reverse, _text, _times
from rowstone.keys.parts._part import Part

PARTS = {
    function.__name__: function
    for function in (
        _integers.int8, _integers.int16, _integers.int32, _integers.int64,
        _integers.uint8, _integers.uint16, _integers.uint32, _integers.uint64,
        _integers.java_int16, _integers.java_int32, _integers.java_int64, _integers.padded,
        _floats.float32, _floats.float64, _times.time, _times.reverse_time,
        _text.text, _text.domain, _text.blob, _text.fixed, _text.fixed_bytes,
        _ordered.ordered, _reverse.descending, _reverse.reversed_fixed,
        _hashes.md5, _hashes.murmur, _hashes.md5_prefix, _hashes.murmur_prefix,
        _buckets.salt, _buckets.bucket, _buckets.round_robin, _random.random_bytes,
    )
}  # fmt: skip
"""The functions that a text may call."""

_MOST_CHARACTERS = 10_000


def parse_key(text: str) -> Key:
    """Parse a key from its text: ``"salt(8), text('host'), time('at')"``, with or without ``Key(…)`` around it.

    Raises:
        InvalidArgument: The text does not have this form, or the key is not possible.

    Example:
        >>> parse_key("text('host'), reverse_time('at')")
        Key(text('host'), reverse_time('at'))
    """
    if len(text) > _MOST_CHARACTERS:
        raise InvalidArgument(f"the key's text has {len(text)} characters; the limit is {_MOST_CHARACTERS}")
    try:
        tree = ast.parse(f"({text.strip()}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        shape = "text('host'), reverse_time('at')"
        raise InvalidArgument(f"key {text!r} is not a list of parts, such as {shape}") from None
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "Key":
        if tree.keywords:
            raise InvalidArgument("Key(…) has parts only")
        nodes = tree.args
    else:
        nodes = tree.elts if isinstance(tree, ast.Tuple) else [tree]
    return Key(*(_part(node) for node in nodes))


def _part(node: ast.expr) -> Part:
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PARTS):
        raise InvalidArgument(
            f"{ast.unparse(node)!r} is not a part of a key; the parts are: {', '.join(sorted(PARTS))}"
        )
    if any(keyword.arg is None for keyword in node.keywords):
        raise InvalidArgument(f"{ast.unparse(node)!r}: ** is not understood")
    arguments = [_argument(one) for one in node.args]
    keywords = {str(keyword.arg): _argument(keyword.value) for keyword in node.keywords}
    try:
        return PARTS[node.func.id](*arguments, **keywords)
    except InvalidArgument:
        raise
    except (TypeError, AttributeError, ValueError) as error:
        raise InvalidArgument(f"{ast.unparse(node)!r}: {error}") from None


def _argument(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        return _part(node)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise InvalidArgument(f"{ast.unparse(node)!r} is neither a value nor a part") from None
