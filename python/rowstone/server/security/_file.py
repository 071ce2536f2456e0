"""The users file: TOML with a fixed schema. Unknown or wrong entries are errors."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rowstone.errors import InvalidArgument
from rowstone.server.security import _passwords, _tokens
from rowstone.server.security._proxies import Proxy

VERSION = 1
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_HEAD = "# Users of a Rowstone server. `rowstone user` changes it and keeps no remarks.\n"
_OTHERS_WRITE = 0o022


@dataclass(frozen=True)
class User:
    """A user: password hash, token hashes by label, and groups."""

    password: str | None = None
    groups: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Content:
    """The content of a users file."""

    users: Mapping[str, User] = field(default_factory=dict)
    superusers: tuple[str, ...] = ()
    proxies: Mapping[str, Proxy] = field(default_factory=dict)

    def with_user(self, name: str, user: User) -> Content:
        """Return a copy with this user added or replaced."""
        return replace(self, users={**self.users, name: user})

    def without(self, name: str) -> Content:
        """Return a copy without this user."""
        users = {other: user for other, user in self.users.items() if other != name}
        superusers = tuple(other for other in self.superusers if other != name)
        return Content(users, superusers, {other: one for other, one in self.proxies.items() if other != name})


def read(path: Path) -> Content:
    """Read a users file.

    Raises:
        InvalidArgument: The file is missing, has invalid content, or is writable by others than its owner.
    """
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read()
    except FileNotFoundError:
        raise InvalidArgument(f"there is no users file '{path}': `rowstone user add` creates it") from None
    except OSError as error:
        raise InvalidArgument(f"cannot read the users file '{path}': {error.strerror}") from None
    if mode & _OTHERS_WRITE:
        raise InvalidArgument(f"the users file '{path}' is writable by others: chmod 600 it, and check its content")
    try:
        return _content(tomllib.loads(data.decode()))
    except (ValueError, TypeError) as error:
        raise InvalidArgument(f"the users file '{path}' cannot be used: {error}") from None


def _content(document: dict[str, Any]) -> Content:
    if document.pop("version", None) != VERSION:
        raise ValueError(f"it has not version = {VERSION}")
    users = {_name(name): _user(name, table) for name, table in _table(document, "users").items()}
    proxies = {_name(name): _proxy(name, table) for name, table in _table(document, "proxies").items()}
    superusers = _texts(document, "superusers")
    _nothing_left(document, "the file")
    return Content(users, superusers, proxies)


def _user(name: str, table: Any) -> User:
    if not isinstance(table, dict):
        raise ValueError(f"user {name} is no table")
    password = table.pop("password", None)
    if password is not None and not (isinstance(password, str) and _passwords.is_kept(password)):
        raise ValueError(f"the password of {name} is not kept as `rowstone user password` keeps it")
    tokens = _table(table, "tokens")
    for label, kept in tokens.items():
        if not (isinstance(kept, str) and _tokens.is_kept(kept)):
            raise ValueError(f"the token {label} of {name} is not kept as `rowstone user token` keeps it")
    groups = _texts(table, "groups")
    _nothing_left(table, f"user {name}")
    return User(password, groups, tokens)


def _proxy(name: str, table: Any) -> Proxy:
    if not isinstance(table, dict):
        raise ValueError(f"proxy {name} is no table")
    proxy = Proxy(_texts(table, "users"), _texts(table, "groups"), _texts(table, "hosts"))
    _nothing_left(table, f"proxy {name}")
    return proxy


def _name(name: str) -> str:
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no user name: letters, digits and ._- (up to 128)")
    return name


def _table(document: dict[str, Any], key: str) -> dict[str, Any]:
    found = document.pop(key, {})
    if not isinstance(found, dict):
        raise ValueError(f"{key} is no table")
    return found


def _texts(document: dict[str, Any], key: str) -> tuple[str, ...]:
    found = document.pop(key, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise ValueError(f"{key} is no list of texts")
    return tuple(found)


def _nothing_left(table: dict[str, Any], where: str) -> None:
    if table:
        raise ValueError(f"{where} has {', '.join(map(repr, table))}, which is unknown")


def write(path: Path, content: Content) -> None:
    """Replace the file's content atomically; only its owner may read it."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text_of(content))
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def text_of(content: Content) -> str:
    """The text of a users file. JSON strings and lists of strings are valid TOML."""
    return _HEAD + "\n".join(_lines(content)) + "\n"


def _lines(content: Content) -> Iterator[str]:
    yield f"version = {VERSION}"
    yield f"superusers = {_list(content.superusers)}"
    for name, user in sorted(content.users.items()):
        yield f"\n[users.{_key(name)}]"
        if user.password is not None:
            yield f"password = {_key(user.password)}"
        yield f"groups = {_list(user.groups)}"
        if user.tokens:
            pairs = ", ".join(f"{_key(label)} = {_key(kept)}" for label, kept in sorted(user.tokens.items()))
            yield f"tokens = {{ {pairs} }}"
    for name, proxy in sorted(content.proxies.items()):
        yield f"\n[proxies.{_key(name)}]"
        for what in ("users", "groups", "hosts"):
            yield f"{what} = {_list(getattr(proxy, what))}"


def _key(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _list(texts: tuple[str, ...]) -> str:
    return json.dumps(list(texts), ensure_ascii=False)
