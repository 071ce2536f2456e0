"""Authentication options of ``rowstone serve``, and its log of logins."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli.serving.run import Log

if TYPE_CHECKING:
    from rowstone import ServerTls
    from rowstone.server.security import Authentication


TlsCertificate = Annotated[str | None, typer.Option(help="The server's certificate, a PEM file: enables TLS.")]
TlsKey = Annotated[str | None, typer.Option(help="Its key, a PEM file.")]
TlsClientCa = Annotated[
    str | None, typer.Option(help="Authorities that must have signed clients' certificates, a PEM file.")
]
TlsOnly = Annotated[bool, typer.Option("--tls-only", help="Refuse connections without TLS.")]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--auth",
        help="Authentication of clients: simple, certificate, password, kerberos; may be repeated.",
    ),
]
UsersFile = Annotated[
    str | None, typer.Option(help="The users file; by default users.toml in DIR. `rowstone user` creates it.")
]
Keytab = Annotated[str | None, typer.Option(help="The server's keytab, for Kerberos.")]
Principal = Annotated[str | None, typer.Option(help="The server's principal: hbase/host.example.com@EXAMPLE.COM.")]
Protection = Annotated[
    str,
    typer.Option(help="Protection with Kerberos: authentication, integrity or privacy; or several with commas."),
]
CertificateName = Annotated[
    str, typer.Option(help="Attribute of a client certificate's subject that holds the user's name.")
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-host",
        help="Host name allowed in HTTP requests to a server on loopback without authentication, "
        "in addition to localhost and --advertised; may be repeated.",
        metavar="NAME",
    ),
]


def tls_of(certificate: str | None, key: str | None, client_ca: str | None, only: bool) -> "ServerTls | None":
    """Build the TLS configuration from the options; None if there are none."""
    from rowstone import ServerTls

    if (certificate is None) != (key is None):
        raise typer.BadParameter("TLS needs both --tls-certificate and --tls-key")
    if certificate is None and (client_ca is not None or only):
        raise typer.BadParameter("--tls-client-ca and --tls-only need --tls-certificate and --tls-key")
    if certificate is None or key is None:
        return None
    return ServerTls(certificate, key, client_ca, plain_text=not only)


@contextmanager
def shown_logins(log: Log, is_wanted: bool) -> Iterator[None]:
    """Log logins during the block, in the format of the other messages."""
    logger, handler = logging.getLogger("rowstone.audit"), AuditHandler(log)
    if is_wanted:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class AuditHandler(logging.Handler):
    """Logs successful and refused logins in the format of the other messages."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.INFO)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._log("audit", text, {"level": record.levelname, "message": text})


def authentication_of(
    directory: str, methods: list[str] | None, users: str | None, given: dict[str, str | None]
) -> "Authentication | None":
    """Build the authentication from the options; None if there are none."""
    if not methods:
        if users is not None or given["keytab"] is not None or given["principal"] is not None:
            raise typer.BadParameter("--users, --keytab and --principal need --auth")
        return None
    from rowstone.server.security import Authentication, Users

    found = Users(directory) if users is None and Path(directory).is_dir() else users
    if isinstance(found, Users) and not found.path.exists() and "password" not in methods:
        found = None
    # Names of users, not secrets.
    return Authentication(methods=tuple(methods), users=found, **given)  # type: ignore[arg-type]
