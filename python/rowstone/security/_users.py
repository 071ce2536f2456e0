"""The users of a server: one file, which the command ``rowstone user`` changes while servers read it."""

from __future__ import annotations

import base64
import binascii
import fcntl
import hashlib
import hmac
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from rowstone.errors import InvalidArgument
from rowstone.security import _file, _passwords, _tokens
from rowstone.security._file import Content, User
from rowstone.security._proxies import Proxy

FILE_NAME = "users.toml"
SUPERUSERS = "superusers"
"""The group of the users file's superusers: ``hbase.superuser = "@superusers"``."""
SUFFIX = ".toml"
_MOST_RECENT = 1024


class Request(Protocol):
    """What a gateway knows of a request: its headers, by their names in small letters."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""


class Users:
    """The users in a file, as it is at the moment: what was changed in it counts from the next question on.

    Args:
        place: The file, or a database's directory, in which it is ``users.toml``.

    Raises:
        InvalidArgument: Every call, where the file is not there or cannot be used. `add` makes one that is missing.

    Example:
        >>> import rowstone as rs, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     users = rs.security.Users(folder)
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

    # What servers ask.

    def authenticate(self, request: Request) -> str | None:
        """The user whose credentials the header ``Authorization`` has, ``Basic`` or ``Bearer``; else ``None``.

        What the gateways take as ``authenticate``.
        """
        scheme, _, rest = request.headers.get("authorization", "").strip().partition(" ")
        match scheme.lower():
            case "bearer":
                return self.check_token(rest.strip())
            case "basic":
                return self._check_basic(rest.strip())
        return None

    def check_password(self, user: str, password: str) -> str | None:
        """The user's name where the password, or a token in its place, is right; else ``None``."""
        content = self._read()
        known = content.users.get(user)
        if known is not None and password.startswith(_tokens.PREFIX):
            return user if any(_tokens.matches(password, kept) for kept in known.tokens.values()) else None
        kept = None if known is None else known.password
        if kept is not None and self._was_right(user, password, kept):
            return user
        if not _passwords.matches(password, kept) or kept is None:
            return None
        self._remember(user, password, kept)
        return user

    def check_token(self, token: str) -> str | None:
        """The name of the user whose token it is; else ``None``."""
        found = None
        for name, user in self._read().users.items():
            for kept in user.tokens.values():
                found = name if _tokens.matches(token, kept) else found
        return found

    def may_impersonate(self, real: str, effective: str, address: str) -> bool:
        """Whether ``real`` may act for ``effective``, coming from ``address``."""
        content = self._read()
        proxy = content.proxies.get(real)
        known = content.users.get(effective, User())
        return proxy is not None and proxy.allows(effective, known.groups, address)

    def names(self) -> list[str]:
        """All users."""
        return sorted(self._read().users)

    def groups_of(self, name: str) -> list[str]:
        """The groups of a user; none where there is no such user."""
        return list(self._read().users.get(name, User()).groups)

    def member_of(self, name: str) -> list[str]:
        """The groups that count where rights are looked for: those of the user, and ``superusers`` if he is one.

        What the gateways take as ``groups_of``.
        """
        content = self._read()
        groups = content.users.get(name, User()).groups
        return [*groups, *([SUPERUSERS] if name in content.superusers else [])]

    @property
    def superusers(self) -> list[str]:
        """Who are in the group ``superusers``, which ``hbase.superuser`` may name."""
        return list(self._read().superusers)

    # What `rowstone user` does.

    def add(
        self, name: str, *, password: str | None = None, groups: Iterable[str] = (), superuser: bool = False
    ) -> None:
        """Adds a user, who without a password can have tokens or a certificate or ticket of that name.

        Raises:
            InvalidArgument: There is such a user, or the name or password cannot be one.
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
        """Removes a user, and what he was besides: superuser, proxy. Connections that he has stay.

        Raises:
            InvalidArgument: There is no such user.
        """
        self._change(lambda content: (_known(content, name), content.without(name))[1])

    def set_password(self, name: str, password: str) -> None:
        """Gives a user another password."""
        kept = _passwords.hash_password(password)
        self._change(lambda content: content.with_user(name, replace(_known(content, name), password=kept)))

    def new_token(self, name: str, label: str = "default") -> str:
        """A token of a user, which is shown this once; one of the same label before it is of no more use."""
        token = _tokens.new_token()
        kept = _tokens.hash_token(token)

        def added(content: Content) -> Content:
            user = _known(content, name)
            return content.with_user(name, replace(user, tokens={**user.tokens, label: kept}))

        self._change(added)
        return token

    def remove_token(self, name: str, label: str = "default") -> None:
        """Makes a token useless.

        Raises:
            InvalidArgument: There is no such user, or token of his.
        """

        def removed(content: Content) -> Content:
            user = _known(content, name)
            if label not in user.tokens:
                raise InvalidArgument(f"user {name} has no token {label!r}")
            tokens = {other: kept for other, kept in user.tokens.items() if other != label}
            return content.with_user(name, replace(user, tokens=tokens))

        self._change(removed)

    def set_proxy(
        self, name: str, *, users: Iterable[str] = (), groups: Iterable[str] = (), hosts: Iterable[str] = ("*",)
    ) -> None:
        """Lets a user act for others: these users, or members of these groups, from these hosts; ``"*"`` is all."""

        def changed(content: Content) -> Content:
            _known(content, name)
            proxy = Proxy(tuple(users), tuple(groups), tuple(hosts))
            return replace(content, proxies={**content.proxies, name: proxy})

        self._change(changed)

    # How.

    def _check_basic(self, text: str) -> str | None:
        try:
            user, colon, password = base64.b64decode(text, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return None
        return self.check_password(user, password) if colon else None

    def _read(self) -> Content:
        with self._lock:
            try:
                state = self.path.stat()
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
        """Whether this was found right before: gateways bring a password with every request."""
        with self._lock:
            found = self._recent.get(self._name_of(user, password), "")
        return hmac.compare_digest(found, kept)

    def _remember(self, user: str, password: str, kept: str) -> None:
        with self._lock:
            if len(self._recent) >= _MOST_RECENT:
                self._recent.clear()
            self._recent[self._name_of(user, password)] = kept


def _known(content: Content, name: str) -> User:
    if name not in content.users:
        raise InvalidArgument(f"there is no user {name}")
    return content.users[name]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keeps others from changing the file meanwhile."""
    try:
        descriptor = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise InvalidArgument(f"cannot keep users in '{path}': {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
