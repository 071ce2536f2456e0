"""Values, qualifiers and rows."""

from __future__ import annotations

from tests.advise.case import NOW_MS, Case, puts


def long_qualifiers(is_bad: bool) -> Case:
    return Case(puts=[("r", {"f:" + ("myVeryImportantAttribute" if is_bad else "via"): "v"}, NOW_MS)])


def coordinates_outweigh_values(is_bad: bool) -> Case:
    return Case(puts=puts(3, q="v" if is_bad else "value of some length"))


def coordinates_encoded(is_bad: bool) -> Case:
    family = {} if is_bad else {"DATA_BLOCK_ENCODING": "FAST_DIFF"}
    return Case(families={"f": family}, puts=puts(3, q="v"))


def mixed_value_sizes(is_bad: bool) -> Case:
    large = "v" * (101 if is_bad else 100)
    return Case(puts=[*puts(60, q="v"), ("large1", {"f:q": large}, NOW_MS), ("large2", {"f:q": large}, NOW_MS)])


def large_cells(is_bad: bool) -> Case:
    return Case(puts=puts(1, q=b"v" * (1_000_001 if is_bad else 1_000_000)))


def values_for_mob(is_bad: bool) -> Case:
    return Case(families={"f": {} if is_bad else {"IS_MOB": "true"}}, puts=puts(1, q=b"v" * 102_401))


def large_rows(is_bad: bool) -> Case:
    return Case(puts=puts(1, q="v" * 900, r="v" * (900 if is_bad else 10)), limits={"info": 1000})


def wide_rows(is_bad: bool) -> Case:
    columns = {f"f:{number}": "v" for number in range(1100 if is_bad else 1000)}
    return Case(puts=[("r", columns, NOW_MS)], limits={"warning": 1000})


def counters_among_values(is_bad: bool) -> Case:
    counter = [("r1", {"f:n": (5).to_bytes(8, "big")}, NOW_MS)]
    return Case(puts=[*counter, ("r2", {"f:n" if is_bad else "f:m": "five"}, NOW_MS)])


EXAMPLES = {
    "L04": long_qualifiers,
    "L06": coordinates_outweigh_values,
    "L06, encoded": coordinates_encoded,
    "L14": mixed_value_sizes,
    "L15": large_cells,
    "L16": values_for_mob,
    "L17": large_rows,
    "L18": wide_rows,
    "L41": counters_among_values,
}
