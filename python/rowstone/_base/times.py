"""Times as milliseconds since 1970, exactly: a float of seconds is off by one from the year 2242 on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def epoch_ms(moment: datetime) -> int:
    """Return the milliseconds of an aware time; fractions of one are dropped.

    >>> epoch_ms(datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC))
    253402300799999
    """
    return (moment - EPOCH) // MILLISECOND
