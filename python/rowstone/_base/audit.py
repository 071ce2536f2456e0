"""The log of decisions about rights: the logger ``rowstone.audit``. Each is one line, whatever its names hold."""

import logging

from rowstone._base.printable import printable_text

_log = logging.getLogger("rowstone.audit")


def note(user: str, address: str | None, operation: str, scope: str, allowed: bool, reason: str) -> None:
    """Logs a decision: what is refused as a warning, what is allowed for information."""
    verdict, level = ("allowed", logging.INFO) if allowed else ("denied", logging.WARNING)
    details = {"user": user, "address": address, "operation": operation, "scope": scope, "allowed": allowed}
    text = "access %s for user %s; reason: %s; remote address: %s; request: %s; scope: %s"
    shown = map(printable_text, (verdict, user, reason, address or "", operation, scope))
    _log.log(level, text, *shown, extra={**details, "reason": reason})
