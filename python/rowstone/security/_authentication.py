"""How the clients of a server are known."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone.errors import InvalidArgument, InvalidType
from rowstone.security._authority import Authority
from rowstone.security._gateway_users import GatewayUsers, gateway_users
from rowstone.security._proxies import proxies_of
from rowstone.security._users import Users

METHODS = ("simple", "certificate", "password", "kerberos")


@dataclass(frozen=True)
class Authentication:
    """Which ways a server's clients have to say who they are. What is not named is refused.

    Args:
        methods: Some of ``"simple"`` (a client says who it is and is believed, as HBase does without security),
            ``"certificate"`` (by a certificate that ``client_ca`` of the server's TLS stands for), ``"password"``
            (SASL PLAIN, over TLS only), ``"kerberos"`` (SASL GSSAPI). A text is one of them, or several with commas.
        users: The users file, for passwords, groups and proxies: a path, a database's directory, or `Users`.
        keytab: The file with the server's key, for Kerberos.
        principal: Whose key it is: ``"hbase/host.example.com@EXAMPLE.COM"``. Clients of HBase know servers by such
            names. Who has a principal of the same realm is the user whose name is its first part.
        protection: What keeps the bytes after a login by Kerberos, as ``hbase.rpc.protection`` has it:
            ``"authentication"`` (nothing), ``"integrity"``, ``"privacy"``; or several with commas, of which the
            client takes one.
        certificate_name: The attribute of a certificate's subject that is the user's name: ``"CN"``, ``"UID"``, ….
        proxies: Who may act for others, beside those in the users file, under Hadoop's names:
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
                raise InvalidArgument(f"authentication {method!r} is unknown; there is: {', '.join(METHODS)}")
        if not methods:
            raise InvalidArgument(f"authentication by nothing lets nobody in; there is: {', '.join(METHODS)}")
        object.__setattr__(self, "methods", methods)
        if "password" in methods and self.users is None:
            raise InvalidArgument("passwords need the users file that has them: users= (--users)")
        if "kerberos" in methods and (self.keytab is None or self.principal is None):
            raise InvalidArgument(
                "Kerberos needs the server's key and its name: keytab= and principal= (--keytab, --principal)"
            )
        if self.users is not None and not isinstance(self.users, (str, os.PathLike, Users)):
            raise InvalidType(f"users must be a path or rowstone.security.Users, not {type(self.users).__name__}")

    @property
    def is_proof(self) -> bool:
        """Whether every client has to prove who it is."""
        return "simple" not in self.methods

    @property
    def seals_all(self) -> bool:
        """Whether what every client sends is encrypted by its login."""
        return self.methods == ("kerberos",) and self.protection.strip() in ("privacy", "auth-conf")

    def for_gateways(self) -> GatewayUsers | None:
        """What gateways tell users by: names and passwords, or tokens, of the users file. None where nobody has to say.

        Without a users file nobody gets in by a gateway where clients have to prove who they are.
        """
        if not self.is_proof:
            return None
        return gateway_users(self._known_users())

    def authority(self) -> Authority:
        """Who knows passwords, groups and proxies.

        Raises:
            InvalidArgument: ``proxies`` has another setting.
        """
        return Authority(self._known_users(), proxies_of(self.proxies))

    def _known_users(self) -> Users | None:
        return Users(self.users) if isinstance(self.users, (str, os.PathLike)) else self.users

    def for_server(self) -> tuple[Any, ...]:
        """What the native server takes.

        Raises:
            InvalidArgument: The users file or the keytab cannot be used.
        """
        users = self._known_users()
        if users is not None:
            users.names()
        acceptor = None
        if "kerberos" in self.methods:
            from rowstone.security._kerberos import Acceptor

            acceptor = Acceptor(str(self.principal), os.fspath(self.keytab or ""))
        return (list(self.methods), self.certificate_name, self.protection, self.authority(), acceptor)
