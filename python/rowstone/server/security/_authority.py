"""Callbacks that the server makes during a login, and the audit log."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from rowstone.errors import RowstoneError
from rowstone.server.security._proxies import Proxy
from rowstone.server.security._users import Users

_audit = logging.getLogger("rowstone.audit")
_log = logging.getLogger("rowstone")


class Authority:
    """User lookups, called from the server's threads."""

    def __init__(self, users: Users | None, proxies: Mapping[str, Proxy]) -> None:
        self._users = users
        self._proxies = dict(proxies)

    def check_password(self, user: str, password: str) -> str | None:
        """Return the user's name, or None if the password is wrong."""
        try:
            return None if self._users is None else self._users.check_password(user, password)
        except RowstoneError as error:
            _log.error("passwords cannot be checked: %s", error)
            raise

    def recall_password(self, user: str, password: str) -> str | None:
        """Return the user's name if the password was verified recently, or is a token; None means unknown."""
        return None if self._users is None else self._users.recall_password(user, password)

    def may_impersonate(self, real: str, effective: str, address: str) -> bool:
        """Whether ``real`` may impersonate ``effective``."""
        groups = self.groups_of(effective)
        proxy = self._proxies.get(real)
        if proxy is not None and proxy.allows(effective, groups, address):
            return True
        return self._users is not None and self._users.may_impersonate(real, effective, address)

    def may_act_for(self, real: str, effective: str, address: str) -> bool:
        """Whether a gateway request may impersonate ``effective``; refusals are logged."""
        is_allowed = self.may_impersonate(real, effective, address)
        if not is_allowed:
            self.audit(False, "doAs", effective, real, address, f"{real} may not act for others from there")
        return is_allowed

    def groups_of(self, user: str) -> list[str]:
        """The groups of a user. Permissions can be granted to a group, and superusers are one."""
        return [] if self._users is None else self._users.member_of(user)

    def audit(self, is_success: bool, method: str, user: str, real_user: str | None, address: str, reason: str) -> None:
        """Log a login attempt. Names are written as Python literals, so that none can forge another log line."""
        actor = "" if real_user is None else f" real={real_user!r}"
        if is_success:
            _audit.info("login user=%r%s by=%s from=%s", user, actor, method, address)
        else:
            _audit.warning("refused user=%r%s by=%s from=%s: %r", user, actor, method, address, reason)
