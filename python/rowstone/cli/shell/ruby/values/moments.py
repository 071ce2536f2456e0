"""``Time``: its parts, formatting and parsing."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from rowstone.cli.shell.errors import RubyError
from rowstone.cli.shell.values import RubyObject, inspect

_DIRECTIVE = re.compile(r"%([-0^#_:]*)(\d*)([a-zA-Z%+])")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(RubyObject):
    """``Time``: a point in time with a time zone offset."""

    __slots__ = ("is_utc", "seconds")

    kind = "Time"

    def __init__(self, seconds: float | int, *, is_utc: bool = False) -> None:
        if not -(2**40) < seconds < 2**40:
            raise RubyError(f"{inspect(seconds)} out of Time range", "RangeError")
        self.seconds = seconds
        self.is_utc = is_utc

    def show(self, inspected: Callable[[Any], str]) -> str:
        return strftime(self, "%Y-%m-%d %H:%M:%S UTC" if self.is_utc else "%Y-%m-%d %H:%M:%S %z")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.seconds == other.seconds

    def __hash__(self) -> int:
        return hash(self.seconds)


def parts(moment: Moment) -> datetime:
    """The time in its time zone. Raises `RubyError` for years that Python does not have."""
    try:
        instant = _EPOCH + timedelta(seconds=moment.seconds)
        if moment.is_utc:
            return instant
        offset = time.localtime(int(moment.seconds // 1)).tm_gmtoff
        return instant.astimezone(timezone(timedelta(seconds=offset)))
    except (OverflowError, ValueError, OSError):
        raise RubyError("argument out of range", "ArgumentError") from None


def _offset(at: datetime, colon: str = "") -> str:
    minutes = int((at.utcoffset() or timedelta()).total_seconds() // 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{colon}{abs(minutes) % 60:02}"


_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip

_DIRECTIVES: Mapping[str, Callable[[datetime], str]] = {
    "Y": lambda at: f"{at.year:04}",
    "C": lambda at: f"{at.year // 100:02}",
    "y": lambda at: f"{at.year % 100:02}",
    "m": lambda at: f"{at.month:02}",
    "B": lambda at: _MONTHS[at.month - 1],
    "b": lambda at: _MONTHS[at.month - 1][:3],
    "h": lambda at: _MONTHS[at.month - 1][:3],
    "d": lambda at: f"{at.day:02}",
    "e": lambda at: f"{at.day:2}",
    "j": lambda at: f"{at.timetuple().tm_yday:03}",
    "H": lambda at: f"{at.hour:02}",
    "k": lambda at: f"{at.hour:2}",
    "I": lambda at: f"{(at.hour - 1) % 12 + 1:02}",
    "l": lambda at: f"{(at.hour - 1) % 12 + 1:2}",
    "M": lambda at: f"{at.minute:02}",
    "S": lambda at: f"{at.second:02}",
    "L": lambda at: f"{at.microsecond // 1000:03}",
    "N": lambda at: f"{at.microsecond:06}000",
    "p": lambda at: "AM" if at.hour < 12 else "PM",
    "P": lambda at: "am" if at.hour < 12 else "pm",
    "A": lambda at: _NAMES[at.weekday()],
    "a": lambda at: _NAMES[at.weekday()][:3],
    "u": lambda at: str(at.isoweekday()),
    "w": lambda at: str(at.isoweekday() % 7),
    "z": _offset,
    "Z": lambda at: "UTC" if not at.utcoffset() else at.strftime("%Z"),
    "s": lambda at: str(int(at.timestamp() // 1)),
    "F": lambda at: f"{at.year:04}-{at.month:02}-{at.day:02}",
    "T": lambda at: f"{at.hour:02}:{at.minute:02}:{at.second:02}",
    "X": lambda at: f"{at.hour:02}:{at.minute:02}:{at.second:02}",
    "R": lambda at: f"{at.hour:02}:{at.minute:02}",
    "D": lambda at: f"{at.month:02}/{at.day:02}/{at.year % 100:02}",
    "x": lambda at: f"{at.month:02}/{at.day:02}/{at.year % 100:02}",
    "c": lambda at: f"{_NAMES[at.weekday()][:3]} {_MONTHS[at.month - 1][:3]} {at.day:2} {at:%H:%M:%S} {at.year}",
    "%": lambda at: "%",
    "n": lambda at: "\n",
    "t": lambda at: "\t",
}


def strftime(moment: Moment, form: str) -> str:
    """Format the time as ``form`` says. Unknown directives stay unchanged."""
    at = parts(moment)

    def written(match: re.Match[str]) -> str:
        flags, width, letter = match.groups()
        directive = _DIRECTIVES.get(letter)
        if directive is None:
            return match.group()
        text = _offset(at, ":") if letter == "z" and ":" in flags else directive(at)
        if letter == "N" and width:
            return text[: int(width[:2])]
        if "-" in flags:
            text = text.lstrip("0 ") or "0"
        if "^" in flags:
            text = text.upper()
        return text.rjust(int(width[:3]), "0" if text.isdigit() else " ") if width else text

    return _DIRECTIVE.sub(written, form)


def local(year: int, numbers: list[int], *, is_utc: bool) -> Moment:
    """The time of a date and a time of day. Raises `RubyError`."""
    month, day, hour, minute, second = (numbers + [1, 1, 0, 0, 0][len(numbers) :])[:5]
    try:
        at = datetime(year, month, day, hour, minute, second, tzinfo=UTC if is_utc else None)
        return Moment(int(at.timestamp()), is_utc=is_utc)
    except (ValueError, OverflowError, OSError):
        raise RubyError("argument out of range", "ArgumentError") from None


_WRITTEN = re.compile(
    r"\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?"
    r"\s*(Z|UTC|[+-]\d{2}:?\d{2})?\s*"
)


def parsed(text: str) -> Moment:
    """Parse a time as ``Time.parse`` does: ``2024-05-01 10:20:30 +0200``. Raises `RubyError`."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise RubyError(f'no time information in "{text}"', "ArgumentError")
    *numbers, fraction, zone = match.groups()
    year, *rest = (int(number or 0) for number in numbers)
    moment = local(year, rest, is_utc=zone is not None)
    shift = 0
    if zone and zone[0] in "+-":
        shift = (int(zone[1:3]) * 60 + int(zone[-2:])) * (-60 if zone[0] == "-" else 60)
    seconds = moment.seconds - shift
    return Moment(seconds + float(fraction) if fraction else seconds, is_utc=zone in ("Z", "UTC"))
