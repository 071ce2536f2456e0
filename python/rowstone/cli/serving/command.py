"""``rowstone serve``"""

from enum import StrEnum
from typing import Annotated, Any

import typer

from rowstone.cli.serving.run import LOGS, STOP_TIMEOUT_S, options_of, run
from rowstone.cli.serving.security import (
    AllowedHosts,
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
    """Format of log messages."""

    TEXT = "text"
    JSON = "json"


Directory = Annotated[
    str,
    typer.Argument(
        help="The database's directory, created if missing; ':memory:'; or HBase's files, read-only (root+URL).",
        metavar="DIR",
    ),
]

Tracing = Annotated[
    bool,
    typer.Option(
        "--tracing", help="Record calls as OpenTelemetry spans; run the command under opentelemetry-instrument."
    ),
]

Insecure = Annotated[
    bool,
    typer.Option("--insecure", help="Accept other machines without authentication: any client may read and write."),
]

InfoPort = Annotated[
    int | None, typer.Option(help="Port of the web UI and of metrics; 0 for any free port. None by default.")
]

InfoData = Annotated[
    bool,
    typer.Option(
        "--info-data", help="Show the data of tables in the web UI; without --auth to all who reach its port."
    ),
]

StagingDir = Annotated[
    str | None,
    typer.Option(help="Directory of files that clients may bulk load; without it, bulk loads are rejected."),
]

MemstoreMegabytes = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Limit of recent writes, in megabytes; by default an eighth of the memory. Not for HBase's files.",
    ),
]

CacheMegabytes = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Limit of the block cache, in megabytes; by default a quarter of the memory, or 32 for HBase's files.",
    ),
]

StopTimeout = Annotated[
    int, typer.Option(min=1, help="Seconds from the stop signal until the process is killed.", metavar="SECONDS")
]


def command(
    directory: Directory,
    host: Annotated[str, typer.Option(help="IP address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of HBase's RPC; 0 for any free port.")] = 16000,
    zk_port: Annotated[
        int, typer.Option(help="Port for clients that use ZooKeeper; 0 for any free port, -1 for none.")
    ] = 2181,
    thrift_port: Annotated[
        int | None, typer.Option(help="Port of HBase's Thrift service, for happybase; 0 for any free port.")
    ] = None,
    thrift2_port: Annotated[
        int | None, typer.Option(help="Port of HBase's second Thrift service; 0 for any free port.")
    ] = None,
    advertised: Annotated[
        str | None, typer.Option(help="Host name given to clients; by default the address at which they connected.")
    ] = None,
    insecure: Insecure = False,
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
        int | None, typer.Option(help="Port of HBase's REST interface; 0 for any free port. None by default.")
    ] = None,
    info_port: InfoPort = None,
    info_data: InfoData = False,
    allowed_hosts: AllowedHosts = None,
    bulk_load_staging_dir: StagingDir = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A setting by HBase's name; may be repeated.", metavar="KEY=VALUE")
    ] = None,
    memstore_mb: MemstoreMegabytes = None,
    cache_mb: CacheMegabytes = None,
    tracing: Tracing = False,
    stop_timeout: StopTimeout = STOP_TIMEOUT_S,
    log_format: Annotated[
        LogFormat, typer.Option(help="Format of log messages: text, or one JSON object per line.")
    ] = (LogFormat.TEXT),
) -> None:
    """Serve a database to HBase's clients until Ctrl-C."""
    given: dict[str, Any] = {"host": host, "port": port, "zk_port": zk_port, "thrift_port": thrift_port}
    given |= {"thrift2_port": thrift2_port, "rest_port": rest_port, "info_port": info_port, "advertised": advertised}
    given |= {"insecure": insecure, "tracing": tracing, "memstore_mb": memstore_mb, "cache_mb": cache_mb}
    given |= {"settings": settings, "allowed_hosts": allowed_hosts, "bulk_load_staging_dir": bulk_load_staging_dir}
    given["info_data"] = info_data
    try:
        options = options_of(given)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    options["tls"] = tls_of(tls_certificate, tls_key, tls_client_ca, tls_only)
    login = {"keytab": keytab, "principal": principal, "protection": protection, "certificate_name": certificate_name}
    options["authentication"] = authentication_of(directory, auth, users, login)
    with shown_logins(LOGS[log_format.value], bool(auth)):
        status = run(directory, log_format.value, options, stop_timeout_s=stop_timeout)
    if status:
        raise typer.Exit(status)
