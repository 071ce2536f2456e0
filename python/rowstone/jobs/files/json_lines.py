"""JSON lines: one object per line."""

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rowstone.jobs.files.lines import LineFile, Lines
from rowstone.jobs.files.records import Position, Record, Refused

BYTES_KEY = "base64"
"""Bytes that are not UTF-8 are written to JSON as ``{"base64": "…"}``."""


class JsonLinesFile(LineFile):
    """A file of objects; ``sources`` are names of their members."""

    def __init__(self, path: Path, sources: Sequence[str]) -> None:
        super().__init__(path)
        self._sources = sources

    def records(self, start: Position) -> Iterator[Record | Refused]:
        lines = Lines(self.path, start)
        for raw in lines:
            if raw.isspace():
                continue
            try:
                found = json.loads(raw)
            except ValueError as error:
                yield Refused(lines.line, f"not JSON: {error}", lines.position, raw)
                continue
            if not isinstance(found, dict):
                yield Refused(lines.line, f"not an object but {type(found).__name__}", lines.position, raw)
                continue
            yield Record(lines.line, [_value(found.get(name)) for name in self._sources], lines.position, raw)


def _value(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1 and isinstance(value.get(BYTES_KEY), str):
        try:
            return base64.b64decode(value[BYTES_KEY], validate=True)
        except binascii.Error:
            return value
    return value
