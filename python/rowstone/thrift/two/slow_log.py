"""Calls that took long, which a cluster's servers remember; a directory remembers none."""

from __future__ import annotations

from typing import Any

from rowstone.thrift._session import Session
from rowstone.thrift.two._structs import DOCUMENT, choice

_FILTERS = (
    ("regionName", "REGION_NAME"),
    ("clientAddress", "CLIENT_IP"),
    ("tableName", "TABLE_NAME"),
    ("userName", "USER"),
)
# Fields of a remembered call in the order of ``TOnlineLogRecord``, with what is sent where one is missing.
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
    """What the servers remember, of slow or of large calls."""
    if _is_directory(session):
        return []
    found: list[Any] = []
    for server in servers or ():
        calls = session.database.admin.slow_calls(_name(server), **_query(wanted))
        found += [tuple(_field(call, *field) for field in _FIELDS) for call in calls]
    return found


def clear_slow_log_responses(session: Session, servers: list[Any] | None) -> list[bool]:
    """Whether each of the servers has forgotten them."""
    if _is_directory(session):
        return [False for _ in servers or ()]
    return [session.database.admin.clear_slow_calls([_name(server)]) > 0 for server in servers or ()]


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
