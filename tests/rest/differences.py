"""Differences from HBase's REST answers, with their reasons. `docs/reference/rest.md` lists the same."""

from __future__ import annotations

from typing import Any

DIFFERENCES = {
    "increment-result": "To an increment with `rr=true`, HBase returns the cells of the request. Rowstone returns the "
    "new values.",
    "lazy-scanner": "HBase opens a scanner of a missing table and fails when it is read. Rowstone refuses it at once.",
    "page-404": "To an invalid number in the query, HBase answers 404, Rowstone 400.",
    "page-500": "If a scan, a multiget or a namespace finds nothing to read, HBase answers 500, Rowstone 404.",
    "retried": "HBase's gateway retries requests that its master refuses, and then reports that the retries failed. "
    "Rowstone reports the master's error.",
    "unacceptable-result": "If the client accepts none of the media types in which the result of a change can be sent, "
    "Rowstone answers in protobuf. HBase answers 500, or sends the default text of a Java object.",
}
"""Reasons, by the names that steps of the sessions have for them."""

EMPTY = ("", "a page")
"""HBase's answers to requests that fail in the servlet container."""


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether two answers are the same. Two general differences: if HBase refuses with an empty body or a page of its
    container, Rowstone gives the reason in plain text; and if HBase answers 500 to a broken request, Rowstone answers
    400."""
    if theirs["body"] in EMPTY and theirs["status"] >= 400:
        expected = 400 if theirs["status"] == 500 else theirs["status"]
        return bool(ours["status"] == expected and ours["media"] == "text/plain" and ours["body"])
    return ours == theirs
