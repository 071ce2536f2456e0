"""TOML writer for the subset that schemas need: nested tables, strings, numbers, booleans, lists of strings."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(document: Mapping[str, Any]) -> str:
    """Format the document as text.

    Example:
        >>> print(to_toml({"complete": True, "tables": {"ns:t": {"splits": ["m"], "families": {"f": {}}}}}), end="")
        complete = true
        <BLANKLINE>
        [tables."ns:t"]
        splits = ["m"]
        <BLANKLINE>
        [tables."ns:t".families.f]
    """
    return "\n".join(_lines(document, ())).strip("\n") + "\n"


def _lines(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in values.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping)}
    # A table that only contains others needs no heading of its own.
    if path and (plain or not tables) and (tables or len(path) > 1 or plain):
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in tables.items():
        yield from _lines(value, (*path, key))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    # JSON's escapes are valid in TOML; DEL alone is not escaped by JSON.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(value)
