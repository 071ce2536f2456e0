"""Ending the ZooKeeper session of another process, as its expiry would.

A connection that names the session and its password takes it over, and closes it. The owner of the session then learns
that it has expired. ZooKeeper derives the password from the session's number.

Sources: `ZooKeeperServer.generatePasswd`, `HBaseTestingUtility.expireSession`, `java.util.Random`.
"""

from __future__ import annotations

import socket
import struct

_SECRET = 0xB3415C00
_MULTIPLIER, _INCREMENT, _MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1
_TIMEOUT_MS = 4000
_CLOSE_SESSION = -11


def password_of(session: int) -> bytes:
    """The password of a session: 16 bytes of Java's random numbers."""
    seed = (session ^ _SECRET ^ _MULTIPLIER) & _MASK
    password = b""
    for _ in range(4):
        seed = (seed * _MULTIPLIER + _INCREMENT) & _MASK
        password += (seed >> 16).to_bytes(4, "little")
    return password


def end_session(port: int, session: int) -> None:
    """End a session of the ZooKeeper on this port.

    Raises:
        ValueError: ZooKeeper does not know the session.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        # Protocol version, last change seen, timeout, session, password with its length, not read-only.
        request = struct.pack(">iqiqi16s?", 0, 0, _TIMEOUT_MS, session, 16, password_of(session), False)
        answer = _exchange(connection, request)
        if struct.unpack_from(">q", answer, 8)[0] != session:
            raise ValueError(f"ZooKeeper does not know session {session:#x}")
        _exchange(connection, struct.pack(">ii", 1, _CLOSE_SESSION))


def _exchange(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(struct.pack(">i", len(request)) + request)
    with connection.makefile("rb") as answers:
        (length,) = struct.unpack(">i", answers.read(4))
        return answers.read(length)
