"""Options for an Apache HBase cluster, and connecting to it. A directory refuses these options."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from rowstone import _native
from rowstone._base.targets import without_secrets
from rowstone.errors import InvalidArgument, InvalidType, UnsupportedOperation


class ClientOptions(TypedDict, total=False):
    """The keys of `ClusterOptions` except ``tls``: those that `rowstone.serve` accepts, whose ``tls`` is its own."""

    user: str | None
    password: str | None
    kerberos: bool | None
    principal: str | None
    keytab: str | os.PathLike[str] | None
    service_principal: str | None
    protection: str | None
    impersonate: str | None
    operation_timeout_ms: int | None
    rpc_timeout_ms: int | None
    connect_timeout_ms: int | None
    compression: Literal["gz", "snappy", "lz4"] | None
    hosts: Mapping[str, str] | None


class ClusterOptions(ClientOptions, total=False):
    """Options of `rowstone.connect` that apply to clusters only.

    Attributes:
        user: User name sent to servers; by default the operating system's. With ``password`` the servers verify it. Do
            not pass it with Kerberos: the ticket names the user.
        password: Password or token of ``user``, sent by SASL PLAIN over TLS only. Apache HBase itself does not support
            this.
        kerberos: Log in by Kerberos with the ticket from ``kinit``. Giving ``principal`` also enables Kerberos.
        principal: Kerberos principal to log in as: ``"ada@EXAMPLE.COM"``.
        keytab: Keytab file with the key of ``principal``, to obtain tickets without ``kinit``.
        service_principal: Principal of the servers: ``"hbase/_HOST@EXAMPLE.COM"``, where ``_HOST`` stands for each
            server's host name; by default ``"hbase/_HOST"``.
        protection: Quality of protection after a Kerberos login, as in ``hbase.rpc.protection``: ``"authentication"``,
            ``"integrity"``, ``"privacy"``, or several separated by commas, the preferred one first. By default the
            strongest that the server offers.
        impersonate: User to act as, if the servers allow it (``hadoop.proxyuser.NAME.hosts`` and ``.groups``).
        operation_timeout_ms: Limit of an operation with all its retries, in milliseconds; by default two minutes.
        rpc_timeout_ms: Wait for one answer of a server before the call is retried, in milliseconds; by default one
            minute.
        connect_timeout_ms: Limit of an attempt to connect, in milliseconds; by default ten seconds.
        compression: Compression of cells on the wire: ``"gz"``, ``"snappy"`` or ``"lz4"``; by default none.
        tls: Encrypts connections with TLS, which HBase supports since 2.6.
        hosts: Addresses for server names that do not resolve here: ``{"name": "address"}`` or
            ``{"name:port": "address:port"}``.

    Example:
        >>> options = {"operation_timeout_ms": 30_000, "hosts": {"hbase-1.internal": "127.0.0.1"}}
    """

    tls: "Tls | None"


@dataclass(frozen=True)
class Tls:
    """PEM files for TLS: the trusted certificates, and a client certificate for servers that require one.

    Args:
        ca: Certificates of the authorities that signed the servers' certificates. A server's certificate must be valid
            for its host name.
        certificate, key: The client's certificate and its key; give both or neither.

    Example:
        >>> tls = Tls("ca.pem")
    """

    ca: str | os.PathLike[str]
    certificate: str | os.PathLike[str] | None = None
    key: str | os.PathLike[str] | None = None


def refuse(target: str, kind: str, options: Mapping[str, Any]) -> None:
    """Refuse options that belong to another kind of target."""
    for name, value in options.items():
        if value is not None:
            shown = "..." if name in ("password", "storage_options") else repr(value)
            raise UnsupportedOperation(
                f"cannot open '{without_secrets(target)}' with {name}={shown}: {kind} has no such option"
            )


_STRONGEST_FIRST = "privacy,integrity,authentication"


def _credentials(given: dict[str, Any]) -> dict[str, Any]:
    """Convert the options about the client's identity to the form that the native client expects."""
    names = ("kerberos", "principal", "keytab", "service_principal", "protection")
    own = {name: given.pop(name) for name in names if name in given}
    wants_kerberos = own.pop("kerberos", None)
    if (wants_kerberos is False and own) or ("keytab" in own and "principal" not in own):
        raise InvalidArgument(f"{', '.join(own)}: only for Kerberos, and keytab= needs principal=")
    if wants_kerberos or own:
        if "user" in given or "password" in given:
            raise InvalidArgument("with Kerberos the ticket names the user: leave out user= and password=")
        from rowstone._core.kerberos import Initiator

        protection = own.pop("protection", _STRONGEST_FIRST)
        given["kerberos"] = (Initiator(**own), protection)
    if "password" in given:
        if "user" not in given:
            raise InvalidArgument("password= needs user=")
        given["password"] = (given["user"], given["password"])
    return given


def open_cluster(url: str, options: ClusterOptions) -> _native.Database:
    """Connect to the cluster at ``url``."""
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
