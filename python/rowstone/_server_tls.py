"""A server's TLS for sockets of Python's own: gateways have such. The RPC's are Rust's."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING

from rowstone.errors import StorageError

if TYPE_CHECKING:
    from rowstone._serve import ServerTls


def server_context(tls: ServerTls) -> ssl.SSLContext:
    """What connections are encrypted by; with ``client_ca`` only clients come in whose certificates it has signed.

    Raises:
        StorageError: A file cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(tls.certificate, tls.key)
        if tls.client_ca is not None:
            context.load_verify_locations(tls.client_ca)
            context.verify_mode = ssl.CERT_REQUIRED
    except OSError as error:
        raise StorageError(error.errno, f"cannot use the files for TLS: {error}") from error
    return context
