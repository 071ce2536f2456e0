"""Wrong arguments of jobs: errors name the argument, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors, jobs

Call = Callable[[Any, Path], Any]
WRONG: dict[str, tuple[type[Exception], Call]] = {
    "max_differences must be an int": (
        errors.InvalidType,
        lambda db, _: jobs.compare_tables(db, "t", db, "u", max_differences=None),  # type: ignore[arg-type]
    ),
    "range_bytes must be an int": (
        errors.InvalidType,
        lambda db, out: jobs.hash_table(db, "t", out, range_bytes=None),  # type: ignore[arg-type]
    ),
    "workers must be an int": (errors.InvalidType, lambda db, _: jobs.count_rows(db, "t", workers=None)),  # type: ignore[arg-type]
    "target must be a Database, not Table": (
        errors.InvalidType,
        lambda db, _: jobs.copy_table(db, "t", db.table("u")),
    ),
    "start must be bytes or str, not int": (
        errors.InvalidType,
        lambda db, out: jobs.copy_table(db, "t", db, "u", start=5, state=out),  # type: ignore[arg-type]
    ),
    "key must be the name of a field": (
        errors.InvalidType,
        lambda db, out: jobs.export_table(db, "t", out.with_suffix(".csv"), key=None),  # type: ignore[arg-type]
    ),
    "'timestamp_from'; did you mean 'timestamp_field'": (
        errors.InvalidType,
        lambda db, out: jobs.import_file(db, "t", out, {"f:a": "a"}, timestamp_from="at"),
    ),
    "to itself": (errors.InvalidArgument, lambda db, out: jobs.copy_table(db, "t", db, "default:t", state=out)),
    "table name '' is not legal": (errors.InvalidName, lambda db, out: jobs.copy_table(db, "t", db, "", state=out)),
    "'less' lacks the families g": (
        errors.NoSuchColumnFamily,
        lambda db, out: jobs.copy_table(db, "t", db, "less", state=out),
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_errors_name_the_argument(db: rs.Database, tmp_path: Path, message: str) -> None:
    db.create_table("u", ["f", "g"])
    db.create_table("less", ["f"])
    db.table("t").put("r", {"f:q": "v"})
    kind, call = WRONG[message]
    with pytest.raises(kind, match=message):
        call(db, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    assert list(db.table("u")) == []


@pytest.mark.parametrize("name", ["people.csv", "linked.csv", "people.csv.import.json"])
def test_refused_lines_do_not_replace_another_file_of_the_import(db: rs.Database, tmp_path: Path, name: str) -> None:
    path, columns = tmp_path / "people.csv", {"f:a": "a"}
    path.write_text("id,a\nx,1\ny\n")
    (tmp_path / "linked.csv").symlink_to(path)
    with pytest.raises(errors.InvalidArgument, match=f"bad_file is .*{name}., the .*file"):
        jobs.import_file(db, "t", path, columns, key="id", bad_lines="skip", bad_file=tmp_path / name)
    assert path.read_text() == "id,a\nx,1\ny\n"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["linked.csv", "people.csv"]
    assert list(db.table("t")) == []


OTHERS: dict[str, Call] = {
    "import": lambda db, other: jobs.import_file(db, "t", other, {"f:a": "a"}, key="id", state=other, restart=True),
    "copy": lambda db, other: jobs.copy_table(db, "t", db, "u", state=other, restart=True),
    "compare": lambda db, other: jobs.compare_tables(db, "t", db, "u", state=other, restart=True),
    "count": lambda db, other: jobs.count_rows(db, "t", state=other, restart=True),
}


@pytest.mark.parametrize("job", OTHERS)
def test_a_restart_does_not_remove_a_file_that_is_no_progress_of_the_job(
    db: rs.Database, tmp_path: Path, job: str
) -> None:
    db.create_table("u", ["f", "g"])
    other = tmp_path / "other.csv"
    other.write_text("id,a\nx,1\n")
    with pytest.raises(errors.InvalidArgument, match=r"other.csv' is not the state of a job"):
        OTHERS[job](db, other)
    assert other.read_text() == "id,a\nx,1\n"
    assert list(db.table("t")) == []
