"""``/{table}/schema``: a table's description, and making, changing and removing tables. Source: HBase's SchemaResource."""

from __future__ import annotations

from collections.abc import Mapping

from rowstone._schema import Family
from rowstone.errors import TableExists
from rowstone.rest import _answer, _models
from rowstone.rest._answer import NO_CACHE, Answer
from rowstone.rest._failures import bad_request
from rowstone.rest._request import Request
from rowstone.rest.shapes import Message

_DEFAULTS = {
    "BLOOMFILTER": "ROW",
    "IN_MEMORY": "false",
    "VERSIONS": "1",
    "KEEP_DELETED_CELLS": "FALSE",
    "DATA_BLOCK_ENCODING": "NONE",
    "COMPRESSION": "NONE",
    "TTL": "2147483647",
    "MIN_VERSIONS": "0",
    "BLOCKCACHE": "true",
    "BLOCKSIZE": "65536",
    "REPLICATION_SCOPE": "0",
}
"""What HBase writes into every family's description."""


def describe(request: Request) -> Answer:
    """The table's attributes, and its families with theirs."""
    schema = request.database.admin.describe(request.table_name)
    families = [
        {"name": name.decode(errors="replace"), **_DEFAULTS, **family.to_attributes()}
        for name, family in schema.families.items()
    ]
    value = {"name": schema.name, **schema.attributes, "ColumnSchema": families}
    return _answer.message(_models.TABLE_SCHEMA, value, request.media, NO_CACHE)


def replace(request: Request) -> Answer:
    """Makes the table, or makes it what the request describes: other families go, with their data."""
    name, admin = request.table_name, request.database.admin
    families, attributes = _families(request.message), _attributes(request.message)
    if not admin.exists(name):
        try:
            admin.create_table(name, families, attributes=attributes)
        except TableExists:
            return _answer.text(304, "Not modified")
        return _answer.created(request.url)
    schema = admin.describe(name)
    changes: dict[str, str | None] = {**dict.fromkeys(schema.attributes), **attributes}
    admin.alter_table(name, families=families, remove=set(schema.families) - set(families), attributes=changes)
    return _answer.created(request.url)


def update(request: Request) -> Answer:
    """Adds and changes families; others and the table's attributes stay. Makes the table where there is none."""
    name, admin = request.table_name, request.database.admin
    if not admin.exists(name):
        return replace(request)
    admin.alter_table(name, families=_families(request.message))
    return _answer.done()


def drop(request: Request) -> Answer:
    """Removes the table and its data, enabled or not."""
    request.database.drop_table(request.table_name)
    return _answer.done()


def _families(message: Message) -> dict[bytes, Family]:
    families = {}
    for family in message.get("ColumnSchema", ()):
        if not family.get("name"):
            raise bad_request("Bad request: a column family has no name")
        attributes = {"VERSIONS": "1", **{key: value for key, value in family.items() if key != "name"}}
        families[family["name"].encode()] = Family.from_attributes(attributes)
    return families


def _attributes(message: Message) -> Mapping[str, str]:
    return {key: value for key, value in message.items() if key not in ("name", "ColumnSchema", "IS_META")}
