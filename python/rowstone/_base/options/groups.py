"""Groups of keyword options, which functions take as ``**options: Unpack[Group]``: checks, defaults, selection.

A group is a ``TypedDict`` with ``total=False``. Type checkers check each keyword before the program runs; these
functions check it at run time.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from rowstone.errors import InvalidType

_Group = TypeVar("_Group", bound=Mapping[str, Any])


_OTHER_NAMES = (
    ("timestamp", "ts"),
    ("ttl_ms", "ttl"),
    ("versions", "version", "max_versions", "maxversions"),
    ("columns", "column", "family", "families"),
    ("durability", "wal"),
    ("start", "row_start", "start_row", "startrow"),
    ("stop", "row_stop", "stop_row", "stoprow", "end"),
    ("prefix", "row_prefix"),
    ("buffer_bytes", "batch_size"),
    ("data", "values"),
)
"""Names of one option in Rowstone, in HBase's clients and in happybase."""


def check_names(function: Callable[..., Any], options: Iterable[str], known: Iterable[str]) -> None:
    """Raise `InvalidType` for an option that is not in ``known``, with the most similar name that ``function`` takes.

    >>> check_names(check_names, {"colour": 1}, ["color"])
    Traceback (most recent call last):
    rowstone.errors.InvalidType: check_names() got an unexpected keyword argument 'colour'; did you mean 'color'?
    """
    names = frozenset(known)
    for name in options:
        if name not in names:
            code = function.__code__
            own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            raise InvalidType(_unexpected(function.__name__, name, {*own, *names}))


def describe_unexpected(function: str, name: str) -> str:
    """Return the message for an option that a native function such as ``Table.put`` does not have.

    >>> describe_unexpected("Table.put", "ts")
    "Table.put() got an unexpected keyword argument 'ts'; did you mean 'timestamp'?"
    """
    from inspect import signature
    from operator import attrgetter

    from rowstone import _native

    return _unexpected(function, name, set(signature(attrgetter(function)(_native)).parameters) - {"self"})


def _unexpected(function: str, name: str, known: set[str]) -> str:
    """Return the message for an unknown option, with the known one that has that name elsewhere or a similar name."""
    from difflib import get_close_matches

    near = [other for names in _OTHER_NAMES if name in names for other in names if other in known]
    if not near:
        near = sorted(get_close_matches(name, sorted(known)), key=partial(_common_start, name), reverse=True)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"{function}() got an unexpected keyword argument {name!r}{hint}"


def _common_start(name: str, other: str) -> int:
    """Return the length of the common beginning of two names."""
    return sum(other.startswith(name[:length]) for length in range(1, len(name) + 1))


def with_defaults(function: Callable[..., Any], options: _Group, defaults: _Group) -> _Group:
    """Return the options of a call, completed by ``defaults``, which has every key of the group.

    Raises:
        InvalidType: ``function`` has no such option.
    """
    check_names(function, options, defaults)
    return cast("_Group", {**defaults, **options})


def select(options: Mapping[str, Any], group: Callable[..., _Group]) -> _Group:
    """Return those options of a call that belong to ``group``, a ``TypedDict``."""
    names = cast("Any", group).__optional_keys__
    return cast("_Group", {name: value for name, value in options.items() if name in names})
