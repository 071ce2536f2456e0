"""Families: how many, their names, what they share."""

from __future__ import annotations

from rowstone.schema.advise import Access, Read
from tests.advise.case import Case, puts


def many_families(is_bad: bool) -> Case:
    return Case(families={f"f{number}": {} for number in range(4)} if is_bad else {"f": {}})


def long_family_name(is_bad: bool) -> Case:
    return Case(families={"contents" if is_bad else "c": {}})


def unportable_family_name(is_bad: bool) -> Case:
    return Case(families={"a b" if is_bad else "a-b": {}})


def family_row_ratio(is_bad: bool) -> Case:
    rare = puts(1, a_q="v", b_q="v") if is_bad else puts(11, a_q="v", b_q="v")
    return Case(families={"a": {}, "b": {}}, puts=[*puts(11, a_q="v"), *rare], limits={"ratio": 10})


def family_byte_ratio(is_bad: bool) -> Case:
    return Case(families={"a": {}, "b": {}}, puts=puts(3, a_q="v" * (1001 if is_bad else 100), b_q="v" * 10))


def families_read_together(is_bad: bool) -> Case:
    together = Read(families=(b"a",), columns=(b"b:q",)) if is_bad else Read(columns=(b"a:q", b"a:r"))
    return Case(families={"a": {}, "b": {}}, access=Access(reads=(together, Read(families=(b"b",)))))


def hot_and_cold_columns(is_bad: bool) -> Case:
    counts = {b"f:hot": 1000, b"f:cold": 1 if is_bad else 100}
    access, limits = Access(column_reads=counts), {"family_bytes": 1000}
    return Case(puts=puts(10, hot="v", cold="v" * 100), flushes=1, access=access, limits=limits)


EXAMPLES = {
    "L01": many_families,
    "L02": long_family_name,
    "L03": unportable_family_name,
    "L25": family_row_ratio,
    "L26": family_byte_ratio,
    "L27": families_read_together,
    "L28": hot_and_cold_columns,
}
