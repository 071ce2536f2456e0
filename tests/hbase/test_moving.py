"""Moving to a real HBase and back: happybase's API, copies, bulk loads in both directions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import happybase, jobs
from tests.happybase.conversation import answers
from tests.happybase.test_conversation import DIFFERENT, RECORDED, halves
from tests.hbase.cluster.server import JAVA_OPTIONS, StandaloneHBase
from tests.oracle.build import class_path
from tests.python.test_bulk_load import fill
from tests.python.test_docs import TUTORIAL, run
from tests.python.test_tools import rowstone

FAMILIES = {"f": rs.Family(max_versions=3, compression="GZ", data_block_encoding="FAST_DIFF"), "g": {}}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("moving", FAMILIES, splits=["r01", "r03"])
        fill(db.table("moving"))
    return tmp_path / "db"


def test_happybase_on_a_cluster_answers_as_through_the_gateway(hbase: StandaloneHBase) -> None:
    connection = happybase.Connection(hbase.url)
    said = dict(map(halves, answers(connection)))
    connection.close()
    recorded = dict(map(halves, RECORDED)) | DIFFERENT
    assert said == recorded


def test_a_copy_there_and_back(hbase: StandaloneHBase, directory: Path, tmp_path: Path) -> None:
    rowstone("copy", f"{directory}/moving", f"{hbase.url}/copied")
    rowstone("copy", f"{hbase.url}/copied", f"{tmp_path}/back/copied")
    rowstone("copy", f"{directory}/moving", f"{tmp_path}/back/copied", "--verify-only")


def test_hbase_loads_an_export(hbase: StandaloneHBase, cluster: rs.Database, directory: Path, tmp_path: Path) -> None:
    """Its tool cuts the files, too, where the table has other regions."""
    rowstone("export-hfiles", directory, "moving", tmp_path / "out")
    with rs.connect(directory, read_only=True) as source:
        jobs.create_table_like(source, "moving", cluster, "loaded", splits=["r02"])
        load_into_hbase(hbase, tmp_path / "out", "loaded")
        assert jobs.compare_tables(source, "moving", cluster, "loaded").are_equal


def load_into_hbase(hbase: StandaloneHBase, folder: Path, table: str) -> None:
    """HBase's own bulk load."""
    java = ["java", "-Xmx512m", *JAVA_OPTIONS, "-cp", os.pathsep.join([str(hbase.folder / "conf"), class_path()])]
    tool = [*java, "org.apache.hadoop.hbase.tool.BulkLoadHFilesTool", f"file://{folder}", table]
    done = subprocess.run(tool, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_many_rows_go_there_by_bulk_load_and_come_back(
    hbase: StandaloneHBase, cluster: rs.Database, tmp_path: Path
) -> None:
    """A million with ROWSTONE_SCALE=full."""
    count = 1_000_000 if os.environ.get("ROWSTONE_SCALE") == "full" else 20_000
    with rs.connect(tmp_path / "there") as source:
        source.create_table("million", {"f": {}, "g": rs.Family(max_versions=2)}, splits=["r3", "r6"])
        with source.table("million").batch() as batch:
            for number in range(count):
                row = f"r{number * 7919 % count:07}"
                batch.put(row, {"f:n": str(number), "g:v": b"x" * (number % 50)}, timestamp=number)
        assert sum(1 for _ in source.table("million").scan(columns=["f"])) == count
    rowstone("export-hfiles", tmp_path / "there", "million", tmp_path / "out")
    with rs.connect(tmp_path / "there", read_only=True) as source, rs.connect(tmp_path / "back") as target:
        jobs.create_table_like(source, "million", cluster, "million")
        load_into_hbase(hbase, tmp_path / "out", "million")
        jobs.create_table_like(cluster, "million", target, "million")
        jobs.copy_table(cluster, "million", target)
        assert jobs.compare_tables(source, "million", cluster).are_equal
        assert jobs.compare_tables(source, "million", target).are_equal
        assert sum(1 for _ in target.table("million").scan(columns=["f"])) == count
    cluster.drop_table("million", force=True)


def test_files_of_hbase_are_imported(hbase: StandaloneHBase, cluster: rs.Database, tmp_path: Path) -> None:
    """A table's directory, with several files in which later ones hide what earlier ones have at the same timestamp."""
    cluster.create_table("files", {"f": rs.Family(max_versions=3)}, splits=["m"])
    table = cluster.table("files")
    for value in ("first", "second"):
        for row in ("a", "z"):
            table.put(row, {"f:q": value, f"f:{value}": "x"}, timestamp=1)
        cluster.admin.flush("files")
    table.delete("z", ["f:first"])
    cluster.admin.flush("files")
    [folder] = [path for path in hbase.folder.rglob("data/default/files") if path.is_dir()]
    rowstone("import-hfiles", tmp_path / "db", "files", folder, "--create")
    with rs.connect(tmp_path / "db") as db:
        assert jobs.compare_tables(cluster, "files", db).are_equal
        assert db.table("files").get("a")["f:q"] == b"second"


def test_the_tutorial_on_a_cluster(hbase: StandaloneHBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last part takes the cluster's address from the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HBASE_URL", hbase.url)
    run(*TUTORIAL)
