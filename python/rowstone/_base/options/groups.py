"""Groups of keyword options, which functions take as ``**options: Unpack[Group]``: checks, defaults, selection.

A group is a ``TypedDict`` with ``total=False``. Type checkers check each keyword before the program runs; these
functions check it at run time.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from rowstone.errors import InvalidType

_Group = TypeVar("_Group", bound=Mapping[str, Any])


def check_names(function: Callable[..., Any], options: Iterable[str], known: Iterable[str]) -> None:
    """Raise `InvalidType` for an option that is not in ``known``, with the most similar name that ``function`` takes.

    >>> check_names(check_names, {"colour": 1}, ["color"])
    Traceback (most recent call last):
    rowstone.errors.InvalidType: check_names() got an unexpected keyword argument 'colour'; did you mean 'color'?
    """
    names = frozenset(known)
    for name in options:
        if name not in names:
            from difflib import get_close_matches

            code = function.__code__
            own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            near = get_close_matches(name, sorted({*own, *names}))
            hint = f"; did you mean {max(near, key=partial(_common_start, name))!r}?" if near else ""
            raise InvalidType(f"{function.__name__}() got an unexpected keyword argument {name!r}{hint}")


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
