"""Parser of interface definitions: structs, enums and services, read from our own ``.thrift`` files.

Supports a small part of Thrift's language: comments, structs, unions, exceptions, enums, one service, and the
types used there. The files are part of the package, so an error in them is a bug and not bad input.

A struct's value is a named tuple in the order of its fields; None means that a field is not set.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any

from rowstone.server.thrift.codec import types as wire

_TOKENS = re.compile(r"//[^\n]*|\s+|(?P<token>[\w.+-]+|\"[^\"]*\"|[{}()<>:,=])")
_BASE = {
    "bool": wire.BOOL,
    "byte": wire.BYTE,
    "i16": wire.I16,
    "i32": wire.I32,
    "i64": wire.I64,
    "binary": wire.STRING,
    "string": wire.STRING,
}


@dataclass(frozen=True)
class Type:
    """A type: its number on the wire, the element types of a container, and the name of a struct."""

    code: int
    is_text: bool = False
    element: Type | None = None
    key: Type | None = None
    struct: Struct | None = None


@dataclass(frozen=True)
class Field:
    """A field of a struct, an argument, or a declared exception."""

    id: int
    name: str
    type: Type
    required: bool = False
    default: Any = None


@dataclass(eq=False)
class Struct:
    """A struct."""

    name: str
    fields: list[Field] = field(default_factory=list)

    @cached_property
    def values(self) -> Any:
        """The named tuple class of the struct's values, created on first use because that is slower than all else."""
        names = [one.name for one in self.fields]
        return namedtuple(self.name, names, defaults=[one.default for one in self.fields])


@dataclass(frozen=True)
class Method:
    """A method: parameters, return type (``returns`` is None for void), and declared exceptions."""

    name: str
    arguments: Struct
    returns: Type | None
    throws: list[Field]


@dataclass
class Document:
    """A parsed file."""

    structs: dict[str, Struct] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    service: str = ""
    methods: dict[str, Method] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        """The constructor of a struct's values, by the struct's name."""
        try:
            return self.structs[name].values
        except KeyError:
            raise AttributeError(name) from None


def load(name: str) -> Document:
    """Load one of our files, ``"hbase1.thrift"`` or ``"hbase2.thrift"``."""
    return parse(files("rowstone.server.thrift").joinpath("idl", name).read_text())


def parse(text: str) -> Document:
    """Parse a definition. Raises `ValueError` if it is not in the supported language."""
    return _Parser(text).document()


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        match = _TOKENS.match(text, place)
        if match is None:
            raise ValueError(f"nothing of the language begins with {text[place : place + 20]!r}")
        place = match.end()
        if match["token"] is not None:
            yield match["token"]


class _Parser:
    def __init__(self, text: str) -> None:
        self._left = [*_tokens(text)][::-1]
        self._document = Document()

    def document(self) -> Document:
        while self._left:
            kind, name = self._next(), self._next()
            self._expect("{")
            if kind == "enum":
                self._document.enums[name] = dict(self._choices())
            elif kind == "service":
                self._document.service = name
                while not self._took("}"):
                    method = self._method()
                    self._document.methods[method.name] = method
            else:
                struct = self._document.structs[name] = Struct(name)
                struct.fields = list(self._fields("}"))
        return self._document

    def _next(self) -> str:
        if not self._left:
            raise ValueError("the text ends too early")
        return self._left.pop()

    def _took(self, token: str) -> bool:
        if self._left and self._left[-1] == token:
            self._left.pop()
            return True
        return False

    def _expect(self, token: str) -> None:
        found = self._next()
        if found != token:
            raise ValueError(f"{token!r} is expected, not {found!r}")

    def _choices(self) -> Iterator[tuple[str, int]]:
        number = -1
        while not self._took("}"):
            name = self._next()
            number = int(self._next()) if self._took("=") else number + 1
            self._took(",")
            yield name, number

    def _method(self) -> Method:
        returns = None if self._took("void") else self._type()
        name = self._next()
        self._expect("(")
        arguments = Struct(f"{name}_args", list(self._fields(")")))
        throws = []
        if self._took("throws"):
            self._expect("(")
            throws = list(self._fields(")"))
        return Method(name, arguments, returns, throws)

    def _fields(self, end: str) -> Iterator[Field]:
        while not self._took(end):
            number = int(self._next())
            self._expect(":")
            required = self._took("required")
            if not required:
                self._took("optional")
            kind, name = self._type(), self._next()
            default = self._value() if self._took("=") else None
            self._took(",")
            yield Field(number, name, kind, required, default)

    def _type(self) -> Type:
        name = self._next()
        if name in _BASE:
            return Type(_BASE[name], is_text=name == "string")
        if name in self._document.enums:
            return Type(wire.I32)
        if name in ("list", "set", "map"):
            self._expect("<")
            key = None
            if name == "map":
                key = self._type()
                self._expect(",")
            element = self._type()
            self._expect(">")
            return Type({"list": wire.LIST, "set": wire.SET, "map": wire.MAP}[name], element=element, key=key)
        if name in self._document.structs:
            return Type(wire.STRUCT, struct=self._document.structs[name])
        raise ValueError(f"there is no type {name!r} before its use")

    def _value(self) -> Any:
        token = self._next()
        if token in ("true", "false"):
            return token == "true"
        if token.startswith('"'):
            return token[1:-1]
        enum, point, choice = token.partition(".")
        return self._document.enums[enum][choice] if point else int(token, 0)
