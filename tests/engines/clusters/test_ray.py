"""Ray Data reads and writes tables, with filters and projections of the dataset pushed down."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone.engines import Compare, Sink, Source
from rowstone.engines import ray as rowstone_ray
from tests.engines.clusters import functions
from tests.engines.clusters.conftest import COUNT
from tests.engines.sample import SCHEMA, cells, records, rows_of, same

# Warnings of Ray and pandas are not Rowstone's.
pytestmark = pytest.mark.filterwarnings("default")


def expressions() -> dict[str, tuple[Any, bool]]:
    """Expressions, and whether Rowstone evaluates all of them."""
    col = import_module("ray.data.expressions").col
    return {
        "range": ((col("row") >= "r00100") & (col("row") < "r00120"), True),
        "in": (col("town").is_in(["Bern", None]), True),
        "not in": (col("town").not_in(["Bern"]), True),
        "or": ((col("age") > 60) | ~(col("visits") != 3), True),
        "null": (col("age").is_null() & (col("town") == "Rome"), True),
        "float": (col("score") > 20.0, False),
        "mixed": ((col("row") < "r00120") & (col("age") + col("visits") > 50), False),
    }


@pytest.mark.parametrize("name", ["range", "in", "not in", "or", "null", "float", "mixed"])
def test_filters_give_the_rows_that_ray_gives(ray: Any, db: rs.Database, url: str, name: str) -> None:
    """Ray filters the same rows as blocks of its own."""
    expression, is_complete = expressions()[name]
    source = rowstone_ray.datasource(Source(url, "t", SCHEMA))
    table = import_module("pyarrow").Table.from_pylist(rows_of(db.table("t")), SCHEMA.arrow())
    wanted = table.filter(expression.to_pyarrow()).to_pylist()
    assert wanted
    same(ray.data.read_datasource(source).filter(expr=expression).take_all(), wanted)
    pushed = source.apply_predicate(expression)
    assert (pushed._left is None) is is_complete
    # What Rowstone can evaluate of the parts does not wait for the rest.
    assert len(pushed._parts) == (0 if name == "float" else 2 if name == "null" or name == "range" else 1)


def test_a_projection_and_a_condition(ray: Any, db: rs.Database, url: str) -> None:
    source = Source(url, "t", SCHEMA)
    found = rowstone_ray.from_rowstone(source, ["row", "age"], Compare("visits", "==", 3))
    wanted = [{"row": one["row"], "age": one["age"]} for one in records(COUNT) if one["visits"] == 3]
    same(found.take_all(), wanted)
    assert found.select_columns(["age"]).schema().names == ["age"]
    assert found.limit(2).count() == 2
    assert found.count() == len(wanted)
    assert rowstone_ray.from_rowstone(source, ["row"], Compare("row", "<", "a")).count() == 0


def test_a_block_for_each_region_of_a_small_table(ray: Any, url: str) -> None:
    """Regression: without an estimate of the size, Ray cut 200 rows into 200 blocks."""
    assert rowstone_ray.from_rowstone(Source(url, "t", SCHEMA)).materialize().num_blocks() == 4


def test_renamed_columns_in_another_order(ray: Any, db: rs.Database, url: str) -> None:
    col = import_module("ray.data.expressions").col
    dataset = rowstone_ray.from_rowstone(Source(url, "t", SCHEMA))
    wanted = [{"visits": one["visits"], "row": one["row"]} for one in records(COUNT)]
    selected = dataset.select_columns(["visits", "row"])
    assert selected.schema().names == ["visits", "row"]
    assert list(selected.take(1)[0]) == ["visits", "row"]
    same(selected.take_all(), wanted)
    renamed = selected.rename_columns({"visits": "number"})
    assert renamed.schema().names == ["number", "row"]
    same(renamed.take_all(), [{"number": one["visits"], "row": one["row"]} for one in wanted])
    filtered = renamed.filter(expr=col("number") == 3).select_columns(["row", "number"])
    assert list(filtered.take(1)[0]) == ["row", "number"]
    same(filtered.take_all(), [{"row": one["row"], "number": 3} for one in wanted if one["visits"] == 3])


def test_projections_follow_each_other(ray: Any, url: str) -> None:
    source = rowstone_ray.datasource(Source(url, "t", SCHEMA))
    found = source.apply_projection({"visits": "visits", "row": "row", "age": "age"})
    assert found.apply_projection(None).get_projection_map() == found.get_projection_map()
    last = found.apply_projection({"visits": "visits", "age": "age", "town": "town"})
    assert list(last.get_projection_map()) == ["visits", "age"]
    assert {tuple(task.schema.names) for task in last.get_read_tasks(1)} == {("visits", "age")}


def test_a_write_of_a_killed_worker(ray: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    """A worker dies once; a region has split since the tasks were listed."""
    dataset = rowstone_ray.from_rowstone(Source(url, "t", SCHEMA))
    db.admin.regions.split("t", "r00175")
    deadly = functions.at_row(functions.kill, str(tmp_path))
    killed = dataset.map_batches(lambda table: joined(deadly(table.to_batches())), batch_format="pyarrow")
    assert rowstone_ray.to_rowstone(killed, Sink(url, "copy", SCHEMA)) == COUNT
    assert (tmp_path / "happened").exists()
    same(rows_of(db.table("copy")), records(COUNT))
    assert len({cell[3] for cell in cells(db.table("copy"))}) == 1


def test_increments_are_added_once(ray: Any, db: rs.Database, url: str, tmp_path: Path) -> None:
    dataset = rowstone_ray.from_rowstone(Source(url, "t", SCHEMA), ["row", "visits"])
    deadly = functions.at_row(functions.kill, str(tmp_path))
    killed = dataset.map_batches(lambda table: joined(deadly(table.to_batches())), batch_format="pyarrow")
    assert rowstone_ray.to_rowstone(killed, Sink(url, "t", SCHEMA, mode="increment")) == COUNT
    assert [one["visits"] for one in rows_of(db.table("t"))] == [2 * one["visits"] for one in records(COUNT)]


def joined(batches: Iterator[Any]) -> Any:
    """Batches as a table."""
    return import_module("pyarrow").Table.from_batches(list(batches))
