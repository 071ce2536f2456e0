"""TLS of the gateways, whose sockets belong to Python. The RPC server has its own in Rust."""

from __future__ import annotations

import errno
import os
import ssl
from typing import TYPE_CHECKING

from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone.server.listening import ServerTls


def server_context(tls: ServerTls) -> ssl.SSLContext:
    """Return the TLS context of a server. With ``client_ca`` clients need a certificate that it has signed.

    Raises:
        StorageError: A file cannot be read or used.
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
    """The private key needs a password."""


def _no_password() -> str:
    """Called for an encrypted key. Without it OpenSSL would ask on the terminal and wait forever."""
    raise _Encrypted
