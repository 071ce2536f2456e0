"""Opening a cluster of Apache HBase: its options, and what of a directory's it does not take."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from rowstone import _native
from rowstone.errors import InvalidArgument, InvalidType, UnsupportedOperation


class ClusterOptions(TypedDict, total=False):
    """What `rowstone.connect` takes for clusters alone.

    Example:
        >>> options = {"operation_timeout_ms": 30_000, "hosts": {"hbase-1.internal": "127.0.0.1"}}
    """

    user: str | None
    """The user name sent to servers; by default that of the operating system. With ``password`` it is proven; with
    Kerberos the ticket says it, and there is no ``user``."""
    password: str | None
    """The password, or a token, of ``user``: a login by SASL PLAIN, over TLS only. Apache HBase has none of itself."""
    kerberos: bool | None
    """Logs in by Kerberos, with the ticket that ``kinit`` got; also said by ``principal``."""
    principal: str | None
    """Whose ticket is used: ``"ada@EXAMPLE.COM"``."""
    keytab: str | os.PathLike[str] | None
    """A file with the key of ``principal``, by which tickets are gotten without ``kinit``."""
    service_principal: str | None
    """The servers' principal: ``"hbase/_HOST@EXAMPLE.COM"``, with their hosts' names for ``_HOST``; by default
    ``"hbase/_HOST"``."""
    protection: str | None
    """What keeps the bytes after a login by Kerberos, as ``hbase.rpc.protection`` has it: ``"authentication"``,
    ``"integrity"``, ``"privacy"``, or several with commas, what is wanted most first. By default what the server has,
    the strongest first."""
    impersonate: str | None
    """For whom to act, where the servers let this user (``hadoop.proxyuser.NAME.hosts`` and ``.groups``)."""
    operation_timeout_ms: int | None
    """How long an operation may take with all its retries; by default two minutes."""
    rpc_timeout_ms: int | None
    """How long a server may take to answer before it is asked again; by default one minute."""
    connect_timeout_ms: int | None
    """How long an attempt to connect may take; by default ten seconds."""
    compression: str | None
    """How cells are compressed on the wire: ``"gz"``, ``"snappy"`` or ``"lz4"``; by default not at all."""
    tls: "Tls | None"
    """Encrypts connections, as HBase has it since 2.6."""
    hosts: Mapping[str, str] | None
    """Where servers' own names mean nothing here: ``{"name": "address"}`` or ``{"name:port": "address:port"}``."""


@dataclass(frozen=True)
class Tls:
    """Files for TLS, in PEM: what to trust, and who we are where servers ask for that.

    Args:
        ca: Certificates that those of the servers are signed with. A server's must be for its host name.
        certificate, key: Our own, both or none.

    Example:
        >>> tls = Tls("ca.pem")
    """

    ca: str | os.PathLike[str]
    certificate: str | os.PathLike[str] | None = None
    key: str | os.PathLike[str] | None = None


def check_names(options: Mapping[str, Any]) -> None:
    """Refuses options that `rowstone.connect` does not know at all."""
    for name in options:
        if name not in ClusterOptions.__annotations__:
            raise InvalidType(f"connect() got an unexpected keyword argument {name!r}")


def refuse(target: str, kind: str, options: Mapping[str, Any]) -> None:
    """Refuses options that belong to another kind of target."""
    for name, value in options.items():
        if value is not None:
            shown = "..." if name == "password" else repr(value)
            raise UnsupportedOperation(f"cannot open '{target}' with {name}={shown}: {kind} has no such option")


_STRONGEST_FIRST = "privacy,integrity,authentication"


def _credentials(given: dict[str, Any]) -> dict[str, Any]:
    """The options, those about who we are as the native client takes them."""
    names = ("kerberos", "principal", "keytab", "service_principal", "protection")
    own = {name: given.pop(name) for name in names if name in given}
    wants_kerberos = own.pop("kerberos", None)
    if (wants_kerberos is False and own) or ("keytab" in own and "principal" not in own):
        raise InvalidArgument(f"{', '.join(own)}: are for Kerberos, of which a keytab needs principal= too")
    if wants_kerberos or own:
        if "user" in given or "password" in given:
            raise InvalidArgument("with Kerberos the ticket says who we are: leave out user= and password=")
        from rowstone.security._kerberos import Initiator

        protection = own.pop("protection", _STRONGEST_FIRST)
        given["kerberos"] = (Initiator(**own), protection)
    if "password" in given:
        if "user" not in given:
            raise InvalidArgument("password= needs user=")
        given["password"] = (given["user"], given["password"])
    return given


def open_cluster(url: str, options: ClusterOptions) -> _native.Database:
    """The cluster at ``url``."""
    given = _credentials({name: value for name, value in options.items() if value is not None})
    hosts = given.get("hosts")
    if hosts is not None:
        if not isinstance(hosts, Mapping):
            raise InvalidType(f"hosts must be a mapping from name to address, not {type(hosts).__name__}")
        given["hosts"] = dict(hosts)
    tls = given.get("tls")
    if tls is not None:
        if not isinstance(tls, Tls):
            raise InvalidType(f"tls must be a rowstone.Tls, not {type(tls).__name__}")
        if (tls.certificate is None) != (tls.key is None):
            raise InvalidArgument("tls needs certificate and key, or neither")
        given["tls"] = (tls.ca, tls.certificate, tls.key)
    return _native.open_cluster(url, given)
