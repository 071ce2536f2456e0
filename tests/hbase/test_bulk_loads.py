"""Bulk loads into a real HBase through its servers: files are cut, and regions that split or move take theirs."""

from __future__ import annotations

import getpass
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import hfile, jobs
from rowstone.admin._bulk_load import BulkLoad
from rowstone.admin._incoming_files import IncomingFile
from rowstone.errors import InvalidArgument, NoSuchColumnFamily, RemoteError
from tests.hbase.cluster.server import StandaloneHBase
from tests.python.test_bulk_load import fill

FAMILIES = {"f": rs.Family(max_versions=3, compression="GZ", data_block_encoding="FAST_DIFF"), "g": {}}


def written(path: Path, count: int = 100, value: str = "v", family: str = "f") -> Path:
    """A file with rows 000 to 099."""
    path.parent.mkdir(parents=True, exist_ok=True)
    hfile.write(path, [(f"{number:03}", f"{family}:q", 5, value) for number in range(count)])
    return path


@pytest.fixture(scope="module")
def cluster(hbase: StandaloneHBase) -> Iterator[rs.Database]:
    """A connection as the user who owns the test's files."""
    with rs.connect(hbase.url, user=getpass.getuser()) as db:
        yield db


def values(table: rs.Table, column: str = "f:q") -> list[bytes]:
    return [row[column] for row in table.scan(columns=[column])]


@pytest.mark.parametrize("move", [False, True])
def test_an_export_of_other_regions_is_loaded(cluster: rs.Database, tmp_path: Path, move: bool) -> None:
    """Two families, delete markers, tags; the files are cut where the cluster's regions are others."""
    name = f"exported_{move}"
    with rs.connect(tmp_path / "db") as source:
        source.create_table("moving", FAMILIES, splits=["r01", "r03"])
        fill(source.table("moving"))
        files = source.admin.tables.export_hfiles("moving", tmp_path / "out")
        jobs.create_table_like(source, "moving", cluster, name, splits=["r02"])
        paths = {family: [one.path for one in files if one.family == family] for family in (b"f", b"g")}
        loaded = cluster.admin.tables.bulk_load(name, paths, move=move)
        assert jobs.compare_tables(source, "moving", cluster, name).are_equal
    assert sum(one.entry_count for one in loaded) == sum(one.entry_count for one in files)
    assert {one.region for one in loaded} == {one.encoded_name for one in cluster.admin.regions.list(name)}
    assert not list(tmp_path.rglob("cut-*"))
    left = [one.path for one in files if Path(one.path).exists()]
    assert left if move else len(left) == len(files)


def test_loaded_cells_hide_older_ones_and_are_hidden_by_later_ones(
    cluster: rs.Database, table: rs.Table, tmp_path: Path
) -> None:
    table.put("001", {"f:q": "before"}, timestamp=5)
    cluster.admin.tables.bulk_load(table.name, {"f": [f"file://{written(tmp_path / 'a b')}"]})
    assert (table.get("001")["f:q"], len(values(table))) == (b"v", 100)
    table.put("001", {"f:q": "after"}, timestamp=5)
    assert table.get("001")["f:q"] == b"after"


