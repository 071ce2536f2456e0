"""``set_quota``: what HBase refuses before it asks a master, and that there are no such quotas here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import hash_of
from rowstone.shell.errors import ArgumentMistake, ShellError
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session

_LIMIT = re.compile(r"\d+(?:req|cu|[bkmgtp])/(?:sec|min|hour|day)")
_SIZE = re.compile(r"\d+[bkmgtp]?b?")
_OWNERS = ("USER", "TABLE", "NAMESPACE", "REGIONSERVER")


def check_request(session: Session, options: Any) -> ShellError:
    """The refusal: of what is wrong with the request, or of every request."""
    given = hash_of(options, "Arguments should be a Hash")
    if "TYPE" not in given and "GLOBAL_BYPASS" not in given:
        raise ShellError("Expected TYPE argument")
    kind = given.get("TYPE")
    if kind == "THROTTLE":
        _check_throttle(given)
    elif kind == "SPACE":
        _check_space(given)
    elif kind is not None:
        raise ShellError(f"Invalid TYPE argument. got {to_s(kind)}")
    if session.is_cluster:
        return session.cluster_only("quotas")
    return ShellError("Quota Support disabled. Please enable in configuration.")


def _check_throttle(given: dict[Any, Any]) -> None:
    limit = given.get("LIMIT")
    if limit == "NONE":
        pass
    elif limit is None:
        raise ShellError("undefined method `downcase' for nil:NilClass", "NoMethodError")
    elif not _LIMIT.fullmatch(to_s(limit).lower()):
        raise ArgumentMistake("Invalid throttle limit syntax")
    if not any(name in given for name in _OWNERS):
        raise ShellError("One of USER, TABLE, NAMESPACE or REGIONSERVER must be specified")


def _check_space(given: dict[Any, Any]) -> None:
    if given.get("LIMIT") != "NONE":
        if "LIMIT" not in given:
            raise ArgumentMistake("Expected a LIMIT to be provided")
        if "POLICY" not in given:
            raise ArgumentMistake("Expected a POLICY to be provided")
        if not _SIZE.fullmatch(to_s(given["LIMIT"]).lower()):
            raise ArgumentMistake("Invalid size limit syntax")
    if "TABLE" in given and "NAMESPACE" in given:
        raise ArgumentMistake("Only one of TABLE or NAMESPACE can be specified.")
    if "TABLE" not in given and "NAMESPACE" not in given:
        raise ArgumentMistake("One of TABLE or NAMESPACE must be specified.")
