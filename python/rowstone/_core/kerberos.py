"""Kerberos sessions through the package ``gssapi``: logins, and message protection if the connection uses it.

Source of the names: Hadoop's ``SecurityUtil`` (``_HOST``), HBase's ``GssSaslClientAuthenticationProvider``.
"""

from __future__ import annotations

import importlib
import ipaddress
import os
import socket
import uuid
from typing import Any

from rowstone.errors import AccessDenied, InvalidArgument, UnsupportedOperation

DEFAULT_SERVICE = "hbase/_HOST"


def _library() -> Any:
    try:
        # ``gssapi`` may not be installed, so that type checkers have no stubs of it.
        return importlib.import_module("gssapi")
    except ImportError as error:
        raise UnsupportedOperation(
            f"Kerberos needs the package gssapi: pip install 'rowstone[kerberos]' ({error})"
        ) from None


def _words(error: Any) -> str:
    """The library's error in one line: the Kerberos message if there is one, else that of GSS-API."""
    own = error.get_all_statuses(error.min_code, False) if error.min_code else []
    texts = [text for text in own if text not in ("Success", "Unknown error")]
    return " ".join(". ".join(texts or error.get_all_statuses(error.maj_code, True)).split())


class Conversation:
    """One side of a login and of the protected connection after it, called by the native server and client."""

    def __init__(self, context: Any) -> None:
        self._gssapi = _library()
        # Raise at the failed step, not with the next token.
        context.__DEFER_STEP_ERRORS__ = False
        self._context = context

    def _failed(self, error: Exception) -> AccessDenied:
        words = _words(error)
        is_unknown = "not found in Kerberos database" in words
        hint = "; the server has another name than that: give service_principal=" if is_unknown else ""
        return AccessDenied(f"Kerberos: {words}{hint}")

    def step(self, token: bytes) -> bytes:
        """The token to send in reply to ``token``."""
        try:
            return self._context.step(token or None) or b""
        except self._gssapi.exceptions.GSSError as error:
            raise self._failed(error) from None

    def is_complete(self) -> bool:
        """Whether both sides are authenticated."""
        if not self._context.complete:
            return False
        flags, wanted = self._context.actual_flags, self._gssapi.RequirementFlag
        if wanted.mutual_authentication not in flags or wanted.integrity not in flags:
            raise AccessDenied("Kerberos: the server did not authenticate itself (mutual authentication failed)")
        return True

    def peer(self) -> str:
        """The principal of the other side."""
        mine = self._context.locally_initiated
        return str(self._context.target_name if mine else self._context.initiator_name)

    def seal(self, data: bytes, encrypts: bool) -> bytes:
        """Protect ``data`` against changes, and encrypt it if ``encrypts`` is set."""
        try:
            sealed = self._context.wrap(data, encrypts)
        except self._gssapi.exceptions.GSSError as error:
            raise self._failed(error) from None
        if encrypts and not sealed.encrypted:
            raise AccessDenied("Kerberos: nothing can be encrypted with this login")
        return bytes(sealed.message)

    def open(self, token: bytes) -> tuple[bytes, bool]:
        """Unwrap ``token``; return its data and whether it was encrypted. Replayed or reordered tokens are refused."""
        try:
            opened = self._context.unwrap(token)
        except self._gssapi.exceptions.GSSError as error:
            raise self._failed(error) from None
        return bytes(opened.message), bool(opened.encrypted)


