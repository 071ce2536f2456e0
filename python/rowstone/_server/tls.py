"""A server's TLS for sockets of Python's own: gateways have such. The RPC's are Rust's."""

from __future__ import annotations

import errno
import os
import ssl
from typing import TYPE_CHECKING

from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone._server.serve import ServerTls


def server_context(tls: ServerTls) -> ssl.SSLContext:
    """What connections are encrypted by; with ``client_ca`` only clients come in whose certificates it has signed.

    Raises:
        StorageError: A file cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(tls.certificate, tls.key, _no_password)
        if tls.client_ca is not None:
            context.load_verify_locations(tls.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
    except _Encrypted:
        text = f"cannot use the files for TLS: the key '{os.fspath(tls.key)}' is encrypted; give one without a password"
        raise StorageError(errno.EINVAL, text) from None
    except OSError as error:
        raise StorageError(error.errno, f"cannot use the files for TLS: {error}") from error
    return context


class _Encrypted(Exception):
    """A key needs a password."""


def _no_password() -> str:
    """Called for a key that is encrypted. Without this OpenSSL would ask on the terminal, and wait for ever."""
    raise _Encrypted
