"""What a route is, and finding the one that a path and a method ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rowstone.rest import _media
from rowstone.rest._answer import Answer
from rowstone.rest._request import Request
from rowstone.rest.shapes import Shape


@dataclass(frozen=True)
class Parameter:
    """A parameter of the query or a header; ``kind`` is JSON Schema's type."""

    name: str
    description: str
    kind: str = "string"
    place: str = "query"
    is_list: bool = False


@dataclass(frozen=True)
class Operation:
    """What one method does at a route.

    ``reads`` is the shape of the body, or None where it is bytes as they are; ``consumes`` the media types that it may
    have, none where there is no body. ``gives`` and ``produces`` say the same of the answer.
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
    """A path as OpenAPI writes it, the pattern of paths (percent-encoded) that it stands for, and its operations."""

    path: str
    pattern: re.Pattern[str]
    operations: tuple[Operation, ...]

    @property
    def methods(self) -> list[str]:
        """Those that it has, in order, each once."""
        return list(dict.fromkeys(operation.method for operation in self.operations))


def find(routes: Sequence[Route], path: str) -> tuple[Route, Mapping[str, str]] | None:
    """The first route that the path fits, and the path's variable parts."""
    for route in routes:
        found = route.pattern.fullmatch(path)
        if found is not None:
            return route, {name: value or "" for name, value in found.groupdict().items()}
    return None


def consuming(operations: Sequence[Operation], content_type: str | None, *, has_body: bool = True) -> list[Operation]:
    """The operations that take a body of that type; a type is not needed without a body, unless it is a POST.

    Pages of other sites can send a POST without a type, with a body or none, without asking whether they may.
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
    """The operation whose answers suit the client best, and their media type."""
    offered: dict[str, Operation] = {}
    for operation in operations:
        for media in operation.produces or ("",):
            offered.setdefault(media, operation)
    if list(offered) == [""]:
        return offered[""], ""
    forms = [each for each in offered if each]
    suited = _media.chosen(accept, forms)
    if suited is None and operations[0].method != "GET":
        # A change is done whatever the client accepts: mostly there is nothing to be said.
        suited = forms[0]
    return None if suited is None else (offered[suited], suited)
