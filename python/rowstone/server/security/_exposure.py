"""Requirements for a server that other machines can reach."""

from __future__ import annotations

import ipaddress

from rowstone.errors import InvalidArgument
from rowstone.server.security._authentication import Authentication

_INSECURE = "pass insecure=True (--insecure) to accept that"


def check(host: str, *, has_tls: bool, authentication: Authentication, insecure: bool) -> bool:
    """Check that a server on ``host`` may start; return whether it is reachable from this machine only.

    Any other server must authenticate every client and encrypt: TLS, or Kerberos with privacy.

    Raises:
        InvalidArgument: ``host`` is not an IP address. Or other machines can reach it, a requirement is not met, and
            ``insecure`` is not set.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        raise InvalidArgument(f"host {host!r} is not an IP address to listen on") from None
    if address.is_loopback or insecure:
        return address.is_loopback
    if not authentication.is_proof:
        raise InvalidArgument(
            f"host {host} can be reached from other machines, so any client that reaches the port may read and "
            "write everything: authenticate clients (authentication=, --auth certificate, password or "
            f"kerberos), or {_INSECURE}"
        )
    if not has_tls and not authentication.seals_all:
        raise InvalidArgument(
            f"host {host} can be reached from other machines, and the connections are not encrypted: give tls= "
            f"(--tls-certificate, --tls-key), or {_INSECURE}"
        )
    return False
