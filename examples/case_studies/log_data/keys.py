"""Seven row keys for the same lines."""

from __future__ import annotations

import rowstone as rs
from rowstone.keys import Dictionary, Key, bucket, md5, reverse_time, substituted, text, time

BUCKETS = 17
"""Not a divisor of a minute. With 16, ``at % 16`` of whole minutes is always 0, and every line is in one bucket."""

NAMES = "LOG_TYPES"


def designs(db: rs.Database) -> dict[str, Key]:
    """The keys by name. Creates the lookup table of the last one in ``db``."""
    db.create_table(NAMES, {"d": rs.Family()}, if_not_exists=True)
    names = Dictionary(db.table(NAMES), "d")
    at, host, event = time("at"), text("host"), text("event")
    return {
        "time first": Key(at, host, event),
        "16 buckets": Key(bucket(16, of="at"), at, host, event),
        "17 buckets": Key(bucket(BUCKETS, of="at"), at, host, event),
        "host first": Key(host, event, at),
        "newest first": Key(host, event, reverse_time("at")),
        "hashed": Key(md5("host"), md5("event"), at),
        "substituted": Key(substituted("host", names, 1), substituted("event", names, 2), at),
    }
