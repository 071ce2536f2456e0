"""Listening sockets of the gateways."""

from __future__ import annotations

import os
import socket

from rowstone.errors import InvalidArgument, InvalidType, StorageError

_MOST_PORT = 65_535
_BACKLOG = 512


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
