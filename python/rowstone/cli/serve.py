"""``rowstone serve``"""

import json
import queue
import signal
import sys
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from rowstone.cli._security import (
    CertificateName,
    Keytab,
    Methods,
    Principal,
    Protection,
    TlsCertificate,
    TlsClientCa,
    TlsKey,
    TlsOnly,
    UsersFile,
    authentication_of,
    shown_logins,
    tls_of,
)


class LogFormat(StrEnum):
    """How messages are written."""

    TEXT = "text"
    JSON = "json"


def _log_text(event: str, text: str | None, fields: dict[str, object]) -> None:
    """A message for people, where there is one."""
    if text is not None:
        typer.echo(text)


def _log_json(event: str, text: str | None, fields: dict[str, object]) -> None:
    """The event as one line of JSON: when, what, and what belongs to it."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    typer.echo(json.dumps({"time": time, "event": event, **fields}))
    sys.stdout.flush()


_PORTS = {
    "zk_port": "ZooKeeper",
    "thrift_port": "Thrift",
    "thrift2_port": "Thrift 2",
    "rest_port": "REST",
    "info_port": "page",
}
"""Ports of a server beside that of the RPC, and what people call them."""

_LOGS = {LogFormat.TEXT: _log_text, LogFormat.JSON: _log_json}


def _allow_many_connections() -> None:
    """Each connection is an open file: as many as the machine lets us have."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _configuration(settings: list[str] | None) -> dict[str, str]:
    """The settings that were given one by one."""
    pairs = [one.partition("=") for one in settings or []]
    wrong = [key for key, separator, _ in pairs if not separator or not key]
    if wrong:
        raise typer.BadParameter(f"--set {wrong[0]} is not KEY=VALUE")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _bytes_of(megabytes: int | None) -> int | None:
    return None if megabytes is None else megabytes << 20


def _ready(url: str, ports: dict[str, int | None], directory: str) -> str:
    others = "".join(f", {_PORTS[name]} port {port}" for name, port in ports.items() if port is not None)
    return f"ready: {url}{others} serves {directory} (Ctrl-C ends it)"


def command(
    directory: Annotated[
        str, typer.Argument(help="The database's directory, made where it is missing, or ':memory:'.", metavar="DIR")
    ],
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of HBase's RPC; 0 is any that is free.")] = 16000,
    zk_port: Annotated[
        int, typer.Option(help="Port for clients that ask ZooKeeper; 0 is any that is free, -1 is none.")
    ] = 2181,
    thrift_port: Annotated[
        int | None, typer.Option(help="Port of HBase's Thrift service, for happybase; 0 is any that is free.")
    ] = None,
    thrift2_port: Annotated[
        int | None, typer.Option(help="Port of HBase's second Thrift service; 0 is any that is free.")
    ] = None,
    advertised: Annotated[
        str | None, typer.Option(help="Name by which clients connect; by default that at which they came in.")
    ] = None,
    insecure: Annotated[
        bool,
        typer.Option("--insecure", help="Listen beyond this machine as on it: whoever comes may read and write all."),
    ] = False,
    tls_certificate: TlsCertificate = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    tls_only: TlsOnly = False,
    auth: Methods = None,
    users: UsersFile = None,
    keytab: Keytab = None,
    principal: Principal = None,
    protection: Protection = "authentication",
    certificate_name: CertificateName = "CN",
    rest_port: Annotated[
        int | None, typer.Option(help="Port of HBase's REST interface; 0 is any that is free. None by default.")
    ] = None,
    info_port: Annotated[
        int | None, typer.Option(help="Port of the web page and of metrics; 0 is any that is free. None by default.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting by HBase's name; may be repeated.", metavar="KEY=VALUE")
    ] = None,
    memstore_mb: Annotated[
        int | None, typer.Option(min=1, help="Megabytes of recent writes in memory, at most; by default 256.")
    ] = None,
    cache_mb: Annotated[
        int | None, typer.Option(min=1, help="Megabytes of blocks of files in memory, at most; by default 256.")
    ] = None,
    log_format: Annotated[LogFormat, typer.Option(help="How messages are written: for people, or JSON by line.")] = (
        LogFormat.TEXT
    ),
) -> None:
    """Serve a database to HBase's clients until Ctrl-C."""
    options: dict[str, Any] = {"host": host, "port": port, "zk_port": None if zk_port < 0 else zk_port}
    options |= {"thrift_port": thrift_port, "thrift2_port": thrift2_port, "rest_port": rest_port}
    options |= {"info_port": info_port, "advertised": advertised, "insecure": insecure}
    options |= {"memstore_bytes": _bytes_of(memstore_mb), "cache_bytes": _bytes_of(cache_mb)}
    options["configuration"] = _configuration(settings)
    options["tls"] = tls_of(tls_certificate, tls_key, tls_client_ca, tls_only)
    given = {"keytab": keytab, "principal": principal, "protection": protection, "certificate_name": certificate_name}
    options["authentication"] = authentication_of(directory, auth, users, given)
    _allow_many_connections()
    with shown_logins(_LOGS[log_format], bool(auth)):
        _serve(directory, log_format, options)


def _serve(directory: str, log_format: LogFormat, options: dict[str, Any]) -> None:
    """Serves until a signal comes."""
    import rowstone
    from rowstone.errors import RowstoneError

    log = _LOGS[log_format]
    # An event would wait for itself where the signal comes while it is being waited for.
    stop: queue.SimpleQueue[None] = queue.SimpleQueue()
    before = {number: signal.signal(number, lambda *_: stop.put(None)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with rowstone.serve(directory, **options) as server:
            ports = {name: getattr(server, name) for name in _PORTS}
            log("ready", _ready(server.url, ports, directory), {"url": server.url, **ports, "directory": directory})
            stop.get()
            log("stopping", None, {"directory": directory})
        log("stopped", "stopped: all that was acknowledged is in the database", {"directory": directory})
    except RowstoneError as error:
        if log_format is LogFormat.TEXT:
            raise
        log("failed", None, {"directory": directory, "error": str(error)})
        raise typer.Exit(1) from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
