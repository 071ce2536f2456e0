"""``/{table}/schema``: describe, create, change and delete tables. Source: HBase's SchemaResource."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rowstone._base.schema import Family, of_family
from rowstone.errors import InvalidArgument, InvalidName, TableExists
from rowstone.server.rest import _answer
from rowstone.server.rest._answer import NO_CACHE, Answer
from rowstone.server.rest._failures import Refused, bad_request
from rowstone.server.rest._request import Request
from rowstone.server.rest.messages import _models
from rowstone.server.rest.messages.shapes import Message

_TABLE_NAMES = ("name", "ColumnSchema", "IS_META")
_DEFAULTS = {
    "INDEX_BLOCK_ENCODING": "NONE",
    "VERSIONS": "1",
    "KEEP_DELETED_CELLS": "FALSE",
    "DATA_BLOCK_ENCODING": "NONE",
    "TTL": "2147483647",
    "MIN_VERSIONS": "0",
    "REPLICATION_SCOPE": "0",
    "BLOOMFILTER": "ROW",
    "IN_MEMORY": "false",
    "COMPRESSION": "NONE",
    "BLOCKCACHE": "true",
    "BLOCKSIZE": "65536",
}
"""Attributes that HBase writes into every family's description, in its order."""


def describe(request: Request) -> Answer:
    """The table's attributes, and its families with theirs."""
    schema = request.database.admin.describe(request.table_name)
    families = [
        {"name": name.decode(errors="replace"), **_DEFAULTS, **family.to_attributes(), **family.configuration}
        for name, family in schema.families.items()
    ]
    attributes = {"IS_META": "false", **dict(sorted({**schema.attributes, **schema.configuration}.items()))}
    value = {"name": schema.name, **attributes, "ColumnSchema": families}
    return _answer.message(_models.TABLE_SCHEMA, value, request.media, NO_CACHE)


def replace(request: Request) -> Answer:
    """Create the table, or replace its schema: families that are not given are removed with their data."""
    name, admin = request.table_name, request.database.admin
    with _refused_by_the_master():
        families = _families(request.message)
        attributes, configuration = _settings(request.message, _TABLE_NAMES)
        if not admin.tables.exists(name):
            admin.create_table(name, families, attributes=attributes, configuration=configuration)
            return _answer.created(request.url)
        schema = admin.describe(name)
        admin.alter_table(
            name,
            families=families,
            remove=set(schema.families) - set(families),
            attributes={**dict.fromkeys(schema.attributes), **attributes},
            configuration={**dict.fromkeys(schema.configuration), **configuration},
        )
    return _answer.created(request.url)


def update(request: Request) -> Answer:
    """Add and change families; the rest stays. Creates a missing table."""
    name, admin = request.table_name, request.database.admin
    if not admin.tables.exists(name):
        return replace(request)
    with _refused_by_the_master():
        admin.alter_table(name, families=_families(request.message))
    return _answer.done()


def drop(request: Request) -> Answer:
    """Delete the table and its data, enabled or not."""
    request.database.drop_table(request.table_name, force=True)
    return _answer.done()


def _families(message: Message) -> dict[bytes, Family]:
    families = {}
    for family in message.get("ColumnSchema", ()):
        if not family.get("name"):
            raise bad_request("Bad request\r\njava.lang.NullPointerException: a column family has no name")
        attributes, configuration = _settings(family, ("name",))
        name = family["name"].encode()
        with of_family(name):
            families[name] = Family.from_attributes({"VERSIONS": "1", **attributes}, configuration)
    return families


def _settings(message: Message, names: tuple[str, ...]) -> tuple[dict[str, str], dict[str, str]]:
    """Attributes and configuration: HBase stores both in one map; names with a dot are configuration."""
    attributes: dict[str, str] = {}
    configuration: dict[str, str] = {}
    for name, value in message.items():
        if name not in names:
            (configuration if "." in name else attributes)[name] = value
    return attributes, configuration


@contextmanager
def _refused_by_the_master() -> Iterator[None]:
    """Report errors that HBase's gateway receives from the master with status 503, and an existing table with 304."""
    try:
        yield
    except TableExists:
        raise Refused(_answer.text(304, "Not modified")) from None
    except InvalidName:
        raise
    except InvalidArgument as error:
        raise Refused(
            _answer.text(503, f"Unavailable\r\norg.apache.hadoop.hbase.DoNotRetryIOException: {error}")
        ) from None
