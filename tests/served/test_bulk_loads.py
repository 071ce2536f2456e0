"""Bulk loads over RPC: only regular files below the staging directory, and no information about any other file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile
from rowstone.errors import InvalidArgument
from tests.served import wire

REFUSED = b"a bulk load takes regular files below the server's staging directory"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[rs.Server]:
    (tmp_path / "staging").mkdir()
    staging = tmp_path / "staging"
    with rs.serve(tmp_path / "db", port=0, zk_port=None, bulk_load_staging_dir=staging) as server:
        for name in ("mine", "secret"):
            server.database.create_table(name, ["f"])
        yield server


def written(path: Path, value: str = "loaded") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    hfile.write(path, [("row", "f:q", 1, value)])
    return path


def load(server: rs.Server, path: object) -> bytes:
    """Return the server's answer to a load into table ``mine``."""
    [region] = server.database.admin.regions.list("mine")
    with wire.connect(server.port) as sock:
        sock.sendall(wire.hello())
        file = wire.field(1, "f") + wire.field(2, str(path))
        message = wire.field(1, wire.by_name(region.name)) + wire.field(2, file) + wire.field(3, 1)
        sock.sendall(wire.request(1, "BulkLoadHFile", message))
        return wire.answer(sock)


def test_a_file_of_the_staging_directory_is_loaded(server: rs.Server, tmp_path: Path) -> None:
    for number, form in enumerate(("{}", "file:{}", "file://{}")):
        file = written(tmp_path / "staging" / "f" / str(number), f"value {number}")
        assert b"Exception" not in load(server, form.format(file))
        assert server.database.table("mine").get("row")["f:q"] == f"value {number}".encode()


def test_a_client_loads_files_over_several_regions(server: rs.Server, tmp_path: Path) -> None:
    """As through a real cluster: the client cuts the file next to it, in the staging directory."""
    server.database.create_table("wide", {"f": {"compression": "GZ"}}, splits=["3", "6"])
    file = tmp_path / "staging" / "wide"
    hfile.write(file, [(str(number), "f:q", 1, "v") for number in range(10)])
    with rs.connect(server.url) as db:
        loaded = db.admin.tables.bulk_load("wide", {"f": [file]}, move=True)
        assert [row.key for row in db.table("wide").scan()] == [b"%d" % number for number in range(10)]
        assert [one.entry_count for one in loaded] == [3, 3, 4]
        assert sorted(path.name for path in (tmp_path / "staging").iterdir()) == ["wide"]
        with pytest.raises(rs.errors.RowstoneError, match=REFUSED.decode()):
            db.admin.tables.bulk_load("wide", {"f": [written(tmp_path / "outside")]})


def test_no_other_file_is_loaded_and_all_refusals_are_alike(server: rs.Server, tmp_path: Path) -> None:
    """The message is the same for another table's store file, for an existing file and for a missing one."""
    server.database.table("secret").put("row", {"f:q": "secret"})
    server.database.admin.flush("secret")
    [store_file] = (tmp_path / "db" / "data" / "default" / "secret").glob("*/f/*")
    staging = tmp_path / "staging"
    (staging / "link").symlink_to(store_file)
    (staging / "folder").symlink_to(tmp_path / "db")
    os.mkfifo(staging / "pipe")
    wrong = [
        store_file, staging / "link", staging / "folder" / store_file.relative_to(tmp_path / "db"), staging / "pipe",
        staging / ".." / store_file.relative_to(tmp_path), written(tmp_path / "outside"), tmp_path / "nothing",
        staging / "nothing", staging, "/etc/passwd", "/dev/zero", "relative", "", "hdfs://host/staging/f", "\x1b[2J",
    ]  # fmt: skip
    texts = set()
    for path in wrong:
        answer = load(server, path)
        assert REFUSED in answer, path
        assert b"\x1b" not in answer
        texts.add(answer[answer.index(b"cannot be loaded") :].split(b"\n")[0])
    assert len(texts) == 1
    assert not list(server.database.table("mine"))


def test_a_file_that_is_none_is_named_as_the_client_named_it(server: rs.Server, tmp_path: Path) -> None:
    file = tmp_path / "staging" / "text"
    file.write_text("no store file, and long enough to be read as one" * 100)
    answer = load(server, file)
    assert str(file).encode() in answer
    assert b"/proc/" not in answer


def test_without_a_staging_directory_there_are_no_bulk_loads(tmp_path: Path) -> None:
    file = written(tmp_path / "file")
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        server.database.create_table("mine", ["f"])
        assert b"--bulk-load-staging-dir" in load(server, file)


@pytest.mark.parametrize("staging", ["db", "db/staging", "."])
def test_a_staging_directory_lies_apart_from_the_database(tmp_path: Path, staging: str) -> None:
    rs.connect(tmp_path / "db").close()
    (tmp_path / "db" / "staging").mkdir()
    with pytest.raises(InvalidArgument, match="in one another"):
        rs.serve(tmp_path / "db", port=0, zk_port=None, bulk_load_staging_dir=tmp_path / staging)
    with pytest.raises(InvalidArgument, match="cannot be opened"):
        rs.serve(tmp_path / "db", port=0, zk_port=None, bulk_load_staging_dir=tmp_path / "none")
