"""What ``rowstone serve`` is told of authentication, and how it shows who logs in."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli._serving import Log

if TYPE_CHECKING:
    from rowstone import ServerTls
    from rowstone.security import Authentication


TlsCertificate = Annotated[
    str | None, typer.Option(help="The server's certificate, a PEM file: clients may come by TLS.")
]
TlsKey = Annotated[str | None, typer.Option(help="Its key, a PEM file.")]
TlsClientCa = Annotated[
    str | None, typer.Option(help="Certificates that those of clients must be signed with, a PEM file.")
]
TlsOnly = Annotated[bool, typer.Option("--tls-only", help="Refuse clients that come in plain text.")]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--auth",
        help="How clients say who they are: simple, certificate, password, kerberos; may be given repeatedly.",
    ),
]
UsersFile = Annotated[
    str | None, typer.Option(help="The users file; by default users.toml in DIR. `rowstone user` makes it.")
]
Keytab = Annotated[str | None, typer.Option(help="The file with the server's key, for Kerberos.")]
Principal = Annotated[str | None, typer.Option(help="Whose key it is: hbase/host.example.com@EXAMPLE.COM.")]
Protection = Annotated[
    str, typer.Option(help="After a login by Kerberos: authentication, integrity or privacy; or several with commas.")
]
CertificateName = Annotated[
    str, typer.Option(help="The attribute of a client certificate's subject that is the user's name.")
]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-host",
        help="Name by which requests over HTTP may call a server on loopback, where nobody has to say who he is, "
        "beside localhost and --advertised; may be repeated.",
        metavar="NAME",
    ),
]


def tls_of(certificate: str | None, key: str | None, client_ca: str | None, only: bool) -> "ServerTls | None":
    """What the options say; nothing where they say nothing."""
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
    """Writes down logins meanwhile, as the other messages are written."""
    logger, handler = logging.getLogger("rowstone.audit"), AuditHandler(log)
    if is_wanted:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class AuditHandler(logging.Handler):
    """Writes down who logs in, and who is refused, as the other messages are written."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.INFO)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._log("audit", text, {"level": record.levelname, "message": text})


def authentication_of(
    directory: str, methods: list[str] | None, users: str | None, given: dict[str, str | None]
) -> "Authentication | None":
    """What the options say; nothing where they say nothing."""
    if not methods:
        if users is not None or given["keytab"] is not None or given["principal"] is not None:
            raise typer.BadParameter("--users, --keytab and --principal need --auth")
        return None
    from rowstone.security import Authentication, Users

    found = Users(directory) if users is None and Path(directory).is_dir() else users
    if isinstance(found, Users) and not found.path.exists() and "password" not in methods:
        found = None
    # Names of users, not secrets.
    return Authentication(methods=tuple(methods), users=found, **given)  # type: ignore[arg-type]