class Acceptor:
    """A server with its key."""

    def __init__(self, principal: str, keytab: str) -> None:
        self._gssapi = _library()
        if "@" not in principal:
            raise InvalidArgument(f"principal {principal!r} names no realm: write hbase/host.example.com@EXAMPLE.COM")
        self.principal = principal
        self._keytab = keytab
        self._credentials()

    def _credentials(self) -> Any:
        if not os.access(self._keytab, os.R_OK):
            raise InvalidArgument(f"the keytab '{self._keytab}' cannot be read")
        name = self._gssapi.Name(self.principal, self._gssapi.NameType.kerberos_principal)
        try:
            # Kerberos only, not SPNEGO, which would negotiate another mechanism.
            mechanisms = [self._gssapi.MechType.kerberos]
            store = {"keytab": f"FILE:{self._keytab}"}
            return self._gssapi.Credentials(name=name, mechs=mechanisms, usage="accept", store=store)
        except self._gssapi.exceptions.GSSError as error:
            raise InvalidArgument(
                f"the keytab '{self._keytab}' has no key of {self.principal}: {_words(error)}"
            ) from None

    def accept(self) -> Conversation:
        """Start a session for an incoming login. Reads the keytab each time: keys change while servers run."""
        context = self._gssapi.SecurityContext(creds=self._credentials(), usage="accept")
        return Conversation(context)


class Initiator:
    """A client with a ticket: from the cache that ``kinit`` fills (``KRB5CCNAME``), or obtained with a key.

    Args:
        principal: The client's principal; by default that of the cache. Required with a keytab.
        keytab: The client's keytab file.
        service_principal: The server's name, ``"hbase/_HOST"`` or ``"hbase/_HOST@EXAMPLE.COM"``, in which ``_HOST``
            stands for the server's host name.
    """

    def __init__(
        self,
        principal: str | None = None,
        keytab: str | os.PathLike[str] | None = None,
        service_principal: str | None = None,
    ) -> None:
        self._gssapi = _library()
        if keytab is not None and principal is None:
            raise InvalidArgument("a keytab needs principal=: the name whose key is in it")
        if keytab is not None and not os.access(keytab, os.R_OK):
            raise InvalidArgument(f"the keytab '{os.fspath(keytab)}' cannot be read")
        self._name = self._principal(principal) if principal is not None else None
        self._keytab = None if keytab is None else os.fspath(keytab)
        self._cache = f"MEMORY:rowstone-{uuid.uuid4().hex}"
        self._service = service_principal or DEFAULT_SERVICE

    def _principal(self, text: str) -> Any:
        return self._gssapi.Name(text, self._gssapi.NameType.kerberos_principal)

    def initiate(self, host: str) -> Conversation:
        """Start a session with the server on ``host``."""
        service = self._service.replace("_HOST", canonical(host)) if "_HOST" in self._service else self._service
        flag = self._gssapi.RequirementFlag
        flags = [flag.mutual_authentication, flag.replay_detection, flag.out_of_sequence_detection]
        context = self._gssapi.SecurityContext(
            name=self._principal(service),
            creds=self._credentials(),
            flags=[*flags, flag.integrity, flag.confidentiality],
            mech=self._gssapi.MechType.kerberos,
            usage="initiate",
        )
        return Conversation(context)

    def _credentials(self) -> Any:
        store = None
        if self._keytab is not None:
            store = {"client_keytab": f"FILE:{self._keytab}", "ccache": self._cache}
        hint = "run kinit, or give principal= and keytab=" if store is None else f"is its key in '{self._keytab}'?"
        try:
            mechanisms = [self._gssapi.MechType.kerberos]
            credentials = self._gssapi.Credentials(name=self._name, mechs=mechanisms, usage="initiate", store=store)
            # Reads the cache. Servers accept an expired ticket for some minutes; the client should hear of it now.
            left_seconds = credentials.lifetime
        except self._gssapi.exceptions.ExpiredCredentialsError:
            left_seconds = 0
        except self._gssapi.exceptions.GSSError as error:
            raise AccessDenied(f"Kerberos: no ticket: {_words(error)}; {hint}") from None
        if left_seconds == 0:
            raise AccessDenied(f"Kerberos: the ticket has expired; {hint}")
        return credentials


def canonical(host: str) -> str:
    """The host name as used in principals: for an address its name, in lower case."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host.lower()
    try:
        return socket.gethostbyaddr(host)[0].lower()
    except OSError:
        return host
