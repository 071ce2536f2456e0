"""Audit log of access control decisions: the logger ``rowstone.audit``. One line each, whatever names contain."""

import logging

from rowstone._base.printable import printable_text

_log = logging.getLogger("rowstone.audit")


def note(user: str, address: str | None, operation: str, scope: str, allowed: bool, reason: str) -> None:
    """Log a decision: refusals as warnings, grants as information."""
    verdict, level = ("allowed", logging.INFO) if allowed else ("denied", logging.WARNING)
    details = {"user": user, "address": address, "operation": operation, "scope": scope, "allowed": allowed}
    text = "access %s for user %s; reason: %s; remote address: %s; request: %s; scope: %s"
    shown = map(printable_text, (verdict, user, reason, address or "", operation, scope))
    _log.log(level, text, *shown, extra={**details, "reason": reason})
