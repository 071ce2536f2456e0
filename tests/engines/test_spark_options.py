"""Options of Spark's format that are text stay text; passwords are not shown. It needs no Spark."""

from __future__ import annotations

import pytest

from rowstone.engines import RowSchema, Source
from rowstone.engines.spark._options import options, parse

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
