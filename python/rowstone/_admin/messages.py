"""Names as they stand in a cluster's messages: JSON, bytes in base64."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from rowstone.errors import InvalidArgument

Message = dict[str, Any]


def packed(value: str | bytes) -> str:
    """Bytes, or a text's bytes."""
    return base64.b64encode(value.encode(errors="surrogateescape") if isinstance(value, str) else value).decode()


def unpacked(text: str) -> bytes:
    """The bytes that a message has."""
    return base64.b64decode(text)


def text(value: str) -> str:
    """The text that a message has as bytes."""
    return unpacked(value).decode(errors="surrogateescape")


def table(name: str) -> Message:
    """A table's name."""
    namespace, _, qualifier = name.rpartition(":")
    return {"namespace": packed(namespace or "default"), "qualifier": packed(qualifier)}


def table_text(message: Message) -> str:
    """A table's name as people write it."""
    namespace, qualifier = text(message["namespace"]), text(message["qualifier"])
    return qualifier if namespace == "default" else f"{namespace}:{qualifier}"


def server(name: str) -> Message:
    """A server: ``host,port,startcode``, or without what is not known of it. Raises `InvalidArgument`."""
    parts = name.replace(":", ",").split(",")
    try:
        numbers = [int(part) for part in parts[1:]]
    except ValueError:
        raise InvalidArgument(f"server {name!r} is not written as host,port,startcode") from None
    return {"host_name": parts[0], **dict(zip(("port", "start_code"), numbers, strict=False))}


def servers(names: Iterable[str]) -> list[Message]:
    """Several servers."""
    return [server(name) for name in names]


def server_text(message: Message) -> str:
    """``host,port,startcode``."""
    return f"{message['host_name']},{message.get('port', 0)},{message.get('start_code', 0)}"


def region(name: str | bytes) -> Message:
    """A region by its full or its encoded name."""
    data = name.encode(errors="surrogateescape") if isinstance(name, str) else name
    return {"type": "REGION_NAME" if b"," in data else "ENCODED_REGION_NAME", "value": packed(data)}


def pairs(settings: dict[str, str]) -> list[Message]:
    """Names with texts."""
    return [{"name": name, "value": value} for name, value in settings.items()]


def settings(messages: list[Message]) -> dict[str, str]:
    """Names with texts, in the order of the names."""
    return dict(sorted((message["name"], message["value"]) for message in messages))
