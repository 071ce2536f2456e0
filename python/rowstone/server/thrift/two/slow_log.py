"""Slow calls, stored by a cluster's servers and by a directory's server."""

from __future__ import annotations

from itertools import islice
from typing import Any

from rowstone.errors import AccessDenied
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.two._structs import DOCUMENT, choice

_FILTERS = (
    ("regionName", "REGION_NAME"),
    ("clientAddress", "CLIENT_IP"),
    ("tableName", "TABLE_NAME"),
    ("userName", "USER"),
)
# Fields of a stored call in the order of ``TOnlineLogRecord``, with their defaults.
_FIELDS: tuple[tuple[str, Any], ...] = (
    ("start_time", 0),
    ("processing_time", 0),
    ("queue_time", 0),
    ("response_size", 0),
    ("client_address", ""),
    ("server_class", ""),
    ("method_name", ""),
    ("call_details", ""),
    ("param", ""),
    ("user_name", ""),
    ("multi_gets", 0),
    ("multi_mutations", 0),
    ("multi_service_calls", 0),
    ("region_name", None),
)


def get_slow_log_responses(session: Session, servers: list[Any] | None, wanted: Any) -> list[Any]:
    """The slow or large calls that the servers have stored."""
    if _is_directory(session):
        return _of_directory(session, wanted) if servers else []
    found: list[Any] = []
    for server in servers or ():
        calls = session.database.admin.logs.slow_calls(_name(server), **_query(wanted))
        found += map(_record, calls)
    return found


def _of_directory(session: Session, wanted: Any) -> list[Any]:
    """The newest matching calls, as the server itself returns them to its clients."""
    if session.server is None:
        return []
    _check_administrator(session)
    query = _query(wanted)
    kinds = ("LARGE_LOG" if query["large"] else "SLOW_LOG", "ALL")
    calls = (call for call in session.server._native.slow_calls() if call["type"] in kinds)
    return [_record(call) for call in islice((call for call in calls if _fits(call, query["filters"])), query["limit"])]


def _fits(call: dict[str, Any], filters: dict[str, str]) -> bool:
    """Whether a call matches any filter, or, with ``AND``, all filters."""
    region = call["region_name"] or ""
    found = {
        "REGION_NAME": lambda value: region == value,
        # As in HBase: a prefix of the region's name.
        "TABLE_NAME": region.startswith,
        "CLIENT_IP": lambda value: call["client_address"] == value,
        "USER": lambda value: call["user_name"] == value,
    }
    given = [found[key](value) for key, value in filters.items() if key in found]
    return not given or (all(given) if filters["FILTER_BY_OP"] == "AND" else any(given))


def _check_administrator(session: Session) -> None:
    """With access control, only administrators may see and clear the slow log."""
    database = session.database
    if database._owner is not None and not database.admin.permissions.has("A"):
        raise AccessDenied(f"{session.user} may not administrate the database")


def clear_slow_log_responses(session: Session, servers: list[Any] | None) -> list[bool]:
    """Clear the servers' stored calls; returns whether each server has done so."""
    if _is_directory(session):
        if session.server is None:
            return [False for _ in servers or ()]
        _check_administrator(session)
        session.server._native.clear_slow_calls()
        return [True for _ in servers or ()]
    return [session.database.admin.logs.clear_slow_calls([_name(server)]) > 0 for server in servers or ()]


def _record(call: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(_field(call, *field) for field in _FIELDS)


def _is_directory(session: Session) -> bool:
    return session.database._native.id is not None


def _name(server: Any) -> str:
    return f"{server.hostName},{server.port},{server.startCode}"


def _query(wanted: Any) -> dict[str, Any]:
    query = wanted or DOCUMENT.TLogQueryFilter()
    filters = {key: value for field, key in _FILTERS if (value := getattr(query, field))}
    filters["FILTER_BY_OP"] = choice("TFilterByOperator", query.filterByOperator, "OR")
    large = choice("TLogType", query.logType, "SLOW_LOG") == "LARGE_LOG"
    return {"large": large, "filters": filters, "limit": query.limit}


def _field(call: dict[str, Any], name: str, missing: Any) -> Any:
    value = call.get(name, missing)
    return int(value) if isinstance(missing, int) else value
