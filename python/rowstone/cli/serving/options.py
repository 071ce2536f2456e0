"""The options of ``rowstone serve``, each declared once: name, type, default and help.

`command` passes them to typer, and `plain` parses them without it.
"""

# ruff: noqa: RUF009 - each call of `option` returns a field of the dataclass.
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, TypeVar

_Value = TypeVar("_Value")


class BadOption(Exception):
    """An option has an invalid value, or lacks another that it needs."""


class LogFormat(StrEnum):
    """Format of log messages."""

    TEXT = "text"
    JSON = "json"


def option(default: _Value, help: str, *, flag: str | None = None, **shown: Any) -> _Value:
    """Declare an option. Its flag is its name by default; ``shown`` are further arguments of `typer.Option`."""
    return field(default=default, metadata={"flag": flag, "shown": {"help": help, **shown}})


@dataclass(frozen=True)
class Options:
    """The options of one call. Those named like a parameter of `rowstone.serve`, or a gateway's option, are passed to
    it."""

    host: str = option("127.0.0.1", "IP address to listen on.")
    port: int = option(16000, "Port of HBase's RPC; 0 for any free port.")
    zk_port: int = option(2181, "Port for clients that use ZooKeeper; 0 for any free port, -1 for none.")
    thrift_port: int | None = option(None, "Port of HBase's Thrift service, for happybase; 0 for any free port.")
    thrift2_port: int | None = option(None, "Port of HBase's second Thrift service; 0 for any free port.")
    advertised: str | None = option(None, "Host name given to clients; by default the address at which they connected.")
    insecure: bool = option(False, "Accept other machines without authentication: any client may read and write.")
    tls_certificate: str | None = option(None, "The server's certificate, a PEM file: enables TLS.")
    tls_key: str | None = option(None, "Its key, a PEM file.")
    tls_client_ca: str | None = option(None, "Authorities that must have signed clients' certificates, a PEM file.")
    tls_only: bool = option(False, "Refuse connections without TLS.")
    auth: list[str] | None = option(
        None, "Authentication of clients: simple, certificate, password, kerberos; may be repeated."
    )
    users: str | None = option(None, "The users file; by default users.toml in DIR. `rowstone user` creates it.")
    keytab: str | None = option(None, "The server's keytab, for Kerberos.")
    principal: str | None = option(None, "The server's principal: hbase/host.example.com@EXAMPLE.COM.")
    protection: str = option(
        "authentication", "Protection with Kerberos: authentication, integrity or privacy; or several with commas."
    )
    certificate_name: str = option("CN", "Attribute of a client certificate's subject that holds the user's name.")
    rest_port: int | None = option(None, "Port of HBase's REST interface; 0 for any free port. None by default.")
    info_port: int | None = option(None, "Port of the web UI and of metrics; 0 for any free port. None by default.")
    info_data: bool = option(False, "Show the data of tables in the web UI; without --auth to all who reach its port.")
    allowed_hosts: list[str] | None = option(
        None,
        "Host name allowed in HTTP requests to a server on loopback without authentication, "
        "in addition to localhost and --advertised; may be repeated.",
        flag="--allowed-host",
        metavar="NAME",
    )
    bulk_load_staging_dir: str | None = option(
        None, "Directory of files that clients may bulk load; without it, bulk loads are rejected."
    )
    settings: list[str] | None = option(
        None, "A setting by HBase's name; may be repeated.", flag="--set", metavar="KEY=VALUE"
    )
    memstore_mb: int | None = option(
        None,
        "Limit of recent writes, in megabytes; by default an eighth of the memory. Not for HBase's files.",
        min=1,
    )
    cache_mb: int | None = option(
        None,
        "Limit of the block cache, in megabytes; by default a quarter of the memory, or 32 for HBase's files.",
        min=1,
    )
    tracing: bool = option(
        False, "Record calls as OpenTelemetry spans; run the command under opentelemetry-instrument."
    )
    stop_timeout: int = option(
        60, "Seconds from the stop signal until the process is killed.", metavar="SECONDS", min=1
    )
    log_format: LogFormat = option(LogFormat.TEXT, "Format of log messages: text, or one JSON object per line.")


BY_FLAG = {one.metadata["flag"] or f"--{one.name.replace('_', '-')}": one for one in fields(Options)}
