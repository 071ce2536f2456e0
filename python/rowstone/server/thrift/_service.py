"""A service: the methods of an interface definition with their functions, and the path of a message through both.

A function is found by name, ``getRow`` as ``get_row`` in one of the modules. A missing function is an error when
the gateway starts. The function receives the `Session` and the arguments in the order of the definition.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Protocol

from rowstone.errors import RowstoneError
from rowstone.server.thrift import _failures
from rowstone.server.thrift._failures import ApplicationFailure, Declared
from rowstone.server.thrift._idl import Document, Field, Method, Struct, Type
from rowstone.server.thrift._session import Session
from rowstone.server.thrift.codec import types
from rowstone.server.thrift.codec.source import Source

_log = logging.getLogger("rowstone.server.thrift")

_APPLICATION_EXCEPTION = Struct(
    "TApplicationException", [Field(1, "message", Type(types.STRING, is_text=True)), Field(2, "type", Type(types.I32))]
)


class Encoding(Protocol):
    """The operations of an encoding that a service needs."""

    name: str

    def begin(self, source: Source) -> tuple[str, int, int]: ...
    def head(self, name: str, kind: int, sequence: int) -> bytearray: ...
    def skip_struct(self, source: Source) -> None: ...
    def reader(self, struct: Struct) -> Callable[[Source], Any]: ...
    def writer(self, struct: Struct) -> Callable[[bytearray, Any], None]: ...


class _Call:
    """A method prepared for one encoding."""

    def __init__(self, method: Method, function: Callable[..., Any], encoding: Encoding) -> None:
        self.function = function
        self.read = encoding.reader(method.arguments)
        self.required = [(place, one.name) for place, one in enumerate(method.arguments.fields) if one.required]
        self.returns = method.returns is not None
        success = [Field(0, "success", method.returns)] if method.returns is not None else []
        result = self.result = Struct(f"{method.name}_result", [*success, *method.throws])
        self.write = encoding.writer(result)
        self.throws = {one.name for one in method.throws}

    def result_of(self, session: Session, arguments: Any) -> Any:
        """The field values of the answer's struct."""
        for place, name in self.required:
            if arguments[place] is None:
                text = f"Required field '{name}' was not present"
                raise ApplicationFailure(_failures.PROTOCOL_ERROR, text)
        try:
            found = self.function(session, *arguments)
        except Declared as failure:
            return self._failed(failure)
        except RowstoneError as error:
            failure_of_error = _failures.declared(error)
            if failure_of_error is None:
                raise
            return self._failed(failure_of_error)
        return (found,) if self.returns else ()

    def _failed(self, failure: Declared) -> Any:
        if failure.name not in self.throws:
            raise ApplicationFailure(_failures.INTERNAL_ERROR, str(failure.values[0]))
        return self.result.values(**{failure.name: failure.values})


class Service:
    """The methods of ``document``, implemented in ``modules``, in every one of ``encodings``."""

    def __init__(self, document: Document, modules: Iterable[ModuleType], encodings: Iterable[Encoding]) -> None:
        self.name = document.service
        self._methods = document.methods
        self._functions = _functions(document, list(modules))
        self._calls: dict[tuple[str, str], _Call] = {}
        self._write_failure = {encoding.name: encoding.writer(_APPLICATION_EXCEPTION) for encoding in encodings}

    def _call(self, name: str, encoding: Encoding) -> _Call | None:
        """The method of that name, prepared on first use: a client calls few of them."""
        call = self._calls.get((encoding.name, name))
        if call is None and name in self._methods:
            call = _Call(self._methods[name], self._functions[name], encoding)
            self._calls[encoding.name, name] = call
        return call

    def answer(self, source: Source, encoding: Encoding, session: Session) -> bytes | None:
        """Return the answer to the message read from ``source``; None for a one-way call.

        Raises `Malformed` for an invalid message, after which nothing more can be read from the source.
        """
        name, kind, sequence = encoding.begin(source)
        if kind not in (types.CALL, types.ONEWAY):
            raise types.Malformed(f"a message of kind {kind} is no call")
        try:
            out = self._answer(source, encoding, session, name, sequence)
        except ApplicationFailure as failure:
            out = encoding.head(name, types.EXCEPTION, sequence)
            self._write_failure[encoding.name](out, (failure.message, failure.kind))
        return None if kind == types.ONEWAY else bytes(out)

    def _answer(self, source: Source, encoding: Encoding, session: Session, name: str, sequence: int) -> bytearray:
        call = self._call(name, encoding)
        if call is None:
            encoding.skip_struct(source)
            raise ApplicationFailure(_failures.UNKNOWN_METHOD, f"Invalid method name: '{name}'")
        arguments = call.read(source)
        try:
            with session.span(self.name, name):
                result = call.result_of(session, arguments)
            out = encoding.head(name, types.REPLY, sequence)
            call.write(out, result)
            return out
        except ApplicationFailure:
            raise
        except Exception as error:
            if not isinstance(error, RowstoneError):
                _log.exception("%s failed", name)
            text = f"Internal error processing {name}: {error}"
            raise ApplicationFailure(_failures.INTERNAL_ERROR, text) from error


def _functions(document: Document, modules: list[ModuleType]) -> dict[str, Callable[..., Any]]:
    found = {}
    for name in document.methods:
        own_name = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        having = [module for module in modules if hasattr(module, own_name)]
        if len(having) != 1:
            raise LookupError(f"{name} is done in {[module.__name__ for module in having]}, not in one module")
        found[name] = getattr(having[0], own_name)
    return found
