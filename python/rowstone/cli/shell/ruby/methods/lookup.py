"""The methods of each kind of value."""

from __future__ import annotations

from typing import Any

from rowstone.cli.shell.ruby.methods.arrays import ARRAY
from rowstone.cli.shell.ruby.methods.enumerators import ENUMERATOR
from rowstone.cli.shell.ruby.methods.general import NIL, OBJECT
from rowstone.cli.shell.ruby.methods.hashes import HASH
from rowstone.cli.shell.ruby.methods.numbers import FLOAT, INTEGER
from rowstone.cli.shell.ruby.methods.others import CLASS, ERROR, PROC, TIME
from rowstone.cli.shell.ruby.methods.ranges import RANGE
from rowstone.cli.shell.ruby.methods.table import MethodTable
from rowstone.cli.shell.ruby.methods.texts import JAVA_BYTES, MATCH, REGEXP, STRING, SYMBOL
from rowstone.cli.shell.ruby.values.moments import Moment
from rowstone.cli.shell.ruby.values.objects import (
    ClassReference,
    Enumerator,
    ErrorObject,
    Hash,
    MatchData,
    Proc,
    Range,
    Regex,
)
from rowstone.cli.shell.values import Binary, Symbol

_TABLES: dict[type, MethodTable] = {
    str: STRING,
    Binary: STRING,
    Symbol: SYMBOL,
    bool: OBJECT,
    int: INTEGER,
    float: FLOAT,
    list: ARRAY,
    tuple: ARRAY,
    bytes: JAVA_BYTES,
    type(None): NIL,
    Hash: HASH,
    Range: RANGE,
    Regex: REGEXP,
    MatchData: MATCH,
    Proc: PROC,
    Moment: TIME,
    ErrorObject: ERROR,
    ClassReference: CLASS,
    Enumerator: ENUMERATOR,
}


def register(kind: type, table: MethodTable) -> None:
    """Register the methods of a type of value."""
    _TABLES[kind] = table


def table_of(value: Any) -> MethodTable:
    """The methods of a value."""
    return _TABLES.get(type(value)) or OBJECT
