"""Schemas as text: JSON, for engines whose options are text.

```json
{"key": "text", "columns": {"age": ["f:age", "int32"], "f:town": "text"}, "timestamp": "at"}
```
"""

from __future__ import annotations

import json
from typing import Any

from rowstone.engines._schema import RowSchema
from rowstone.errors import InvalidArgument
from rowstone.keys import Key
from rowstone.keys._parse import parse_key

_NAMES = ("key", "columns", "key_name", "timestamp", "required")


def schema_text(schema: RowSchema) -> str:
    """Return a schema as JSON.

    Raises:
        InvalidArgument: A column's qualifier is not UTF-8.
    """
    columns = {}
    for one in schema.cells:
        try:
            columns[one.name] = [(one.column or b"").decode(), one.kind]
        except UnicodeDecodeError:
            raise InvalidArgument(f"column '{one.name}' is {one.column!r}, which is not UTF-8") from None
    said: dict[str, Any] = {"key": schema.key if isinstance(schema.key, str) else repr(schema.key), "columns": columns}
    if isinstance(schema.key, str) and schema.key_names != ("row",):
        [said["key_name"]] = schema.key_names
    if schema.timestamp is not None:
        said["timestamp"] = schema.timestamp
    if schema.required:
        said["required"] = list(schema.required)
    return json.dumps(said)


def parse_schema(text: str) -> RowSchema:
    """Return the schema of a JSON text of `schema_text`. Raises `InvalidArgument` if it is not valid."""
    try:
        said = json.loads(text)
    except ValueError as error:
        raise InvalidArgument(f"the schema {text!r} is not JSON: {error}") from None
    if not isinstance(said, dict) or not isinstance(said.get("columns"), dict):
        raise InvalidArgument(f'a schema is {{"key": "text", "columns": {{"age": ["f:age", "int32"]}}}}, not {text!r}')
    if unknown := said.keys() - set(_NAMES):
        raise InvalidArgument(f"the schema has {min(unknown)!r}; there are: {', '.join(_NAMES)}")
    columns = {name: one if isinstance(one, str) else tuple(one) for name, one in said.pop("columns").items()}
    return RowSchema(key_of_text(said.pop("key", "text")), columns, **said)


def key_of_text(text: str) -> str | Key:
    """Return the name of a codec as it is, and the text of a `rowstone.keys.Key` as a key."""
    return parse_key(text) if "(" in text else text
