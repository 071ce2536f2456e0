"""Files that a call writes appear when they are complete: a failure leaves an existing file as it is.

Devices and pipes are written to, not replaced.
"""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, hfile, schema

CELLS = [("row1", "f:q", 5, "value"), ("row2", "f:q", 5, "value")]
Writer = Callable[[str | os.PathLike[str]], object]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def table(rowstone_db: rs.Database) -> rs.Table:
    rowstone_db.create_table("t", ["f"])
    table = rowstone_db.table("t")
    table.put("row", {"f:q": "value"})
    return table


@pytest.fixture(params=["heat", "hfile", "parquet", "schema"])
def write(request: pytest.FixtureRequest, rowstone_db: rs.Database, table: rs.Table) -> Writer:
    writers: dict[str, Writer] = {
        "heat": lambda path: schema.heat.save([rowstone_db.admin.metrics.heat_map("t")], path),
        "hfile": lambda path: hfile.write(path, CELLS),
        "parquet": lambda path: table.scan().to_parquet(path),
        "schema": lambda path: schema.dump(rowstone_db, path),
    }
    return writers[request.param]


def test_a_device_is_not_replaced_by_a_file(write: Writer, tmp_path: Path) -> None:
    """Regression: ``to_parquet("/dev/null")`` by root replaced the device; `hfile.write` removed it."""
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    write(link)
    assert link.is_symlink()
    assert Path("/dev/null").is_char_device()
    assert names_in(tmp_path) == ["link"]


def test_a_pipe_is_written_to(write: Writer, tmp_path: Path) -> None:
    """Regression: the pipe was replaced by a file, and its reader waited."""
    pipe, whole, found = tmp_path / "pipe", tmp_path / "whole", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(pipe)
    reader.join(30)
    assert pipe.is_fifo()
    write(whole)
    assert len(found[0]) == whole.stat().st_size > 0


def test_an_open_descriptor_is_written_to(write: Writer, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+b") as file:
        write(f"/dev/fd/{file.fileno()}")
        assert os.path.samestat(os.fstat(file.fileno()), Path(file.name).stat())
        assert os.fstat(file.fileno()).st_size > 0


def test_a_file_is_left_as_it_is_by_a_scan_that_fails(table: rs.Table, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("valuable")
    (tmp_path / "out.new").write_text("valuable, too")
    scan = table.scan()
    with pytest.raises(errors.InvalidArgument, match="no codec"):
        scan.to_parquet(tmp_path / "out", codecs={"f:q": "no codec"})
    with pytest.raises(errors.InvalidArgument, match="compression"):
        table.scan().to_parquet(tmp_path / "out", compression="no compression")  # type: ignore[arg-type]
    assert (tmp_path / "out").read_text() == "valuable"
    assert table.scan().to_parquet(tmp_path / "out") == 1
    assert (tmp_path / "out").read_bytes().startswith(b"PAR1")
    assert (tmp_path / "out.new").read_text() == "valuable, too"
    assert names_in(tmp_path) == ["out", "out.new"]


def test_a_heat_map_that_cannot_be_written_leaves_no_file(
    rowstone_db: rs.Database, table: rs.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: a full disk left ``HEAT.new`` in the directory of the database."""
    maps = [rowstone_db.admin.metrics.heat_map("t")]
    schema.heat.save(maps, tmp_path / "HEAT")
    before = (tmp_path / "HEAT").read_text()

    def fail(path: Path, *_: object, **__: object) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(OSError, match="No space"):
        schema.heat.save(maps, tmp_path / "HEAT")
    assert (names_in(tmp_path), (tmp_path / "HEAT").read_text()) == (["HEAT"], before)


def test_a_replaced_file_keeps_its_link_and_permissions(table: rs.Table, tmp_path: Path) -> None:
    (tmp_path / "private").touch(0o600)
    (tmp_path / "link").symlink_to("private")
    table.scan().to_parquet(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "private").stat().st_size > 0


def test_an_existing_store_file_is_not_destroyed(tmp_path: Path) -> None:
    """Regression: the file was truncated at once, and removed if a cell was refused."""

    def broken() -> Iterator[tuple[str, str, int, str]]:
        yield CELLS[0]
        raise BrokenPipeError("of the caller")

    path = tmp_path / "file"
    assert hfile.write(path, CELLS) == 2
    with pytest.raises(errors.ExistsError, match="exists already: choose another name"):
        hfile.write(path, [])
    assert hfile.verify(path) == 2
    with pytest.raises(BrokenPipeError, match="of the caller"):
        hfile.write(tmp_path / "other", broken())
    with pytest.raises(errors.InvalidArgument, match="is a directory"):
        hfile.write(tmp_path, CELLS)
    assert names_in(tmp_path) == ["file"]
