"""Slices of a string or array: by index, by range, or by start and length."""

from __future__ import annotations

from typing import Any

from rowstone.cli.shell.ruby.conversions import integer
from rowstone.cli.shell.ruby.objects import Range


def bounds(place: Any, length: Any, size: int) -> tuple[int, int] | None:
    """Start and end among ``size`` items; None if the slice lies outside."""
    if isinstance(place, Range):
        begin = integer(place.first) if place.first is not None else 0
        end = size if place.last is None else integer(place.last)
        begin = begin + size if begin < 0 else begin
        end = end + size if end < 0 else end
        if place.last is not None and not place.excludes_end:
            end += 1
        return (begin, max(begin, min(end, size))) if 0 <= begin <= size else None
    begin = integer(place)
    begin = begin + size if begin < 0 else begin
    if length is None:
        return (begin, begin + 1) if 0 <= begin < size else None
    count = integer(length)
    return (begin, min(begin + count, size)) if 0 <= begin <= size and count >= 0 else None
