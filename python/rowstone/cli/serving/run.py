"""The work of ``rowstone serve`` after its command line is parsed, and its messages."""

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

from rowstone import _native
from rowstone.cli.common.status import status_of

STOP_TIMEOUT_S = 60
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

Log = Callable[[str, str | None, dict[str, object]], None]

_PORTS = {
    "zk_port": "ZooKeeper",
    "thrift_port": "Thrift",
    "thrift2_port": "Thrift 2",
    "rest_port": "REST",
    "info_port": "page",
}
"""Names of a server's other ports in messages, in addition to the RPC port."""


def _log_text(event: str, text: str | None, fields: dict[str, object]) -> None:
    """Print the human-readable message, if there is one."""
    if text is not None:
        print(text, flush=True)


def _log_json(event: str, text: str | None, fields: dict[str, object]) -> None:
    """Print the event as one line of JSON: time, event and fields."""
    from datetime import UTC, datetime

    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    print(json.dumps({"time": time, "event": event, **fields}), flush=True)


LOGS: dict[str, Log] = {"text": _log_text, "json": _log_json}
"""Log functions by the value of ``--log-format``."""


def _allow_many_connections() -> None:
    """Raise the limit of open files to the maximum allowed: each connection is an open file."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _ready(url: str, ports: dict[str, int | None], directory: str) -> str:
    others = "".join(f", {_PORTS[name]} port {port}" for name, port in ports.items() if port is not None)
    return f"ready: {url}{others} serves {directory} (Ctrl-C ends it)"


def run(directory: str, log_format: str, options: dict[str, Any], *, stop_timeout_s: int = STOP_TIMEOUT_S) -> int:
    """Serve until a signal arrives; return the exit status. Errors are raised, except with JSON logs."""
    import rowstone
    from rowstone._base import heap as _heap
    from rowstone._core.root import PREFIX
    from rowstone.errors import RowstoneError

    log = LOGS[log_format]
    _allow_many_connections()
    _heap.fix_limits_for_server()
    # HBase's files have a limit of their own for the cache, and no memstores.
    is_root = directory.startswith(PREFIX) and "://" in directory
    dedicated: dict[str, Any] = {} if is_root else {"dedicated": True}
    try:
        with end_asked_for(stop_timeout_s) as wait, rowstone.serve(directory, **options, **dedicated) as server:
            ports = {name: getattr(server, name) for name in _PORTS}
            log("ready", _ready(server.url, ports, directory), {"url": server.url, **ports, "directory": directory})
            wait()
            log("stopping", None, {"directory": directory})
        stopped = "stopped" if is_root else "stopped: all that was acknowledged is in the database"
        log("stopped", stopped, {"directory": directory})
    except RowstoneError as error:
        if log_format == "text":
            raise
        log("failed", None, {"directory": directory, "error": str(error)})
        return status_of(error)
    return 0


def settings_of(given: list[str] | None) -> dict[str, str]:
    """Parse settings given as ``KEY=VALUE``. Raises `ValueError` for the first that is malformed."""
    pairs = [one.partition("=") for one in given or []]
    for key, separator, _ in pairs:
        if not separator or not key:
            raise ValueError(f"--set {key} is not KEY=VALUE")
    return {key.strip(): value.strip() for key, _, value in pairs}


def options_of(given: dict[str, Any]) -> dict[str, Any]:
    """Convert options, except those for security, to arguments of `rowstone.serve`. Raises `ValueError`."""
    same = (
        "host",
        "port",
        "thrift_port",
        "thrift2_port",
        "rest_port",
        "info_port",
        "info_data",
        "advertised",
        "insecure",
        "tracing",
    )
    options = {name: given[name] for name in same}
    options["zk_port"] = None if given["zk_port"] < 0 else given["zk_port"]
    for name in ("memstore", "cache"):
        megabytes = given[f"{name}_mb"]
        options[f"{name}_bytes"] = None if megabytes is None else megabytes << 20
    options["configuration"] = settings_of(given["settings"])
    options["allowed_hosts"] = given.get("allowed_hosts") or ()
    options["bulk_load_staging_dir"] = given.get("bulk_load_staging_dir")
    return options


@contextlib.contextmanager
def end_asked_for(stop_timeout_s: int = STOP_TIMEOUT_S) -> Iterator[Callable[[], None]]:
    """Yield a function that returns when SIGINT or SIGTERM has arrived. For the main thread.

    Each signal writes a byte into a pipe, so one that arrives right before the wait is not missed, as it would be with
    a lock. If the process has not ended ``stop_timeout_s`` seconds after the signal, it is killed. That deadline does
    not need the GIL, so it also holds if a thread never releases it, and until the end of the process.
    """
    asked = _native.StopSignal(stop_timeout_s * 1000)
    os.set_blocking(asked.fileno(), False)
    wakeup_before = signal.set_wakeup_fd(asked.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
    try:
        yield asked.wait
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup_before)
        asked.close()
