"""The users of a server: one file, which ``rowstone user`` changes while servers read it."""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from rowstone._base.printable import printable_text
from rowstone.errors import InvalidArgument, RetryError
from rowstone.server.security import _file, _passwords, _tokens
from rowstone.server.security._file import Content, User
from rowstone.server.security._proxies import Proxy

FILE_NAME = "users.toml"
SUPERUSERS = "superusers"
"""The group of the users file's superusers: ``hbase.superuser = "@superusers"``."""
SUFFIX = ".toml"
_log = logging.getLogger("rowstone")
_MOST_RECENT = 1024
_MOST_WAITING = 8
"""Requests of gateways whose passwords are checked at once. Each takes one of the gateway's threads."""


class Request(Protocol):
    """The part of a gateway request that authentication needs: its headers, by lower-case name."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""


class Users:
    """The users in a file. Changes to the file take effect with the next call.

    Args:
        place: The file, or a database directory that contains ``users.toml``.

    Raises:
        InvalidArgument: From every call, if the file is missing or invalid. `add` creates a missing file.

    Example:
        >>> import rowstone as rs, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     users = rs.server.security.Users(folder)
        ...     users.add("ada", password="correct horse", groups=["ops"])
        ...     users.check_password("ada", "correct horse"), users.check_password("ada", "guess")
        ('ada', None)
    """

    def __init__(self, place: str | os.PathLike[str]) -> None:
        path = Path(place)
        self.path = path / FILE_NAME if path.is_dir() else path
        """The file."""
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._content = Content()
        self._key = secrets.token_bytes(32)
        self._recent: dict[bytes, str] = {}
        self._waiting = threading.BoundedSemaphore(_MOST_WAITING)

    # Called by servers.

    def authenticate(self, request: Request) -> str | None:
        """The user whose credentials the header ``Authorization`` carries (``Basic`` or ``Bearer``), or ``None``.

        Pass it to a gateway as ``authenticate``.

        Raises:
            RetryError: Too many passwords are being checked, or the file cannot be used. The log has the reason, which
                is not for clients.
        """
        try:
            return self._authenticate(request)
        except InvalidArgument as error:
            _log.error("users cannot be authenticated: %s", printable_text(str(error)))
            raise RetryError("users cannot be authenticated now; the log of the server has the reason") from None

    def _authenticate(self, request: Request) -> str | None:
        scheme, _, rest = request.headers.get("authorization", "").strip().partition(" ")
        match scheme.lower():
            case "bearer":
                return self.check_token(rest.strip())
            case "basic":
                return self._check_basic(rest.strip())
        return None

    def check_password(self, user: str, password: str) -> str | None:
        """The user's name if the password, or a token in its place, is right; else ``None``."""
        if self.recall_password(user, password) is not None:
            return user
        if password.startswith(_tokens.PREFIX):
            # No token of the user. Without the user, too, there is nothing to hash: the time must not tell names.
            return None
        known = self._read().users.get(user)
        kept = None if known is None else known.password
        if not _passwords.matches(password, kept) or kept is None:
            return None
        self._remember(user, password, kept)
        return user

    def recall_password(self, user: str, password: str) -> str | None:
        """The user's name if the password was verified recently, or is a token of the user. Takes no hash, so that such
        a login does not wait for checks of other passwords; ``None`` means that only `check_password` can tell."""
        known = self._read().users.get(user)
        if known is None:
            return None
        if password.startswith(_tokens.PREFIX):
            return user if any(_tokens.matches(password, kept) for kept in known.tokens.values()) else None
        return user if known.password is not None and self._was_right(user, password, known.password) else None

    def check_token(self, token: str) -> str | None:
        """The name of the user with this token, or ``None``."""
        found = None
        for name, user in self._read().users.items():
            for kept in user.tokens.values():
                found = name if _tokens.matches(token, kept) else found
        return found

    def may_impersonate(self, real: str, effective: str, address: str) -> bool:
        """Whether ``real`` may impersonate ``effective`` from ``address``."""
        content = self._read()
        proxy = content.proxies.get(real)
        known = content.users.get(effective, User())
        return proxy is not None and proxy.allows(effective, known.groups, address)

    def names(self) -> list[str]:
        """The names of all users."""
        return sorted(self._read().users)

    def groups_of(self, name: str) -> list[str]:
        """The groups of a user; empty if the user is unknown."""
        return list(self._read().users.get(name, User()).groups)

    def member_of(self, name: str) -> list[str]:
        """The groups used for access control: those of the user, and ``superusers`` for a superuser.

        Pass it to a gateway as ``groups_of``.
        """
        content = self._read()
        groups = content.users.get(name, User()).groups
        return [*groups, *([SUPERUSERS] if name in content.superusers else [])]

    @property
    def superusers(self) -> list[str]:
        """The members of the group ``superusers``, which ``hbase.superuser`` may name."""
        return list(self._read().superusers)

    # Called by `rowstone user`.

    def add(
        self, name: str, *, password: str | None = None, groups: Iterable[str] = (), superuser: bool = False
    ) -> None:
        """Add a user. Without a password, the user can still have tokens, or a certificate or ticket of that name.

        Raises:
            InvalidArgument: The user exists, or the name or password is invalid.
        """
        if not _file.NAME.fullmatch(name):
            raise InvalidArgument(f"{name!r} is no user name: letters, digits and ._- (up to 128)")
        kept = None if password is None else _passwords.hash_password(password)

        def added(content: Content) -> Content:
            if name in content.users:
                raise InvalidArgument(f"there is a user {name} already")
            content = content.with_user(name, User(kept, tuple(groups)))
            superusers = (*content.superusers, name) if superuser else content.superusers
            return replace(content, superusers=superusers)

        self._change(added, makes=True)

    def remove(self, name: str) -> None:
        """Remove a user with their superuser and proxy entries. Open connections stay.

        Raises:
            InvalidArgument: There is no such user.
        """
        self._change(lambda content: (_find_user(content, name), content.without(name))[1])

    def set_password(self, name: str, password: str) -> None:
        """Set a user's password."""
        kept = _passwords.hash_password(password)
        self._change(lambda content: content.with_user(name, replace(_find_user(content, name), password=kept)))

    def new_token(self, name: str, label: str = "default") -> str:
        """Create a token for a user; it is shown only this once. It replaces an earlier token of the same label."""
        token = _tokens.new_token()
        kept = _tokens.hash_token(token)

        def added(content: Content) -> Content:
            user = _find_user(content, name)
            return content.with_user(name, replace(user, tokens={**user.tokens, label: kept}))

        self._change(added)
        return token

    def remove_token(self, name: str, label: str = "default") -> None:
        """Revoke a token.

        Raises:
            InvalidArgument: The user does not exist or has no such token.
        """

        def removed(content: Content) -> Content:
            user = _find_user(content, name)
            if label not in user.tokens:
                raise InvalidArgument(f"user {name} has no token {label!r}")
            tokens = {other: kept for other, kept in user.tokens.items() if other != label}
            return content.with_user(name, replace(user, tokens=tokens))

        self._change(removed)

    def set_proxy(
        self, name: str, *, users: Iterable[str] = (), groups: Iterable[str] = (), hosts: Iterable[str] = ("*",)
    ) -> None:
        """Allow a user to impersonate these users, or members of these groups, from these hosts; ``"*"`` means all."""

        def changed(content: Content) -> Content:
            _find_user(content, name)
            proxy = Proxy(tuple(users), tuple(groups), tuple(hosts))
            return replace(content, proxies={**content.proxies, name: proxy})

        self._change(changed)

    # Internals.

    def _check_basic(self, text: str) -> str | None:
        try:
            user, colon, password = base64.b64decode(text, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        if not colon:
            return None
        recalled = self.recall_password(user, password)
        if recalled is not None:
            return recalled
        if not self._waiting.acquire(blocking=False):
            raise RetryError("too many passwords are being checked; try again in some seconds")
        try:
            return self.check_password(user, password)
        finally:
            self._waiting.release()

    def _read(self) -> Content:
        with self._lock:
            try:
                state = self.path.stat()
            except FileNotFoundError:
                raise InvalidArgument(f"there is no users file '{self.path}': `rowstone user add` creates it") from None
            except OSError as error:
                raise InvalidArgument(f"cannot read the users file '{self.path}': {error.strerror}") from None
            seen = (state.st_mtime_ns, state.st_size, state.st_ino)
            if seen != self._seen:
                self._content = _file.read(self.path)
                self._seen = seen
                self._recent.clear()
            return self._content

    def _change(self, change: Callable[[Content], Content], *, makes: bool = False) -> None:
        with _alone(self.path):
            if makes and not self.path.exists() and self.path.suffix != SUFFIX:
                raise InvalidArgument(f"'{self.path}' is no directory, and a new users file's name ends with {SUFFIX}")
            content = Content() if makes and not self.path.exists() else _file.read(self.path)
            _file.write(self.path, change(content))

    def _name_of(self, user: str, password: str) -> bytes:
        return hmac.digest(self._key, f"{user}\0{password}".encode(errors="surrogatepass"), hashlib.sha256)

    def _was_right(self, user: str, password: str, kept: str) -> bool:
        """Whether this password was verified recently: gateways send one with every request."""
        with self._lock:
            found = self._recent.get(self._name_of(user, password), "")
        return hmac.compare_digest(found, kept)

    def _remember(self, user: str, password: str, kept: str) -> None:
        with self._lock:
            if len(self._recent) >= _MOST_RECENT:
                self._recent.clear()
            self._recent[self._name_of(user, password)] = kept


def _find_user(content: Content, name: str) -> User:
    if name not in content.users:
        raise InvalidArgument(f"there is no user {name}")
    return content.users[name]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock the file against concurrent changes."""
    try:
        descriptor = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise InvalidArgument(f"cannot keep users in '{path}': {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@dataclass(frozen=True)
class GatewayUsers:
    """The users of a server's gateways."""

    authenticate: Callable[[Any], str | None]
    """Returns the name of the user whose credentials a request carries; None refuses it."""
    groups_of: Callable[[str], Iterable[str]]
    """Returns the groups of such a user, the same as for clients of HBase's RPC."""


NOBODY = GatewayUsers(lambda _: None, lambda _: ())
"""Without a users file a gateway cannot authenticate anyone."""


def gateway_users(users: Users | None) -> GatewayUsers:
    """Gateway users from a users file."""
    return NOBODY if users is None else GatewayUsers(users.authenticate, users.member_of)
