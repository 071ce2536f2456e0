"""Asyncio classes derived from the blocking ones.

A twin has every public method of its class, as a coroutine function of the same name and signature that runs the
method on the database's threads. Methods that need another form (iterators, context managers, those that never block)
are written out in the class statement; the decorator adds the rest. A new method of a blocking class is therefore
available on its twin without further work.
"""

import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from rowstone.aio._threads import Threads

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])


class Twin(Protocol):
    """Interface that the added methods need of a twin."""

    _threads: Threads

    def _blocking(self) -> Any:
        """The blocking object. Called on the database's threads, so creating it may block, too."""


def twin_of(blocking: type) -> Callable[[_Class], _Class]:
    """Add coroutine methods to a class, for those methods of ``blocking`` that it does not define itself."""

    def add(twin: _Class) -> _Class:
        for name in public_names(blocking):
            if not hasattr(twin, name):
                setattr(twin, name, _awaited(twin, name, inspect.getattr_static(blocking, name)))
        return twin

    return add


def signed_as(blocking: Callable[..., Any], **added: Any) -> Callable[[_Function], _Function]:
    """Give a function the signature of ``blocking`` plus the keywords ``added``, and its docstring if it has none."""

    def sign(function: _Function) -> _Function:
        signature = inspect.signature(blocking)
        keywords = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in added.items()
        ]
        function.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=sorted([*signature.parameters.values(), *keywords], key=lambda parameter: parameter.kind),
            return_annotation=inspect.Signature.empty,
        )
        function.__doc__ = function.__doc__ or inspect.getdoc(blocking)
        return function

    return sign


def public_names(blocking: type) -> list[str]:
    """Return the public attributes of a class, including inherited ones."""
    return [name for name in dir(blocking) if not name.startswith("_")]


def _awaited(twin: type, name: str, member: Any) -> Any:
    if inspect.isdatadescriptor(member):
        return property(lambda self: self._threads.run(_get, self, name), doc=inspect.getdoc(member))

    async def method(self: Twin, *args: Any, **kwargs: Any) -> Any:
        return await self._threads.run(_call, self, name, args, kwargs)

    method.__name__ = name
    method.__qualname__ = f"{twin.__qualname__}.{name}"
    method.__module__ = twin.__module__
    return signed_as(member)(method)


def _get(twin: Twin, name: str) -> Any:
    return getattr(twin._blocking(), name)


def _call(twin: Twin, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return getattr(twin._blocking(), name)(*args, **kwargs)