def test_regions_that_split_and_move_meanwhile_take_their_files(
    cluster: rs.Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The regions are listed before the split, as if it happened between the list and the call."""
    cluster.create_table("splits", ["f"])
    cluster.table("splits").put("zzz", {"f:q": "v"})
    listed = BulkLoad._regions
    calls = []

    def regions(self: BulkLoad, name: str) -> object:
        found = listed(self, name)
        calls.append(len(found))
        if len(calls) == 2:
            cluster.admin.regions.split(name, "050")
        if len(calls) == 3:
            servers = [one.name for one in cluster.admin.servers.status().servers]
            for place in cluster.admin.regions.locations(name):
                [other] = [one for one in servers if one != place.server]
                cluster.admin.regions.move(place.region.encoded_name, other)
        return found

    monkeypatch.setattr(BulkLoad, "_regions", regions)
    cluster.admin.tables.bulk_load("splits", {"f": [written(tmp_path / "1")]}, move=True)
    assert len(values(cluster.table("splits"))) == 101
    assert calls[:4] == [1, 1, 2, 2]


def test_many_regions_at_once_with_a_writer(cluster: rs.Database, tmp_path: Path) -> None:
    """A file for each of 20 regions, while puts go on: none is lost."""
    cluster.create_table("many_regions", ["f"], splits=[f"{number:03}" for number in range(5, 100, 5)])
    table, done = cluster.table("many_regions"), threading.Event()
    puts = 0

    def write() -> None:
        nonlocal puts
        while not done.is_set():
            table.put(f"{puts % 100:03}", {"f:w": str(puts)}, timestamp=puts + 1)
            puts += 1

    writer = threading.Thread(target=write)
    writer.start()
    loaded = cluster.admin.tables.bulk_load("many_regions", {"f": [written(tmp_path / "1")]})
    done.set()
    writer.join()
    assert len(loaded) == 20
    assert len(values(table)) == 100
    assert max(int(value) for value in values(table, "f:w")) == puts - 1


def test_wrong_files_are_refused_before_anything_is_loaded(
    cluster: rs.Database, table: rs.Table, tmp_path: Path
) -> None:
    right, other = written(tmp_path / "f"), written(tmp_path / "g", family="g")
    load = cluster.admin.tables.bulk_load
    with pytest.raises(NoSuchColumnFamily, match="no column family 'x'"):
        load(table.name, {"f": [right], "x": [right]})
    with pytest.raises(InvalidArgument, match="holds cells of family 'g', not of 'f'"):
        load(table.name, {"f": [right, other]})
    with pytest.raises(rs.errors.StorageError):
        load(table.name, {"f": [right, tmp_path / "none"]})
    with pytest.raises(rs.errors.TableNotFound):
        load("missing", {"f": [right]})
    (tmp_path / "empty").parent.mkdir(exist_ok=True)
    hfile.write(tmp_path / "empty", [])
    assert load(table.name, {"f": [tmp_path / "empty"]}) == load(table.name, {}) == []
    assert values(table) == []


def test_a_region_that_cannot_use_a_file_ends_the_load(
    cluster: rs.Database, table: rs.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HBase answers only that it did not load the file: here there is none at that path."""
    monkeypatch.setattr(IncomingFile, "url", property(lambda self: f"file://{tmp_path}/elsewhere"))
    with pytest.raises(RemoteError, match=r"refused .*/1 and 0 other files; the log of server .* has the reason"):
        cluster.admin.tables.bulk_load(table.name, {"f": [written(tmp_path / "1")]})


def test_another_user_needs_permission_for_the_file(hbase: StandaloneHBase, table: rs.Table, tmp_path: Path) -> None:
    file = written(tmp_path / "1")
    with rs.connect(hbase.url, user="somebody") as db:
        with pytest.raises(RemoteError, match="chmod"):
            db.admin.tables.bulk_load(table.name, {"f": [file]})
        file.chmod(0o666)
        db.admin.tables.bulk_load(table.name, {"f": [file]})
    assert len(values(table)) == 100


def test_two_files_that_span_the_same_border_are_both_loaded(cluster: rs.Database, tmp_path: Path) -> None:
    """HBase stages files by their names: parts of two files may not have the same one."""
    cluster.create_table("twice", ["f"], splits=["m"])
    for name in ("one", "two"):
        rs.hfile.write(tmp_path / name, [(f"{key}-{name}", "f:q", 5, name) for key in ("a", "z")])
    tmp_path.chmod(0o777)
    for path in tmp_path.iterdir():
        path.chmod(0o666)
    cluster.admin.tables.bulk_load("twice", {"f": [tmp_path / "one", tmp_path / "two"]})
    rows = [(row.key, row["f:q"]) for row in cluster.table("twice").scan()]
    assert rows == [(b"a-one", b"one"), (b"a-two", b"two"), (b"z-one", b"one"), (b"z-two", b"two")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_files_of_the_same_name_are_refused(cluster: rs.Database, tmp_path: Path) -> None:
    cluster.create_table("names", ["f"])
    for day in ("day1", "day2"):
        (tmp_path / day).mkdir()
        rs.hfile.write(tmp_path / day / "part-0", [(day, "f:q", 5, day)])
    with pytest.raises(rs.errors.InvalidArgument, match="have the same name"):
        cluster.admin.tables.bulk_load("names", {"f": [tmp_path / "day1" / "part-0", tmp_path / "day2" / "part-0"]})
    assert list(cluster.table("names").scan()) == []
