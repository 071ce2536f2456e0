"""Authentication settings of a server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone.errors import InvalidArgument, InvalidType
from rowstone.server.security._authority import Authority
from rowstone.server.security._proxies import proxies_of
from rowstone.server.security._users import GatewayUsers, Users, gateway_users

METHODS = ("simple", "certificate", "password", "kerberos")


@dataclass(frozen=True)
class Authentication:
    """Authentication methods that a server accepts. Methods that are not listed are refused.

    Args:
        methods: One or more methods; a string separates several by commas. ``"simple"`` trusts the client's name,
            as HBase does without security. ``"certificate"`` takes a client certificate signed by ``client_ca`` of the
            server's TLS. ``"password"`` is SASL PLAIN, over TLS only. ``"kerberos"`` is SASL GSSAPI.
        users: The users file, for passwords, groups and proxies: a path, a database's directory, or `Users`.
        keytab: The server's keytab file, for Kerberos.
        principal: The server's principal: ``"hbase/host.example.com@EXAMPLE.COM"``. HBase clients expect such
            names. For a client principal of the same realm, the user name is its first part.
        protection: Protection of the connection after a Kerberos login, as in ``hbase.rpc.protection``:
            ``"authentication"`` (none), ``"integrity"``, ``"privacy"``; or several with commas, from which the
            client chooses one.
        certificate_name: The subject attribute of a certificate that holds the user's name: ``"CN"``, ``"UID"``, ….
        proxies: Users allowed to impersonate others, in addition to those in the users file, as Hadoop settings:
            ``{"hadoop.proxyuser.gate.hosts": "10.0.0.7", "hadoop.proxyuser.gate.groups": "*"}``.

    Example:
        >>> authentication = Authentication("certificate")
        >>> authentication.methods
        ('certificate',)
    """

    methods: str | tuple[str, ...] = ("simple",)
    users: str | os.PathLike[str] | Users | None = None
    keytab: str | os.PathLike[str] | None = None
    principal: str | None = None
    protection: str = "authentication"
    certificate_name: str = "CN"
    proxies: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        methods = self.methods.split(",") if isinstance(self.methods, str) else self.methods
        methods = tuple(method.strip() for method in methods)
        for method in methods:
            if method not in METHODS:
                raise InvalidArgument(f"authentication {method!r} is unknown; choose from: {', '.join(METHODS)}")
        if not methods:
            raise InvalidArgument(
                f"no authentication method is given, so no client could log in; choose from: {', '.join(METHODS)}"
            )
        object.__setattr__(self, "methods", methods)
        if "password" in methods and self.users is None:
            raise InvalidArgument("password authentication needs a users file: pass users= (--users)")
        if "kerberos" in methods and (self.keytab is None or self.principal is None):
            raise InvalidArgument(
                "Kerberos needs the server's key and its name: keytab= and principal= (--keytab, --principal)"
            )
        if self.users is not None and not isinstance(self.users, (str, os.PathLike, Users)):
            raise InvalidType(
                f"users must be a path or rowstone.server.security.Users, not {type(self.users).__name__}"
            )

    @property
    def is_proof(self) -> bool:
        """Whether every client has to prove its identity."""
        return "simple" not in self.methods

    @property
    def seals_all(self) -> bool:
        """Whether every login also encrypts the connection."""
        return self.methods == ("kerberos",) and self.protection.strip() in ("privacy", "auth-conf")

    def for_gateways(self) -> GatewayUsers | None:
        """Authenticate gateway requests by passwords or tokens of the users file. None if no authentication is needed.

        If clients must prove their identity and there is no users file, gateways refuse every request.
        """
        if not self.is_proof:
            return None
        return gateway_users(self._known_users())

    def authority(self) -> Authority:
        """The source of passwords, groups and proxies.

        Raises:
            InvalidArgument: ``proxies`` contains an unknown setting.
        """
        return Authority(self._known_users(), proxies_of(self.proxies))

    def _known_users(self) -> Users | None:
        return Users(self.users) if isinstance(self.users, (str, os.PathLike)) else self.users

    def for_server(self) -> tuple[Any, ...]:
        """The settings in the form that the native server takes.

        Raises:
            InvalidArgument: The users file or the keytab cannot be used.
        """
        users = self._known_users()
        if users is not None:
            users.names()
        acceptor = None
        if "kerberos" in self.methods:
            from rowstone._core.kerberos import Acceptor

            acceptor = Acceptor(str(self.principal), os.fspath(self.keytab or ""))
        return (list(self.methods), self.certificate_name, self.protection, self.authority(), acceptor)
