"""Routes, and matching of a path and a method."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rowstone.server.rest._answer import Answer
from rowstone.server.rest._request import Request
from rowstone.server.rest.messages import _media
from rowstone.server.rest.messages.shapes import Shape


@dataclass(frozen=True)
class Parameter:
    """A query parameter or header; ``kind`` is JSON Schema's type."""

    name: str
    description: str
    kind: str = "string"
    place: str = "query"
    is_list: bool = False


@dataclass(frozen=True)
class Operation:
    """One method of a route.

    ``reads`` is the shape of the body, or None where it is bytes as they are; ``consumes`` the media types that it may
    have, empty without a body. ``gives`` and ``produces`` describe the response likewise.
    """

    method: str
    handle: Callable[[Request], Answer]
    summary: str
    produces: tuple[str, ...] = ()
    gives: Shape | None = None
    consumes: tuple[str, ...] = ()
    reads: Shape | None = None
    parameters: tuple[Parameter, ...] = ()
    statuses: Mapping[int, str] | None = None
    needs_body: bool = True


@dataclass(frozen=True)
class Route:
    """A path in OpenAPI's notation, the pattern of percent-encoded paths that it matches, and its operations."""

    path: str
    pattern: re.Pattern[str]
    operations: tuple[Operation, ...]

    @property
    def methods(self) -> list[str]:
        """The supported methods, in order, without duplicates."""
        return list(dict.fromkeys(operation.method for operation in self.operations))


def find(routes: Sequence[Route], path: str) -> tuple[Route, Mapping[str, str]] | None:
    """The first route that matches the path, and the path's variable parts."""
    for route in routes:
        found = route.pattern.fullmatch(path)
        if found is not None:
            return route, {name: value or "" for name, value in found.groupdict().items()}
    return None


def consuming(operations: Sequence[Operation], content_type: str | None, *, has_body: bool = True) -> list[Operation]:
    """The operations that accept a body of that type. The type is optional without a body, except for POST.

    Other web sites can send a POST without a type, with or without a body, without a CORS preflight.
    """
    media = _media.bare(content_type)
    return [
        operation
        for operation in operations
        if not operation.consumes
        or media in operation.consumes
        or (media is None and not has_body and operation.method != "POST")
    ]


def producing(operations: Sequence[Operation], accept: str | None) -> tuple[Operation, str] | None:
    """The operation whose response suits the client best, and its media type."""
    offered: dict[str, Operation] = {}
    for operation in operations:
        for media in operation.produces or ("",):
            offered.setdefault(media, operation)
    if list(offered) == [""]:
        return offered[""], ""
    forms = [each for each in offered if each]
    suited = _media.select_media(accept, forms)
    if suited is None and operations[0].method != "GET":
        # A change is made whatever the client accepts: its response is mostly empty.
        suited = forms[0]
    return None if suited is None else (offered[suited], suited)
