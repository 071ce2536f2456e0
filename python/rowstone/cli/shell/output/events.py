"""Server events as HBase's shell prints them: slow calls as indented JSON with Java's names, procedures, locks."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import not_of_type, whole
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import is_text, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session

_JAVA_NAMES = {
    "client_address": "clientAddress", "cost_func_info": "costFuncInfoList", "multi_gets": "multiGetsCount",
    "multi_mutations": "multiMutationsCount",
}  # fmt: skip
_NOT_SHOWN = ("region_name", "type", "scan")
_COUNTS = ("multi_gets", "multi_mutations", "multi_service_calls")
_FILTERS = ("REGION_NAME", "TABLE_NAME", "CLIENT_IP", "USER")


def limit_of(options: Any, default: int) -> int:
    """The LIMIT option: the number of events to print."""
    given = options or {}
    return whole("LIMIT", given["LIMIT"]) if "LIMIT" in given else default


def print_slow_calls(session: Session, servers: Any, options: Any, *, large: bool) -> None:
    """Print slow or large calls of some servers, or of all (``*``)."""
    if options is not None and not isinstance(options, dict):
        raise ShellError("Filter parameters are not Hash")
    if not is_text(servers) and not isinstance(servers, list):
        raise not_of_type(servers, "Array/String")
    given = options or {}
    if given.get("FILTER_BY_OP", "OR") not in ("OR", "AND"):
        raise ArgumentMistake("FILTER_BY_OP should be either OR / AND")
    calls = []
    if session.is_cluster:
        names = session.servers() if servers == "*" else session.chosen_servers(servers)
        filters = {name: to_s(given[name]) for name in (*_FILTERS, "FILTER_BY_OP") if name in given}
        limit = limit_of(given, 10)
        found = [session.admin.logs.slow_calls(name, large=large, filters=filters, limit=limit) for name in names]
        calls = [call for part in found for call in part]
    session.formatter.line(f"Retrieved {'Large' if large else 'Slow'}Log Responses from RegionServers")
    for call in calls:
        print_event(session, call)


def print_event(session: Session, event: dict[str, Any]) -> None:
    """Print an event as indented JSON."""
    shown = {
        _JAVA_NAMES.get(name) or _camel(name): value
        for name, value in event.items()
        if name not in _NOT_SHOWN and (value or name not in _COUNTS)
    }
    session.formatter.line(json.dumps(shown, indent=2, ensure_ascii=False))


def print_procedure(session: Session, procedure: dict[str, Any]) -> None:
    """Print a row of ``list_procedures``. Of the state data only the message types are shown."""
    kinds = [message.get("type_url", "").rpartition(".")[2] for message in procedure.get("state_message", [])]
    moments = [_moment(procedure[name]) for name in ("submitted_time", "last_update")]
    begin = [procedure["id"], procedure["class_name"], procedure["state"]]
    session.formatter.row([*begin, *moments, f"[{', '.join(kinds)}]"])


def print_lock(session: Session, lock: dict[str, Any]) -> None:
    """Print the lines of a lock in ``list_locks``."""
    line = session.formatter.line
    line(f"{lock['resource_type']}({lock.get('resource_name', '')})")
    if lock["lock_type"] == "EXCLUSIVE":
        line(f"Lock type: EXCLUSIVE, procedure: {_describe(lock.get('exclusive_lock_owner_procedure', {}))}")
    else:
        line(f"Lock type: SHARED, count: {lock.get('shared_lock_count', 0)}")
    waiting = lock.get("waiting_procedures", [])
    if waiting:
        session.formatter.header(["Waiting procedures"])
        for procedure in waiting:
            session.formatter.row([_describe(procedure)])
        session.formatter.footer(len(waiting))
    line()


def _describe(procedure: dict[str, Any]) -> str:
    return f"{procedure.get('class_name', '')} (pid={procedure.get('id', '')}, {procedure.get('state', '')})"


def _moment(ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(ms // 1000))


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda letter: letter[1].upper(), name)
