"""A script of Thrift calls, and its answers as text: the same calls go to HBase's gateways and to ours.

A script is a function that yields steps. A callable argument is evaluated when the step runs, with the results kept by
earlier steps. Values that differ on every server are removed from the answers: times, IDs and servers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Kept = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """A call. ``keep`` is the name under which its answer is stored."""

    method: str
    label: str
    arguments: tuple[Any, ...]
    keep: str | None = None

    @property
    def title(self) -> str:
        return f"{self.method}: {self.label}"


def step(method: str, label: str, *arguments: Any, keep: str | None = None) -> Step:
    """A step; its label says what the case is."""
    return Step(method, label, arguments, keep)


_NOW = 1_000_000_000_000
_JAVA_CLASS = re.compile(r"\b[a-z][\w.]*\.([A-Z]\w*(?:Exception|Error))\b")
_VOLATILE = re.compile(rb"\d{13}\.[0-9a-f]{32}\.|\d{13}")
# Fields that say where and when, and not what.
_ELSEWHERE = {"id", "regionId", "port", "startCode", "serverName", "hostName"}


def answers(client: Any, steps: Iterable[Step]) -> Iterator[tuple[Step, str]]:
    """Each step with its answer."""
    kept: Kept = {}
    for one in steps:
        yield one, _answer(client, one, kept)


def _answer(client: Any, one: Step, kept: Kept) -> str:
    try:
        arguments = [argument(kept) if callable(argument) else argument for argument in one.arguments]
        result = getattr(client, one.method)(*arguments)
    except OSError:
        # Later steps depend on the missing answer.
        raise
    except Exception as error:
        return f"! {failure(error)}"
    if one.keep is not None:
        kept[one.keep] = result
    if one.method.startswith(("scannerOpen", "openScanner")):
        return "a number"
    if one.method == "getClusterId":
        return f"{len(result)} characters"
    if one.method in ("getTableNames", "getTableNamesWithIsTableEnabled"):
        # Others work on the same server.
        result = dict.fromkeys(result, 0) if isinstance(result, list) else result
        result = {name: value for name, value in result.items() if name.startswith(b"thrift_")}
    return describe(result)


def failure(error: Exception) -> str:
    """The exception, the reason's Java class, and whether one may try again."""
    message = getattr(error, "message", None)
    text = message if isinstance(message, str) else ""
    names = _JAVA_CLASS.findall(text.split("\n\tat ")[0])
    words = [type(error).__name__, names[-1] if names else "", ""]
    if getattr(error, "canRetry", None) is not None:
        words[2] = "may be tried again" if error.canRetry else "is final"
    return " ".join(word for word in words if word)


def describe(value: Any, field: str = "") -> str:
    """A value as text."""
    if field in _ELSEWHERE or (field != "maxStamp" and isinstance(value, int) and value > _NOW):
        return "#"
    if isinstance(value, bytes):
        return repr(_VOLATILE.sub(b"#", value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(describe, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{describe(key)}: {describe(one)}" for key, one in value.items())) + "}"
    if hasattr(value, "thrift_spec"):
        fields = {name: getattr(value, name) for _, (_, name, *_) in sorted(value.thrift_spec.items())}
        shown = ", ".join(f"{name}={describe(one, name)}" for name, one in fields.items() if one is not None)
        return f"{type(value).__name__}({shown})"
    return repr(value)


Script = Callable[[Any], Iterator[Step]]


def numbered(lines: Iterable[tuple[Step, str]]) -> list[str]:
    """Lines of a recording."""
    return [f"{one.title} -> {answer}" for one, answer in lines]
