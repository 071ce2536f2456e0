"""Our interface texts say what HBase's say: thriftpy2 reads ours as we do, and happybase's own text agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import thriftpy2

import happybase
from rowstone.server.thrift._idl import Document, Field, load, parse
from rowstone.server.thrift.codec import types
from tests.thrift import clients

BINARY_OF_THRIFTPY2 = 18


def shape(code: int, spec: Any) -> Any:
    """A type of thriftpy2 as plain values; bytes and text are one type on the wire."""
    code = types.STRING if code == BINARY_OF_THRIFTPY2 else code
    if code == types.STRUCT:
        return spec.__name__
    parts = spec if code == types.MAP else [spec]
    if code in (types.LIST, types.SET, types.MAP):
        return (code, *(shape(*part) if isinstance(part, tuple) else shape(part, None) for part in parts))
    return code


def fields_of(payload: Any) -> dict[int, Any]:
    """Number, name and type of the fields of thriftpy2's class."""
    found = {}
    for number, (code, name, *rest) in payload.thrift_spec.items():
        found[number] = (name, shape(code, rest[0] if len(rest) > 1 else None))
    return found


def own_shape(field: Field) -> Any:
    """The same for a field of Rowstone's."""

    def of(kind: Any) -> Any:
        if kind.struct is not None:
            return kind.struct.name
        if kind.element is not None:
            return (kind.code, *(of(one) for one in (kind.key, kind.element) if one is not None))
        return kind.code

    return of(field.type)


def own_fields(fields: list[Field]) -> dict[int, Any]:
    return {field.id: (field.name, own_shape(field)) for field in fields}


def compared(document: Document, module: Any, service: Any) -> None:
    for name, struct in document.structs.items():
        assert own_fields(struct.fields) == fields_of(getattr(module, name)), name
        defaults = dict(getattr(module, name).default_spec) if struct.fields else {}
        assert {field.name: field.default for field in struct.fields} == defaults, name
    for name, choices in document.enums.items():
        assert choices == getattr(module, name)._NAMES_TO_VALUES, name
    for name, method in document.methods.items():
        assert own_fields(method.arguments.fields) == fields_of(getattr(service, f"{name}_args")), name
        result = fields_of(getattr(service, f"{name}_result"))
        success = result.pop(0, None)
        assert (success is None) == (method.returns is None), name
        if method.returns is not None:
            assert success == ("success", own_shape(Field(0, "success", method.returns))), name
        assert own_fields(method.throws) == result, name


@pytest.mark.parametrize(("version", "methods"), [(1, 47), (2, 50)])
def test_thriftpy2_reads_our_texts_as_we_do(version: int, methods: int) -> None:
    document = load(f"hbase{version}.thrift")
    assert len(document.methods) == methods == len(clients.service(version).thrift_services)
    compared(document, clients.module(version), clients.service(version))


def test_the_first_text_agrees_with_the_one_that_happybase_brings() -> None:
    path = Path(happybase.__file__).parent / "Hbase.thrift"
    theirs = thriftpy2.load(str(path), module_name="theirs_thrift")
    document = load("hbase1.thrift")
    # happybase's IDL is of an older HBase: one of its methods was removed since, and some were added.
    assert set(theirs.Hbase.thrift_services) - set(document.methods) == {"getRowOrBefore"}
    for name in set(theirs.Hbase.thrift_services) & set(document.methods):
        method = document.methods[name]
        assert own_fields(method.arguments.fields) == fields_of(getattr(theirs.Hbase, f"{name}_args")), name


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("struct A { 1: nope x }", "nope"),
        ("struct A { 1: i32", "too early"),
        ("struct A ( 1: i32 x )", "expected"),
        ("struct A { ? }", "language"),
    ],
)
def test_a_text_that_is_wrong_is_said_so(text: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        parse(text)
