"""Java date classes that operators use to read log times: `java.util.Date`, `java.text.SimpleDateFormat`."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.ruby.java.objects import JavaObject, JavaTable
from rowstone.cli.shell.ruby.methods import register
from rowstone.cli.shell.ruby.methods.general import OBJECT
from rowstone.cli.shell.values import to_s

if TYPE_CHECKING:
    from collections.abc import Callable

    from rowstone.cli.shell.ruby.runtime import Runtime

_FIELDS = {
    "yyyy": "%Y",
    "yy": "%y",
    "MMM": "%b",
    "MM": "%m",
    "dd": "%d",
    "EEE": "%a",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
    "Z": "%z",
    "z": "%Z",
}
_PARTS = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")
_TEXT_OF_DATE = "%a %b %d %H:%M:%S %Z %Y"


def _refuse(message: str) -> RubyError:
    return RubyError(message, "Java::JavaLang::IllegalArgumentException")


class Date(JavaObject):
    """``java.util.Date``: a time in milliseconds."""

    __slots__ = ("ms",)

    kind = "Java::JavaUtil::Date"

    def __init__(self, ms: Any = None) -> None:
        if ms is not None and not isinstance(ms, int):
            raise _refuse(f"java.util.Date takes milliseconds, not {to_s(ms)}")
        self.ms = int(time.time() * 1000) if ms is None else ms

    def local(self) -> datetime:
        """In the time zone of this machine."""
        return datetime.fromtimestamp(self.ms / 1000).astimezone()

    def __str__(self) -> str:
        return self.local().strftime(_TEXT_OF_DATE)


class ParsePosition(JavaObject):
    """``java.text.ParsePosition``: the position at which parsing starts."""

    __slots__ = ("index",)

    kind = "Java::JavaText::ParsePosition"

    def __init__(self, index: int) -> None:
        self.index = index


class DateFormat(JavaObject):
    """``java.text.SimpleDateFormat``, with the fields used in logs."""

    __slots__ = ("pattern",)

    kind = "Java::JavaText::SimpleDateFormat"

    def __init__(self, pattern: Any) -> None:
        self.pattern = "".join(self._field(part) for part in _PARTS.finditer(to_s(pattern)))

    @staticmethod
    def _field(part: re.Match[str]) -> str:
        if part[1] is not None:
            return part[1].replace("''", "'").replace("%", "%%") or "'"
        if part[2] is None:
            return part[0].replace("%", "%%")
        if part[0] not in _FIELDS:
            raise _refuse(f"this shell's SimpleDateFormat has no field '{part[0]}'; it has {', '.join(_FIELDS)}")
        return _FIELDS[part[0]]

    def parse(self, text: str) -> Date | None:
        """Parse the time in ``text``; None if it does not match."""
        try:
            found = datetime.strptime(text, self.pattern)
        except ValueError:
            return None
        return Date(round(found.timestamp() * 1000))

    def format(self, date: Date) -> str:
        """Format ``date`` as text."""
        moment = date.local()
        return moment.strftime(self.pattern.replace("%f", f"{moment.microsecond // 1000:03}"))


CLASSES: dict[str, Callable[..., JavaObject]] = {
    "java.util.Date": Date,
    "java.text.ParsePosition": ParsePosition,
    "java.text.SimpleDateFormat": DateFormat,
}
"""Constructors, by class name."""

DATE = JavaTable(OBJECT)
register(Date, DATE)
FORMAT = JavaTable(OBJECT)
register(DateFormat, FORMAT)


@DATE.method("getTime")
def _time(run: Runtime, target: Date) -> int:
    return target.ms


@DATE.method("toString", "to_s")
def _text(run: Runtime, target: Date) -> str:
    return str(target)


@FORMAT.method("parse")
def _parse(run: Runtime, target: DateFormat, text: Any, position: Any = None) -> Date | None:
    start = position.index if isinstance(position, ParsePosition) else 0
    found = target.parse(to_s(text)[start:])
    if found is None and position is None:
        raise RubyError(f'Unparseable date: "{to_s(text)}"', "Java::JavaText::ParseException")
    return found


@FORMAT.method("format")
def _format(run: Runtime, target: DateFormat, date: Any) -> str:
    return target.format(date if isinstance(date, Date) else Date(date))
