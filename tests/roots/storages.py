"""A copy of a root in the storage that ``ROWSTONE_ROOTS_STORAGE`` names: ``file`` (no copy), ``s3`` or ``hdfs``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import rowstone as rs
from tests.hbase.cluster.processes import HBaseProcesses
from tests.storage.conftest import put, serving

STORAGE = os.environ.get("ROWSTONE_ROOTS_STORAGE", "file")
BUCKET = "roots"
PARTS = ("hbase.version", ".hbase-snapshot", "data", "archive", "mobdir")
"""What readers need of a root; the rest, such as logs, changes all the time."""
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "aws_region": "us-east-1"}


@dataclass(frozen=True)
class Place:
    """Location of a root: its URL and storage options."""

    url: str
    options: dict[str, str] = field(default_factory=dict)

    def open(self, snapshot: str | None = None) -> rs.Database:
        """Open it, or one of its snapshots."""
        return rs.open_root(self.url, snapshot=snapshot, storage_options=self.options)


def parts_of(folder: Path) -> list[Path]:
    """The parts that a root has."""
    return [folder / part for part in PARTS if (folder / part).exists()]


@contextmanager
def place_of(folder: Path, storage: str = STORAGE) -> Iterator[Place]:
    """The root in ``folder``, copied into a storage for as long as the block runs."""
    with {"file": _in_place, "s3": _in_s3, "hdfs": _in_hdfs}[storage](folder) as place:
        yield place


@contextmanager
def _in_place(folder: Path) -> Iterator[Place]:
    yield Place(folder.as_uri())


@contextmanager
def _in_s3(folder: Path) -> Iterator[Place]:
    with serving() as address:
        put(f"{address}/{BUCKET}")
        for path in (path for part in parts_of(folder) for path in (part, *part.rglob("*"))):
            if path.is_file():
                put(f"{address}/{BUCKET}/hbase/{path.relative_to(folder)}", path.read_bytes())
        yield Place(f"s3://{BUCKET}/hbase", KEYS | {"aws_endpoint": address})


@contextmanager
def _in_hdfs(folder: Path) -> Iterator[Place]:
    cluster = HBaseProcesses(hdfs=True)
    try:
        cluster.start_hdfs()
        cluster.upload(parts_of(folder))
        yield Place(cluster.root_url)
    finally:
        cluster.close()
