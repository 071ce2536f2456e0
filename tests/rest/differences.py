"""Differences from HBase's REST answers, with their reasons. `docs/reference/rest.md` lists the same."""

from __future__ import annotations

from typing import Any

DIFFERENCES = {
    "increment-result": "HBase answers an increment with rr=true with the cells of the request; we with the new values",
    "lazy-scanner": "HBase opens a scanner of a missing table, and fails when it is asked; we refuse it at once",
    "page-404": "HBase answers 404 to a number in the query that is none; we 400",
    "page-500": "HBase answers 500 where a scan, a multiget or a namespace finds nothing to read; we 404",
    "retried": "HBase's gateway tries again what its master refuses, and then says that; we say what is wrong",
    "unacceptable-result": "HBase answers a change whose result has no form that the client accepts with 500 or an "
    "object's address; we in protobuf",
}
"""Reasons, by the names that steps of the sessions have for them."""

EMPTY = ("", "a page")
"""HBase's answers to requests that fail in the servlet container."""


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether two answers are the same. Two general differences: where HBase refuses without a word or with a page of
    its container, we say why in plain text; and what it answers with 500 because a request is broken is 400 here."""
    if theirs["body"] in EMPTY and theirs["status"] >= 400:
        expected = 400 if theirs["status"] == 500 else theirs["status"]
        return bool(ours["status"] == expected and ours["media"] == "text/plain" and ours["body"])
    return ours == theirs
