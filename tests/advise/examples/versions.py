"""Versions, timestamps and deletes."""

from __future__ import annotations

from dataclasses import replace

import rowstone as rs
from rowstone.schema.advise import Access
from tests.advise.case import DAY_MS, NOW_MS, Case, puts


def too_many_versions(is_bad: bool) -> Case:
    return Case(families={"f": rs.Family(max_versions=101 if is_bad else 100)})


def unused_versions(is_bad: bool) -> Case:
    return Case(families={"f": rs.Family(max_versions=3 if is_bad else 1)}, puts=puts(100, q="v"))


def min_versions_without_ttl(is_bad: bool) -> Case:
    return Case(families={"f": rs.Family(max_versions=3, min_versions=1, ttl_seconds=None if is_bad else 60)})


def min_versions_not_below_versions(is_bad: bool) -> Case:
    return Case(families={"f": rs.Family(max_versions=2 if is_bad else 3, min_versions=2, ttl_seconds=60)})


def explicit_timestamps_with_ttl(is_bad: bool) -> Case:
    gap_ms = DAY_MS + 1 if is_bad else DAY_MS
    return Case(families={"f": rs.Family(ttl_seconds=60)}, access=Access(timestamp_gap_ms={b"f": gap_ms}))


def future_timestamps(is_bad: bool) -> Case:
    return Case(puts=[("r", {"f:q": "v"}, NOW_MS + (3_600_001 if is_bad else 3_600_000))])


def put_and_delete_at_once(is_bad: bool) -> Case:
    deletes = [("row000", "f:q", NOW_MS if is_bad else NOW_MS - 1)]
    return Case(puts=puts(2, q="v"), deletes=deletes)


def put_and_delete_at_once_by_order(is_bad: bool) -> Case:
    return replace(put_and_delete_at_once(True), families={"f": rs.Family(new_version_behavior=not is_bad)})


def kept_deletes_without_end(is_bad: bool) -> Case:
    versions = 2_147_483_647 if is_bad else 10
    return Case(families={"f": rs.Family(max_versions=versions, keep_deleted_cells="TRUE")})


EXAMPLES = {
    "L12": too_many_versions,
    "L13": unused_versions,
    "L19": min_versions_without_ttl,
    "L20": min_versions_not_below_versions,
    "L21": explicit_timestamps_with_ttl,
    "L22": future_timestamps,
    "L23": put_and_delete_at_once,
    "L23, by the order of writes": put_and_delete_at_once_by_order,
    "L24": kept_deletes_without_end,
}
