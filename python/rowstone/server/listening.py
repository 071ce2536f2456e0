"""Listening sockets of servers: addresses that may be used, TLS files, sockets of the gateways."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowstone.errors import InvalidArgument, InvalidType, StorageError

if TYPE_CHECKING:
    import socket

_MOST_PORT = 65_535
_BACKLOG = 512
_OWN_FILES = 128
"""Files that a server needs for itself: logs, listening sockets, modules that it imports."""
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class ServerTls:
    """PEM files for a server's TLS, which HBase supports since 2.6.

    Args:
        certificate: The server's certificate, valid for the host names that clients use, and its certificate chain.
        key: Its key, without a password.
        client_ca: Authorities that must have signed clients' certificates. Without it no certificate is requested.
        plain_text: Also accept clients without TLS on the same port, as HBase can. A server that other machines reach
            refuses them in any case, unless it is ``insecure``.

    Example:
        >>> tls = ServerTls("server.pem", "server-key.pem", plain_text=False)
    """

    certificate: str | os.PathLike[str]
    key: str | os.PathLike[str]
    client_ca: str | os.PathLike[str] | None = None
    plain_text: bool = True

    def _files(self) -> tuple[Any, ...]:
        """As the binding takes them."""
        return self.certificate, self.key, self.client_ca, self.plain_text


def check_host(host: str, insecure: bool) -> None:
    """Raise `InvalidArgument` unless ``host`` is a loopback address, or ``insecure`` is set."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise InvalidArgument(f"host {host!r} is not an IP address to listen on") from None
    if not address.is_loopback and not insecure:
        raise InvalidArgument(
            f"host {host} can be reached from other machines, so any client that reaches the port may read and "
            "write everything: pass insecure=True (--insecure) to accept that"
        )


def connection_limit(most: int, part: int) -> int:
    """Return ``most``, or less if the process may open few files: those beyond `_OWN_FILES`, divided by ``part``.

    Idle connections then leave files for the database: without them it could neither read nor flush.
    """
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if files == resource.RLIM_INFINITY else max(1, min(most, (files - _OWN_FILES) // part))


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an IP address. Port 0 chooses a free port.

    Raises:
        InvalidType: The port is not a number.
        InvalidArgument: It is outside 0 to 65,535.
        StorageError: It is in use, or this process may not open it.
    """
    if not isinstance(port, int):
        raise InvalidType(f"port must be an int, not {type(port).__name__}")
    if not 0 <= port <= _MOST_PORT:
        raise InvalidArgument(f"port {port} is outside 0 to {_MOST_PORT}")
    import socket  # imported late: a server without gateways needs none

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise _failed(host, port, error) from error


def _failed(host: str, port: int, error: OSError) -> StorageError:
    """Return the error with the RPC server's wording. Python's own message repeats the address."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    why = error.strerror if error.errno is None else f"{os.strerror(error.errno)} (os error {error.errno})"
    failure = StorageError(f"cannot listen on {place}: {why}")
    failure.errno = error.errno
    return failure
