"""Row keys."""

from __future__ import annotations

import hashlib

from rowstone.schema.advise import Access, Read
from tests.advise.case import NOW_MS, Case


def long_row_keys(is_bad: bool) -> Case:
    return Case(puts=[("k" * (101 if is_bad else 20), {"f:q": "v"}, NOW_MS)])


def monotonic_keys(is_bad: bool) -> Case:
    """A row each millisecond, with a key that starts with the time (bad) or with the host."""
    times = range(NOW_MS, NOW_MS + 60)
    lead = [str(time) if is_bad else f"host{time * 7 % 10}-{time}" for time in times]
    return Case(puts=[(key, {"f:q": "v"}, time) for key, time in zip(lead, times, strict=True)])


def keys_in_the_order_of_regions(is_bad: bool) -> Case:
    """Keys of a time (bad), or random keys that one batch wrote region by region."""
    times = range(NOW_MS, NOW_MS + 60)
    keys = [f"{time}" if is_bad else f"{time - NOW_MS:02}-{time * 7919 % 10_000}" for time in times]
    splits = [str(times[30])] if is_bad else [f"{number:02}" for number in range(1, 60)]
    return Case(puts=[(key, {"f:q": "v"}, time) for key, time in zip(keys, times, strict=True)], splits=splits)


def unpadded_numbers(is_bad: bool) -> Case:
    form = "user-{}" if is_bad else "user-{:03}"
    return Case(puts=[(form.format(number), {"f:q": "v"}, NOW_MS) for number in range(1, 30)])


def scans_over_hashed_keys(is_bad: bool) -> Case:
    keys = [hashlib.md5(bytes([number])).hexdigest() if is_bad else f"user-{number:02}" for number in range(30)]
    scans = Read(kind="scan", rows_examined=10_000, rows_returned=10)
    return Case(puts=[(key, {"f:q": "v"}, NOW_MS) for key in keys], access=Access(reads=(scans,)))


def many_buckets(is_bad: bool) -> Case:
    return Case(splits=["4", "8", "c"], plans={"buckets": 17 if is_bad else 16})


def too_many_buckets_at_all(is_bad: bool) -> Case:
    return Case(splits=[f"{number:02}" for number in range(1, 50)], plans={"buckets": 101 if is_bad else 100})


def counted_keys(is_bad: bool) -> Case:
    """Like `monotonic_keys`, but from access statistics instead of data."""
    keys = sorted(b"%02d" % (number * 7 % 40) for number in range(40))
    return Case(access=Access(new_keys=tuple(keys if is_bad else [*keys[::2], *keys[:0:-2]])))


def random_keys(is_bad: bool) -> Case:
    """Like `scans_over_hashed_keys`, with binary keys."""
    keys = [hashlib.md5(bytes([number])).digest() if is_bad else b"\xff%04d" % number for number in range(30)]
    scans = Read(kind="scan", rows_examined=10_000, rows_returned=10)
    return Case(puts=[(key, {"f:q": "v"}, NOW_MS) for key in keys], access=Access(reads=(scans,)))


def parts_that_no_query_needs(is_bad: bool) -> Case:
    queries = [["tenant"], ["tenant", "time"]] if is_bad else [["tenant"], ["tenant", "session", "time"]]
    return Case(plans={"key": ["tenant", "session", "time"], "queries": queries})


EXAMPLES = {
    "L05": long_row_keys,
    "L07": monotonic_keys,
    "L07, counted": counted_keys,
    "L07, by region": keys_in_the_order_of_regions,
    "L09": unpadded_numbers,
    "L42": scans_over_hashed_keys,
    "L42, bytes": random_keys,
    "L43": many_buckets,
    "L43, at all": too_many_buckets_at_all,
    "L45": parts_that_no_query_needs,
}
