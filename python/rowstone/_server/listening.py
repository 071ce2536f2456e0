"""A listening socket: how all gateways begin."""

from __future__ import annotations

import os
import socket

from rowstone.errors import InvalidArgument, InvalidType, StorageError

_MOST_PORT = 65_535
_BACKLOG = 512


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an IP address; port 0 is any that is free.

    Raises:
        InvalidType: The port is no number. InvalidArgument: There is no such port.
        StorageError: It is taken, or not ours to have.
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
    """In the words in which the RPC's server says it: Python's own name the address once more."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    why = error.strerror if error.errno is None else f"{os.strerror(error.errno)} (os error {error.errno})"
    failure = StorageError(f"cannot listen on {place}: {why}")
    failure.errno = error.errno
    return failure
