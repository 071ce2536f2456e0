"""Mapping of HBase's exceptions to Rowstone's error classes."""

from __future__ import annotations

OURS: dict[str, tuple[str, ...]] = {
    "NoSuchColumnFamilyException": ("NoSuchColumnFamily",),
    "DoNotRetryIOException": ("InvalidArgument", "NotALong", "CellTooLarge"),
    "IllegalArgumentException": ("InvalidArgument", "CellTooLarge"),
    "IOException": ("InvalidArgument",),
    "WrongRowIOException": ("InvalidArgument",),
    "IncompatibleFilterException": ("InvalidArgument",),
    "UnsupportedOperationException": ("UnsupportedOperation",),
    "RegionTooBusyException": ("RegionTooBusy",),
    "TableNotFoundException": ("TableNotFound",),
    # HBase's words for "there is no table".
    "NullPointerException": ("TableNotFound", "DatabaseClosed"),
}


def same_error(hbase_line: str, our_line: str) -> bool:
    """Whether two answers of the form "!! Name: message" are the same error."""
    theirs = hbase_line.removeprefix("!! ").partition(":")[0]
    ours = our_line.removeprefix("!! ").partition(":")[0]
    return ours == theirs or ours in OURS.get(theirs, ())
