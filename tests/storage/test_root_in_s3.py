"""A root in S3 is read like one on disk. Failures of requests are tested in ``crates/remote``."""

from __future__ import annotations

import pickle

import pytest

import rowstone as rs
from rowstone.engines import RowSchema, Source
from rowstone.errors import InvalidArgument, SnapshotNotFound, StorageError
from tests.storage.conftest import BUCKET, ROWS, Storage

Rows = list[tuple[bytes, dict[bytes, bytes]]]


def rows_of(db: rs.Database, **options: object) -> Rows:
    return [(row.key, dict(row)) for row in db.table("web").scan(**options)]


def test_scans_and_gets_equal_those_of_the_folder(storage: Storage) -> None:
    with (
        rs.open_root(storage.folder, snapshot="nightly") as local,
        rs.open_root(storage.url, snapshot="nightly", storage_options=storage.options) as remote,
    ):
        assert remote.path == f"root+{storage.url}?snapshot=nightly"
        for options in ({}, {"start": "row0990", "stop": "row1010"}, {"prefix": "row07", "reverse": True}):
            expected = rows_of(local, **options)
            assert expected
            assert rows_of(remote, **options) == expected
        assert len(rows_of(remote)) == ROWS
        assert remote.table("web").get("row1234")["f:a"] == b"1234"


def test_other_processes_get_the_options_of_the_storage(storage: Storage) -> None:
    """As the tasks of Spark, Ray and Dask do. Texts do not show the options, which may be secrets."""
    pytest.importorskip("pyarrow")
    url, schema = f"root+{storage.url}?snapshot=nightly", RowSchema("text", {"a": ("f:a", "text")})
    with rs.connect(url, storage_options=storage.options) as db:
        assert len(rows_of(db)) == ROWS
        from_open = pickle.dumps(Source(db, "web", schema))
    from_url = pickle.dumps(Source(url, "web", schema, options={"storage_options": storage.options}))
    for sent in (from_open, from_url):
        source = pickle.loads(sent)
        plan = source.plan()
        assert sum(len(one) for split in source.splits(plan) for one in source.read(plan, split)) == ROWS
        assert "storage_options': '…'" in repr(source._address)


def test_mistakes_are_named(storage: Storage) -> None:
    def refuse(error: type[Exception], match: str, url: str = storage.url, **options: str) -> None:
        with pytest.raises(error, match=match):
            rs.open_root(url, snapshot="nightly", storage_options={**storage.options, **options})

    refuse(SnapshotNotFound, "no snapshot", f"s3://{BUCKET}/elsewhere")
    refuse(StorageError, "missing-bucket", "s3://missing-bucket/hbase", max_retries="0")
    refuse(InvalidArgument, "aws_nothing", aws_nothing="1")
    refuse(StorageError, "Connection refused", aws_endpoint="http://127.0.0.1:9", max_retries="0")


def test_an_object_that_was_replaced_while_it_is_read_is_an_error(storage: Storage) -> None:
    options = {**storage.options, "tail_bytes": "4096"}
    with rs.open_root(storage.url, snapshot="nightly", storage_options=options, cache_bytes=1) as db:
        for path in (storage.folder / "archive").rglob("*"):
            if path.is_file():
                storage.put(path, path.read_bytes()[::-1])
        with pytest.raises(StorageError, match="replaced"):
            rows_of(db)
