"""Limits of memory: defaults by what the process may have, settings, and what ``rowstone info`` shows.

Fake control groups, and the table of defaults, are tests of the engine (`sys/memory_limit`, `db/memory_limits.rs`).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.admin._memory import default_limits, limits_for_writing
from rowstone.cli import main
from tests.python.process import run

CACHE, MEMSTORE = "hfile.block.cache.size", "hbase.regionserver.global.memstore.size"
MIB = 1 << 20

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
import rowstone as rs
with rs.connect(sys.argv[2]) as db:
    db.create_table("t", ["f"])
    with db.table("t").batch() as batch:
        for row in range(40_000):
            batch.put(f"{row:08}", {"f:q": bytes(500)})
    rows = sum(1 for _ in db.table("t").scan())
    limits = db.admin.metrics.memory_limits()
    print(rows, limits.process_bytes, limits.process_source, limits.cache_bytes, limits.memstore_bytes)
"""
"""Writes and reads 20 MB under a limit on the address space, and prints the limits."""


def test_a_limited_process_gets_smaller_defaults_and_works(tmp_path: Path) -> None:
    address_space = 640 * MIB
    printed = run(LIMITED, str(address_space), tmp_path / "db").split()
    share = address_space * 50 // 1_000
    assert printed == ["40000", str(address_space), "RLIMIT_AS", str(share), str(share)]


def test_a_library_takes_little_and_a_server_more() -> None:
    own, server = default_limits(dedicated=False), default_limits(dedicated=True)
    assert 4 * MIB <= own.cache_bytes <= 2048 * MIB
    assert 4 * MIB <= own.memstore_bytes <= 256 * MIB
    assert (own.cache_source, server.memstore_source) == ("default", "default")
    if own.process_bytes is not None and own.process_bytes >= 1024 * MIB:
        assert server.cache_bytes > own.cache_bytes
        assert server.memstore_bytes > own.memstore_bytes


def test_a_database_that_is_read_only_tells_the_limits_of_a_writer(tmp_path: Path) -> None:
    rs.connect(tmp_path / "db").close()
    with rs.connect(tmp_path / "db", read_only=True) as db:
        assert db.admin.metrics.memory_limits().cache_bytes <= 256 * MIB
        assert limits_for_writing(db) == default_limits(dedicated=False)
    with rs.connect(tmp_path / "db", read_only=True, cache_bytes=5 * MIB) as db:
        assert limits_for_writing(db).cache_bytes == 5 * MIB


def test_arguments_go_before_settings_and_settings_before_defaults() -> None:
    with rs.connect(":memory:", cache_bytes=5 * MIB, configuration={CACHE: 0.1, MEMSTORE: 0.01}) as db:
        limits, stats = db.admin.metrics.memory_limits(), db.admin.metrics.stats()
        assert (limits.cache_bytes, limits.cache_source) == (5 * MIB, "argument")
        assert (stats["cache_limit_bytes"], stats["memstore_limit_bytes"]) == (5 * MIB, limits.memstore_bytes)
        if limits.process_bytes is not None:
            assert (limits.memstore_bytes, limits.memstore_source) == (limits.process_bytes * 10 // 1_000, MEMSTORE)


def test_a_dedicated_process_shows_its_shares() -> None:
    with rs.connect(":memory:", dedicated=True, configuration={MEMSTORE: 0.2}) as db:
        shown = db.configuration
        assert (shown[CACHE], shown.source(CACHE)) == (0.25, "dedicated")
        assert (shown[MEMSTORE], shown.source(MEMSTORE)) == (0.2, "argument")
        limits = db.admin.metrics.memory_limits()
        assert limits.cache_bytes == default_limits(dedicated=True).cache_bytes
        assert limits.cache_source == "default", "the upper limit of the default holds"
    with rs.connect(":memory:") as db:
        assert (db.configuration[CACHE], db.configuration.source(CACHE)) == (0.05, "default")


def test_shares_above_four_fifths_are_refused() -> None:
    with pytest.raises(rs.errors.InvalidArgument, match=r"together more than 0\.8 of the memory; lower one of them"):
        rs.connect(":memory:", configuration={CACHE: 0.5, MEMSTORE: 0.5})


def test_info_shows_the_limits_and_what_decided_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rs.connect(tmp_path / "db").close()
    limits, server = default_limits(dedicated=False), default_limits(dedicated=True)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["info", str(tmp_path / "db"), "--json"])
    memory = json.loads(capsys.readouterr().out)["memory"]
    assert memory["process_source"] == limits.process_source
    assert (memory["cache_bytes"], memory["cache_source"]) == (limits.cache_bytes, "default")
    assert (memory["serve_cache_bytes"], memory["serve_memstore_bytes"]) == (server.cache_bytes, server.memstore_bytes)
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["info", str(tmp_path / "db")])
    text = capsys.readouterr().out
    assert "for this process" in text or "memory         unknown" in text
    assert "(default)" in text
    assert "for rowstone serve" in text
