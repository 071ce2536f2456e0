"""Jobs on a cluster, here a Rowstone server: in threads, and in processes with their own connections."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import rowstone as rs
from rowstone import jobs

ROWS = 2_000


def test_all_jobs_on_a_cluster(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("".join(f"r{n:04}\t{n}\n" for n in range(ROWS)))
    with rs.testing.server() as url, rs.connect(url) as there, rs.connect(tmp_path / "db") as here:
        there.create_table("t", ["f"], splits=["r05", "r10", "r15"])
        assert jobs.import_file(there, "t", file, ["HBASE_ROW_KEY", "f:n"]).rows == ROWS
        with ProcessPoolExecutor(2) as pool:
            done = jobs.export_table(there, "t", tmp_path / "out.csv", executor=jobs.Futures(pool))
        assert (done.splits, done.rows) == (4, ROWS)
        assert (tmp_path / "out.csv").read_text() == "row,f:n\n" + file.read_text().replace("\t", ",")
        assert jobs.count_rows(there, "t", workers=2) == ROWS
        jobs.create_table_like(there, "t", here)
        assert jobs.copy_table(there, "t", here, workers=2, state=tmp_path / "state").cells == ROWS
        assert jobs.compare_tables(there, "t", here, workers=2).are_equal
        jobs.hash_table(there, "t", tmp_path / "hashes", range_bytes=1_000)
        here.table("t").delete("r1234")
        [different] = jobs.compare_hashes(here, "t", tmp_path / "hashes").different
        assert different.start <= b"r1234" < different.stop
