"""An S3 server, and a root with two snapshots in it and on disk."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import rowstone as rs
from tests.storage.proxy import Proxy

BUCKET = "bucket"
START_SECONDS = 60
ROWS = 2_000


@dataclass(frozen=True)
class Storage:
    """A root in S3, a copy of it on disk, and what is needed to change it."""

    url: str
    options: dict[str, str]
    folder: Path

    def put(self, path: Path, body: bytes) -> None:
        """Write the object of a file in the folder."""
        put(f"{self.options['aws_endpoint']}/{BUCKET}/hbase/{path.relative_to(self.folder)}", body)


def put(url: str, body: bytes = b"") -> None:
    """Send a PUT request. The server does not check the signature."""
    headers = {"Content-Type": "application/octet-stream", "Authorization": "AWS key:signature"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers, method="PUT")) as answer:
        assert answer.status == 200


@contextmanager
def serving() -> Iterator[str]:
    """Yield the address of an S3 server: moto, whose program `ROWSTONE_S3_SERVER` names."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = os.environ.get("ROWSTONE_S3_SERVER", "moto_server")
    with subprocess.Popen([program, "-H", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of an S3 server."""
    with serving() as address:
        yield address


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return when the server accepts connections."""
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"the S3 server did not start; it ended with {process.poll()}")


@pytest.fixture
def storage(server: str, tmp_path: Path) -> Storage:
    """A root of ``ROWS`` rows in regions that were just split, in the server and in a folder."""
    folder = tmp_path / "root"
    with rs.connect(tmp_path / "db") as db:
        db.create_table("web", {"f": rs.Family(max_versions=3, compression="GZ"), "g": {}}, splits=["row0500"])
        with db.table("web").batch() as batch:
            for number in range(ROWS):
                batch.put(f"row{number:04}", {"f:a": f"{number}", "g:b": "x" * (number % 300)}, timestamp=number)
        db.admin.flush("web")
        db.admin.regions.split("web", "row1000")
        db.admin.snapshot("nightly", "web")
        db.admin.snapshots.export("nightly", folder)
    put(f"{server}/{BUCKET}")
    options = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "aws_endpoint": server}
    storage = Storage(f"s3://{BUCKET}/hbase", {**options, "aws_region": "us-east-1"}, folder)
    for path in folder.rglob("*"):
        if path.is_file():
            storage.put(path, path.read_bytes())
    return storage


@dataclass(frozen=True)
class Backups:
    """A folder in S3 behind a proxy, empty at first."""

    url: str
    options: dict[str, str]
    proxy: Proxy


@pytest.fixture
def backups(server: str, tmp_path: Path) -> Iterator[Backups]:
    """An empty folder behind a proxy."""
    put(f"{server}/{BUCKET}")
    proxy = Proxy(server)
    keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "aws_region": "us-east-1"}
    yield Backups(f"s3://{BUCKET}/{tmp_path.name}", {**keys, "aws_endpoint": proxy.url}, proxy)
    proxy.close()
