"""Expressions of pyarrow as trees.

The serialized form of an expression is a sequence of marks, such as ``call greater``, ``field_ref age``, ``literal 0``,
``end greater``, in the metadata of a record batch. Its columns are the literals and the options of functions.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rowstone._base.lazy import import_optional


class Reference(NamedTuple):
    """A column in an expression."""

    name: str


class Literal(NamedTuple):
    """A value in an expression."""

    value: Any


class Call(NamedTuple):
    """A function in an expression, with its options as a dict."""

    function: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]


Node = Reference | Literal | Call


def parse(expression: Any) -> Node:
    """Return the tree of an expression of pyarrow.

    Raises:
        ValueError: Its serialized form is not known.
    """
    pyarrow = import_optional("pyarrow", "arrow_dataset", "arrow")
    _, (data,) = expression.__reduce__()
    batch = pyarrow.ipc.open_file(data).get_batch(0)
    marks = _marks(batch.schema)
    values = [_value(column[0]) for column in batch.columns]
    node = _parse(marks, values)
    if not isinstance(node, Reference | Literal | Call):
        raise ValueError(f"unexpected {node} in an expression of pyarrow")
    return node


def _value(scalar: Any) -> Any:
    """The value of a scalar; an option with text that is not UTF-8, such as a prefix of bytes, is bytes."""
    if hasattr(scalar, "keys") and scalar.is_valid:
        return {name: _value(one) for name, one in scalar.items()}
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes()


def _parse(marks: Iterator[tuple[str, str]], values: Sequence[Any]) -> Any:
    """The next node; of a call the end, or its options, are returned as they are."""
    kind, text = next(marks, ("nothing", ""))
    if kind == "literal":
        return Literal(values[int(text)])
    if kind == "field_ref":
        return Reference(text)
    if kind == "nested_field_ref":
        names = [_parse(marks, values) for _ in range(int(text))]
        return Call("nested_field_ref", tuple(names), {})
    if kind == "options":
        return values[int(text)] or {}
    if kind != "call":
        return kind
    arguments: list[Any] = []
    options: dict[str, Any] = {}
    while (node := _parse(marks, values)) != "end":
        if isinstance(node, dict):
            options = node
        elif isinstance(node, str):
            raise ValueError(f"unexpected {node} in an expression of pyarrow")
        else:
            arguments.append(node)
    return Call(text, tuple(arguments), options)


class _CSchema(ctypes.Structure):
    """The head of ``ArrowSchema`` of Arrow's C data interface."""

    _fields_ = (("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p))


def _marks(schema: Any) -> Iterator[tuple[str, str]]:
    """The metadata of a schema, in its order. pyarrow only has it as a dict, without repeated names."""
    capsule = schema.__arrow_c_schema__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    place = ctypes.cast(pointer(capsule, b"arrow_schema"), ctypes.POINTER(_CSchema)).contents.metadata or 0

    def number() -> int:
        nonlocal place
        place += 4
        return int.from_bytes(ctypes.string_at(place - 4, 4), sys.byteorder, signed=True)

    def text() -> str:
        nonlocal place
        size = number()
        place += size
        return ctypes.string_at(place - size, size).decode()

    found = [(text(), text()) for _ in range(number())]
    del capsule
    return iter(found)


def columns_of(node: Any) -> Iterator[str]:
    """Iterate over the columns in a node, possibly repeated."""
    if isinstance(node, Reference):
        yield node.name
    elif isinstance(node, Call):
        for part in node.arguments:
            yield from columns_of(part)
