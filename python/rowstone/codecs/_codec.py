"""Codecs of values, and finding them by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone._base.printable import printable
from rowstone.codecs import _blobref, _documents, _plain
from rowstone.errors import InvalidArgument, InvalidType

PICKLE = (
    "codec 'pickle' is refused: unpickling executes arbitrary code, only Python can do it, and it fails "
    "if a class is renamed; use 'json', 'msgpack' or avro(schema)"
)


_JOINABLE = ("bytes", "text")


@dataclass(frozen=True)
class Codec:
    """Conversion between values of a column and bytes. Created by `codec` and `avro`.

    Attributes:
        name: The declaration: a name, or for Avro the schema.
        encode: Converts a value to bytes; raises `InvalidArgument` if it does not fit.
        decode: Converts bytes to a value; raises `InvalidArgument` if they are not valid.
        frame: The dtype of its column in a pandas frame.
    """

    name: str | Mapping[str, Any]
    encode: Callable[[Any], bytes] = field(repr=False)
    decode: Callable[[bytes], Any] = field(repr=False)
    frame: str = field(default="object", repr=False)

    @property
    def sorts(self) -> bool:
        """Whether encoded values compare like the values."""
        return self.name in ("uint8", "uint16", "uint32", "uint64", "bool", *_JOINABLE)

    @property
    def joins(self) -> bool:
        """Whether an encoded value followed by another one is an encoded value."""
        return self.name in _JOINABLE

    def show(self, data: bytes) -> str:
        """Return the decoded value as one line of text."""
        value = self.decode(data)
        if isinstance(value, bytes):
            return printable(value)
        if isinstance(value, (dict, list)):
            text = json.dumps(value, ensure_ascii=False, default=repr)
        else:
            text = value.isoformat() if hasattr(value, "isoformat") else str(value)
        return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


CODECS: Mapping[str, Codec] = {
    name: Codec(name, encode, decode, frame)
    for name, (encode, decode, frame) in {**_plain.CODECS, **_documents.CODECS, **_blobref.CODECS}.items()
}
"""The named codecs."""

CodecArgument = Codec | str | Mapping[str, Any]
"""A codec, its name, or its declaration."""


def codec(name: CodecArgument) -> Codec:
    """Return the codec of that name.

    ``"int8"`` … ``"int64"``, ``"uint8"`` … ``"uint64"``, ``"float32"``, ``"float64"``, ``"bool"``, ``"decimal"`` as
    HBase's ``Bytes`` writes them (counters are ``"int64"``); ``"text"`` (UTF-8), ``"datetime"`` (aware, milliseconds as
    ``"int64"``), ``"json"``, ``"msgpack"``, ``"blobref"`` (a reference to a large object elsewhere), ``"bytes"``.
    `avro` creates codecs of Avro.

    Raises:
        InvalidArgument: There is no such codec; for ``"pickle"`` the message has the reason.

    Example:
        >>> from rowstone.codecs import codec
        >>> codec("int64").encode(5).hex(), codec("json").decode(b'{"a": [1, null]}')
        ('0000000000000005', {'a': [1, None]})
    """
    if isinstance(name, Codec):
        return name
    if isinstance(name, Mapping):
        if set(name) - {"avro", "older"} or "avro" not in name:
            raise InvalidArgument(
                f"a codec of Avro is declared as {{'avro': schema, 'older': [schema, …]}}, not {name!r}"
            )
        return avro(name["avro"], older=name.get("older", ()))
    if not isinstance(name, str):
        raise InvalidType(f"a codec is named by text, not by {type(name).__name__}")
    if name == "pickle":
        raise InvalidArgument(PICKLE)
    if name not in CODECS:
        raise InvalidArgument(f"codec {name!r} is unknown; there are: {', '.join(CODECS)}, and avro(schema)")
    return CODECS[name]


def avro(schema: Any, *, older: Any = ()) -> Codec:
    """Return a codec of Avro: each value names the schema that wrote it, so old values stay readable.

    Values are stored in Avro's single-object encoding (C3 01, the fingerprint of the schema, the datum), which other
    languages can read.

    Args:
        schema: The schema, as parsed by Python's ``json``: values are written with it, and converted to it when read.
        older: Schemas that stored values may have been written with.

    Raises:
        ImportError: It needs ``fastavro``. InvalidArgument: The schema is not valid.
    """
    writer = _documents.Avro(schema, tuple(older))
    declared = {"avro": schema, **({"older": list(older)} if older else {})}
    return Codec(declared, writer.encode, writer.decode)
