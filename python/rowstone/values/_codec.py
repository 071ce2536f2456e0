"""What a codec of values is, and where codecs are found by their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rowstone._base.printable import printable
from rowstone.errors import InvalidArgument, InvalidType
from rowstone.values import _blobref, _documents, _plain

PICKLE = (
    "codec 'pickle' is refused: reading a pickle runs whatever code is in it, only Python reads it, and a "
    "renamed class ends that; use 'json', 'msgpack' or avro(schema)"
)


@dataclass(frozen=True)
class Codec:
    """How values of a column become bytes and back. Made by `codec` and `avro`.

    Attributes:
        name: What declares it: text, or for Avro the schema.
        encode: The bytes of a value; raises `InvalidArgument` for what does not fit.
        decode: The value of bytes; raises `InvalidArgument` for what is none.
        frame: The type of its column in a pandas frame.
    """

    name: str | Mapping[str, Any]
    encode: Callable[[Any], bytes] = field(repr=False)
    decode: Callable[[bytes], Any] = field(repr=False)
    frame: str = field(default="object", repr=False)

    def show(self, data: bytes) -> str:
        """The value of bytes as text for people, in one line."""
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
"""The codecs that have names."""

CodecArgument = Codec | str | Mapping[str, Any]
"""A codec, its name, or what declares it."""


def codec(name: CodecArgument) -> Codec:
    """The codec of that name.

    ``"int8"`` … ``"int64"``, ``"uint8"`` … ``"uint64"``, ``"float32"``, ``"float64"``, ``"bool"``, ``"decimal"`` as
    HBase's ``Bytes`` writes them (counters are ``"int64"``); ``"text"`` (UTF-8), ``"datetime"`` (aware, milliseconds as
    ``"int64"``), ``"json"``, ``"msgpack"``, ``"blobref"`` (a reference to a large object elsewhere), ``"bytes"``.
    `avro` makes codecs of Avro.

    Raises:
        InvalidArgument: There is none of that name; for ``"pickle"`` with the reason.

    Example:
        >>> from rowstone.values import codec
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
    """A codec of Avro: each value says which schema wrote it, and old ones stay readable.

    Written as Avro's single-object encoding (C3 01, the fingerprint of the schema, the datum), which other languages
    read.

    Args:
        schema: The schema, as Python's ``json`` reads it: values are written with it, and read into it.
        older: Schemas with which stored values may have been written.

    Raises:
        ImportError: It needs ``fastavro``. InvalidArgument: It is no schema.
    """
    writer = _documents.Avro(schema, tuple(older))
    declared = {"avro": schema, **({"older": list(older)} if older else {})}
    return Codec(declared, writer.encode, writer.decode)
