"""The work of ``rowstone serve`` after its command line is parsed."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator

from rowstone import _native
from rowstone.cli.common.status import status_of
from rowstone.cli.serving.arguments import arguments_of
from rowstone.cli.serving.logs import LOGS, shown_logins
from rowstone.cli.serving.options import LogFormat, Options

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_PORTS = {
    "zk_port": "ZooKeeper",
    "thrift_port": "Thrift",
    "thrift2_port": "Thrift 2",
    "rest_port": "REST",
    "info_port": "dashboard",
}
"""Names of a server's other ports in messages, in addition to the RPC port."""


def _allow_many_connections() -> None:
    """Raise the limit of open files to the maximum allowed: each connection is an open file."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _ready(url: str, ports: dict[str, int | None], directory: str) -> str:
    others = "".join(f", {_PORTS[name]} port {port}" for name, port in ports.items() if port is not None)
    return f"ready: {url}{others} serves {directory} (Ctrl-C ends it)"


def run(directory: str, options: Options) -> int:
    """Serve until a signal arrives; return the exit status. Errors are raised, except with JSON logs.

    Raises `BadOption` before anything is opened."""
    import rowstone
    from rowstone._base import heap as _heap
    from rowstone._core.root import PREFIX
    from rowstone.errors import RowstoneError

    arguments, log = arguments_of(directory, options), LOGS[options.log_format]
    _allow_many_connections()
    _heap.fix_limits_for_server()
    # HBase's files have a limit of their own for the cache, and no memstores.
    is_root = directory.startswith(PREFIX) and "://" in directory
    if not is_root:
        arguments["dedicated"] = True
    try:
        with (
            shown_logins(log, bool(options.auth)),
            end_asked_for(options.stop_timeout) as wait,
            rowstone.serve(directory, **arguments) as server,
        ):
            ports = {name: getattr(server, name) for name in _PORTS}
            log("ready", _ready(server.url, ports, directory), {"url": server.url, **ports, "directory": directory})
            wait()
            log("stopping", None, {"directory": directory})
        stopped = "stopped" if is_root else "stopped: all that was acknowledged is in the database"
        log("stopped", stopped, {"directory": directory})
    except RowstoneError as error:
        if options.log_format is LogFormat.TEXT:
            raise
        log("failed", None, {"directory": directory, "error": str(error)})
        return status_of(error)
    return 0


@contextlib.contextmanager
def end_asked_for(stop_timeout_s: int = Options.stop_timeout) -> Iterator[Callable[[], None]]:
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
