"""Options of Spark's format that are text stay text; passwords are not shown. It needs no Spark."""

from __future__ import annotations

from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import RowSchema, Source
from rowstone.engines.spark._options import options, parse
from rowstone.errors import InvalidType

SCHEMA = RowSchema("text", {"c": ("f:c", "text")})


@pytest.mark.parametrize("password", ["12345", "true", "null", '"quoted"', "{}"])
def test_a_password_is_text(password: str) -> None:
    given = options("hbase://host", "t", SCHEMA, user="7", password=password, rpc_timeout_ms=500)
    assert parse(given).connect == {"user": "7", "password": password, "rpc_timeout_ms": 500}


def test_a_password_is_not_shown() -> None:
    source = Source("hbase://ada:secret@host:16000", "t", SCHEMA, options={"password": "secret", "user": "ada"})
    assert "secret" not in repr(source)
    assert "secret" not in repr(source._address)
    assert "'ada'" in repr(source._address)
    assert repr(source).startswith("Source('hbase://ada:…@host:16000', 't', ")
    assert repr(Source("/data/db", "t", SCHEMA)).startswith("Source('/data/db', 't', ")


def test_none_is_the_default_of_an_option() -> None:
    assert options("hbase://host", "t", SCHEMA, user=None, hosts=None) == options("hbase://host", "t", SCHEMA)


def test_tracing_is_passed_on() -> None:
    assert parse(options("hbase://host", "t", SCHEMA, tracing=True)).connect == {"tracing": True}


@pytest.mark.parametrize(
    ("name", "value"),
    [("tls", rs.Tls("ca.pem")), ("allow_coprocessors", [RowSchema]), ("clock", rs.testing.ManualClock(1))],
)
def test_options_without_a_text_are_refused(name: str, value: Any) -> None:
    given: dict[str, Any] = {name: value}
    with pytest.raises(InvalidType, match=f"{name} has none"):
        options("hbase://host", "t", SCHEMA, **given)
