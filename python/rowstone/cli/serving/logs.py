"""Messages of ``rowstone serve``, as text or JSON, and its log of logins."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rowstone.cli.serving.options import LogFormat

Log = Callable[[str, str | None, dict[str, object]], None]


def _log_text(event: str, text: str | None, fields: dict[str, object]) -> None:
    """Print the human-readable message, if there is one."""
    if text is not None:
        print(text, flush=True)


def _log_json(event: str, text: str | None, fields: dict[str, object]) -> None:
    """Print the event as one line of JSON: time, event and fields."""
    from datetime import UTC, datetime

    time = datetime.now(UTC).isoformat(timespec="milliseconds")
    print(json.dumps({"time": time, "event": event, **fields}), flush=True)


LOGS: dict[LogFormat, Log] = {LogFormat.TEXT: _log_text, LogFormat.JSON: _log_json}
"""Log functions by the value of ``--log-format``."""


@contextmanager
def shown_logins(log: Log, is_wanted: bool) -> Iterator[None]:
    """Log logins during the block, in the format of the other messages."""
    logger, handler = logging.getLogger("rowstone.audit"), AuditHandler(log)
    if is_wanted:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class AuditHandler(logging.Handler):
    """Logs successful and refused logins in the format of the other messages."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.INFO)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        self._log("audit", text, {"level": record.levelname, "message": text})
