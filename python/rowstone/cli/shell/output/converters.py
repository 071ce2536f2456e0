"""Converters for printed bytes: methods of HBase's ``Bytes``, from ``'f:q:toInt'``, ``c(...)`` or FORMATTER."""

from __future__ import annotations

import importlib
import struct
from collections.abc import Callable
from typing import Any

from rowstone._base.printable import from_printable, printable
from rowstone.cli.shell.errors import ArgumentMistake, ShellError
from rowstone.cli.shell.values import inspect, to_bytes, to_s

Converter = Callable[[bytes], Any]

BYTES = "org.apache.hadoop.hbase.util.Bytes"


def _number(form: str) -> Converter:
    size = struct.calcsize(form)

    def convert(data: bytes) -> Any:
        if len(data) < size:
            raise ArgumentMistake(f"offset (0) + length ({size}) exceed the capacity of the array: {len(data)}")
        return struct.unpack_from(form, data)[0]

    return convert


def _boolean(data: bytes) -> bool:
    if len(data) != 1:
        raise ArgumentMistake(f"Array has wrong size: {len(data)}")
    return data[0] != 0


METHODS: dict[str, Converter] = {
    "toInt": _number(">i"),
    "toLong": _number(">q"),
    "toShort": _number(">h"),
    "toFloat": _number(">f"),
    "toDouble": _number(">d"),
    "toBoolean": _boolean,
    "toString": lambda data: data.decode(errors="replace"),
    "toStringBinary": printable,
    "toHex": bytes.hex,
    "len": len,
}


def encode(value: Any) -> bytes:
    """Convert a value like ``Bytes.toBytes``: a string to its bytes, a number to 8 bytes, ``true`` to one."""
    if isinstance(value, bool):
        return b"\xff" if value else b"\0"
    if isinstance(value, int):
        return struct.pack(">q", value)
    if isinstance(value, float):
        return struct.pack(">d", value)
    return to_bytes(value)


def call_bytes(method: str, arguments: list[Any]) -> Any:
    """Call a method of ``Bytes`` by its name."""
    if method == "toBytes":
        return encode(arguments[0])
    if method == "toBytesBinary":
        return from_printable(to_s(arguments[0]))
    if method in METHODS:
        return METHODS[method](to_bytes(arguments[0]))
    raise ShellError(f"undefined method `{method}' for class `{BYTES}'", "NameError")


def converter(method: str | None, class_name: str | None = None) -> Converter:
    """Look up the function that formats the bytes of a cell.

    Args:
        method: A method of the class, by default ``toStringBinary``.
        class_name: HBase's ``Bytes``, or an importable Python class or module whose function takes bytes.

    Raises:
        ShellError: There is no such class or method.
    """
    name = method or "toStringBinary"
    if class_name in (None, "", BYTES, "Bytes"):
        if name not in METHODS:
            raise ShellError(f"undefined method `{name}' for class `{BYTES}'", "NameError")
        return METHODS[name]
    return _of_python(str(class_name), name)


def _of_python(class_name: str, method: str) -> Converter:
    module_name, _, attribute = class_name.rpartition(".")
    for path, inner in ((class_name, ""), (module_name, attribute)):
        if not path:
            continue
        try:
            holder: Any = importlib.import_module(path)
        except ImportError:
            continue
        holder = getattr(holder, inner, None) if inner else holder
        found = getattr(holder, method, None)
        if callable(found):
            return _guarded(found, f"{class_name}.{method}")
    raise ShellError(
        f"no class {class_name} with a method {method}: there are {BYTES}, and what Python can import", "NameError"
    )


def _guarded(function: Converter, name: str) -> Converter:
    def convert(data: bytes) -> Any:
        try:
            return function(data)
        except Exception as error:
            raise ShellError(f"{name} failed: {error}") from error

    return convert


def show(convert: Converter, data: bytes) -> str:
    """Format ``data`` with ``convert``."""
    value = convert(data)
    return value if isinstance(value, str) else to_s(value) if value is None else inspect(value)
