"""Structured values: JSON, MessagePack, Avro. Other languages can read all of them."""

from __future__ import annotations

import io
import json
from typing import Any

from rowstone._base.lazy import import_optional
from rowstone._base.printable import printable
from rowstone.codecs._plain import Functions
from rowstone.errors import InvalidArgument, InvalidType

_SINGLE_OBJECT = b"\xc3\x01"


def _encode_json(value: Any) -> bytes:
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode()
    except TypeError as error:
        raise InvalidType(f"codec 'json': {error}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"codec 'json': {error}") from None


def _decode_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"codec 'json' cannot read '{printable(data, 20)}': {error}") from None


def _encode_msgpack(value: Any) -> bytes:
    msgpack = import_optional("msgpack", "codec 'msgpack'", "msgpack")
    try:
        data: bytes = msgpack.packb(value, datetime=True)
    except TypeError as error:
        raise InvalidType(f"codec 'msgpack': {error}") from None
    except (ValueError, OverflowError) as error:
        raise InvalidArgument(f"codec 'msgpack': {error}") from None
    return data


def _decode_msgpack(data: bytes) -> Any:
    msgpack = import_optional("msgpack", "codec 'msgpack'", "msgpack")
    try:
        return msgpack.unpackb(data, timestamp=3, strict_map_key=False)
    except (ValueError, TypeError, msgpack.exceptions.UnpackException) as error:
        raise InvalidArgument(f"codec 'msgpack' cannot read '{printable(data, 20)}': {error}") from None


CODECS: dict[str, Functions] = {
    "json": (_encode_json, _decode_json, "object"),
    "msgpack": (_encode_msgpack, _decode_msgpack, "object"),
}
"""Encoder, decoder and type of a pandas column, by name."""


class Avro:
    """Avro's single-object encoding: C3 01, eight bytes of the schema's CRC-64-AVRO (little-endian), the datum."""

    def __init__(self, schema: Any, older: tuple[Any, ...]) -> None:
        self._fastavro = import_optional("fastavro", "codec 'avro'", "avro")
        self._schemas = {self._fingerprint(one): self._parsed(one) for one in (schema, *older)}
        self._newest = self._parsed(schema)
        self._mark = _SINGLE_OBJECT + self._fingerprint(schema)

    def _parsed(self, schema: Any) -> Any:
        try:
            # A copy, because fastavro marks the schema as parsed.
            return self._fastavro.parse_schema(json.loads(json.dumps(schema)))
        except Exception as error:
            raise InvalidArgument(f"this is no schema of Avro: {error!r}") from None

    def _fingerprint(self, schema: Any) -> bytes:
        module = self._fastavro.schema
        try:
            canonical = module.to_parsing_canonical_form(json.loads(json.dumps(schema)))
            return bytes.fromhex(module.fingerprint(canonical, "CRC-64-AVRO"))
        except Exception as error:
            raise InvalidArgument(f"this is no schema of Avro: {error!r}") from None

    def encode(self, value: Any) -> bytes:
        """The bytes of a value that fits the newest schema."""
        out = io.BytesIO()
        out.write(self._mark)
        try:
            self._fastavro.schemaless_writer(out, self._newest, value)
        except Exception as error:
            raise InvalidArgument(f"codec 'avro': {value!r} does not fit the schema: {error!r}") from None
        return out.getvalue()

    def decode(self, data: bytes) -> Any:
        """Decode a value written with any known schema; the result has the form of the newest schema."""
        writer = self._schemas.get(data[2:10])
        if not data.startswith(_SINGLE_OBJECT) or writer is None:
            raise InvalidArgument(
                f"codec 'avro': '{printable(data, 10)}' names none of the schemas; give older ones with older="
            )
        try:
            return self._fastavro.schemaless_reader(io.BytesIO(data[10:]), writer, self._newest)
        except Exception as error:
            raise InvalidArgument(f"codec 'avro' cannot read '{printable(data, 30)}': {error!r}") from None
