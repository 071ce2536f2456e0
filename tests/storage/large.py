"""A large backup to an S3 server and back, killed ten times each way: ``python -m tests.storage.large [GIB]``.

Prints one line of JSON: times, the peak memory of the runs, and what was sent. It needs free space of twice the size,
and ``ROWSTONE_S3_SERVER`` as in `tests/storage/conftest.py`. The database is removed before the restore.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

import rowstone as rs
from rowstone._base.remote.chunks import CHUNK_BYTES
from tests.storage.conftest import BUCKET, put, serving
from tests.storage.proxy import Proxy
from tests.storage.runs import run

KILLS = 10
VALUE_BYTES = 100_000
_GIB = 1 << 30
_CHANGE_BYTES = 200 << 20


def add_rows(path: Path, prefix: str, size_bytes: int) -> None:
    """Add rows of random bytes."""
    numbers = random.Random(prefix)
    with rs.connect(path) as db:
        db.create_table("t", ["f"], splits=[f"{digit:x}" for digit in range(1, 16)], if_not_exists=True)
        for number in range(size_bytes // VALUE_BYTES):
            key = f"{numbers.randrange(16):x}-{prefix}-{number}"
            db.table("t").put(key, {"f:q": numbers.randbytes(VALUE_BYTES)}, durability="SKIP_WAL")
        db.admin.flush("t")


def digests(path: Path) -> dict[str, str]:
    """The SHA-256 of all files."""
    found = {}
    for file in sorted(path.rglob("*")):
        if file.is_file():
            with file.open("rb") as opened:
                found[str(file.relative_to(path))] = hashlib.file_digest(opened, "sha256").hexdigest()
    return found


def killed(work: str, proxy: Proxy, source: str, target: str, options: str, step: int) -> dict[str, float]:
    """Do the work with kills after up to ``step`` chunks each, then to its end."""
    method = "PUT" if work == "backup" else "GET"

    def count() -> int:
        return sum(one.method == method and "/chunks/" in one.path for one in list(proxy.requests))

    numbers, start, peak, kills = random.Random(work), time.monotonic(), 0, 0
    for _ in range(KILLS):
        done = run(count, numbers.randint(1, step), work, source, target, "one", options, chunk_bytes=CHUNK_BYTES)
        proxy.wait_until_idle()
        peak, kills = max(peak, done.peak_bytes), kills + done.is_killed
    done = run(None, 0, work, source, target, "one", options, chunk_bytes=CHUNK_BYTES)
    seconds = time.monotonic() - start
    return {"kills": kills, "seconds": round(seconds, 1), "peak_mb": round(max(peak, done.peak_bytes) / 1e6, 1)}


def main(gib: float, folder: Path) -> dict[str, object]:
    """Do all of it in a folder; return the figures."""
    os.environ["MOTO_S3_DEFAULT_KEY_BUFFER_SIZE"] = "65536"
    os.environ["TMPDIR"] = str(folder)
    database, again = folder / "db", folder / "again"
    add_rows(database, "a", int(gib * _GIB))
    size = sum(file.stat().st_size for file in database.rglob("*") if file.is_file())
    step = max(size // CHUNK_BYTES // KILLS, 1)
    with serving() as server:
        put(f"{server}/{BUCKET}")
        proxy = Proxy(server)
        keys = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "aws_region": "us-east-1"}
        options = {**keys, "aws_endpoint": proxy.url}
        url = f"s3://{BUCKET}/large"
        sent = killed("backup", proxy, str(database), url, json.dumps(options), step)
        assert max(proxy.put_chunks().values()) == 1
        sizes = digests(database)
        proxy.requests.clear()
        add_rows(database, "b", _CHANGE_BYTES)
        before = set(sizes)
        changed = sum((database / name).stat().st_size for name in digests(database).keys() - before)
        incremental = rs.backup(database, url, name="two", storage_options=options)
        moved = proxy.sent_bytes()
        shutil.rmtree(database)
        proxy.requests.clear()
        back = killed("restore", proxy, url, str(again), json.dumps(options), step)
        restored = digests(again)
    assert restored.pop("MANIFEST")
    assert restored == {name: digest for name, digest in sizes.items() if name in restored}
    assert {name for name in sizes if name.startswith("data/")} <= restored.keys()
    assert moved <= 1.05 * changed
    assert max(sent["peak_mb"], back["peak_mb"]) < 200
    return {
        "size_bytes": size,
        "backup": sent,
        "restore": back,
        "changed_bytes": changed,
        "moved_bytes": moved,
        "moved_share": round(moved / changed, 4),
        "incremental_sent_bytes": incremental.size_bytes - incremental.linked_bytes,
        "equal": True,
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="rowstone-large-") as place:
        print(json.dumps(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, Path(place))))
