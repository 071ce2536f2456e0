"""``rowstone serve``"""

import json
import signal
import sys
import threading
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rowstone import ServerTls


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


_LOGS = {LogFormat.TEXT: _log_text, LogFormat.JSON: _log_json}


def _allow_many_connections() -> None:
    """Each connection is an open file: as many as the machine lets us have."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _bytes_of(megabytes: int | None) -> int | None:
    return None if megabytes is None else megabytes << 20


def _tls(certificate: str | None, key: str | None, client_ca: str | None, only: bool) -> "ServerTls | None":
    """What the options for TLS say. Raises `typer.BadParameter` where they do not fit together."""
    import rowstone

    if (certificate is None) != (key is None):
        raise typer.BadParameter("TLS needs both --tls-certificate and --tls-key")
    if certificate is not None and key is not None:
        return rowstone.ServerTls(certificate, key, client_ca, plain_text=not only)
    if client_ca is not None or only:
        raise typer.BadParameter("--tls-client-ca and --tls-only need --tls-certificate and --tls-key")
    return None


def command(
    directory: Annotated[
        str, typer.Argument(help="The database's directory, made where it is missing, or ':memory:'.", metavar="DIR")
    ],
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of HBase's RPC; 0 is any that is free.")] = 16000,
    zk_port: Annotated[
        int, typer.Option(help="Port for clients that ask ZooKeeper; 0 is any that is free, -1 is none.")
    ] = 2181,
    advertised: Annotated[
        str | None, typer.Option(help="Name by which clients connect; by default that at which they came in.")
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Listen beyond this machine: whoever comes may read and write all.")
    ] = False,
    tls_certificate: Annotated[
        str | None, typer.Option(help="The server's certificate, a PEM file: clients may come by TLS.")
    ] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its key, a PEM file.")] = None,
    tls_client_ca: Annotated[
        str | None, typer.Option(help="Certificates that those of clients must be signed with, a PEM file.")
    ] = None,
    tls_only: Annotated[bool, typer.Option("--tls-only", help="Refuse clients that come in plain text.")] = False,
    rest_port: Annotated[
        int | None, typer.Option(help="Port of HBase's REST interface; 0 is any that is free. None by default.")
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
    import rowstone
    from rowstone.errors import RowstoneError

    tls = _tls(tls_certificate, tls_key, tls_client_ca, tls_only)
    log = _LOGS[log_format]

    _allow_many_connections()
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        places = {"host": host, "port": port, "zk_port": None if zk_port < 0 else zk_port, "rest_port": rest_port}
        memory = {"memstore_bytes": _bytes_of(memstore_mb), "cache_bytes": _bytes_of(cache_mb)}
        with rowstone.serve(directory, **places, **memory, advertised=advertised, insecure=insecure, tls=tls) as server:  # type: ignore[arg-type]
            zookeeper = "" if server.zk_port is None else f", ZooKeeper port {server.zk_port}"
            rest = "" if server.rest_port is None else f", REST port {server.rest_port}"
            text = f"ready: {server.url}{zookeeper}{rest} serves {directory} (Ctrl-C ends it)"
            ports = {"zk_port": server.zk_port, "rest_port": server.rest_port}
            log("ready", text, {"url": server.url, **ports, "directory": directory})
            stop.wait()
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
