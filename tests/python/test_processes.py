"""The store and its process: fork, Ctrl-C, interpreter shutdown, other processes."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from tests.python.process import run, start

FORK = """
import os, sys, threading
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"])
t = db.table("t")
t.put("r", {"f:q": "v"})
scanner, writer = t.scan(), t.batch()
stream, parallel = t.scan().arrow(), t.scan().arrow(threads=2)
handed = t.scan().arrow().__arrow_c_stream__()
master = rs.coprocessors.MasterObserver()
db.coprocessors.attach_master(master)
writer.put("s", {"f:q": "v"})
stop = threading.Event()
def work():
    while not stop.is_set():
        t.put("busy", {"f:q": "v"})
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
pid = os.fork()
if pid == 0:
    calls = [
        lambda: t.get("r"), lambda: t.put("r", {"f:q": "w"}), lambda: t.scan(), lambda: next(scanner),
        lambda: writer.flush(), lambda: db.table("t"), lambda: db.tables(), lambda: db.admin.flush(),
        lambda: scanner.close(), lambda: db.admin.compact("t"), lambda: next(stream), lambda: parallel.close(),
        lambda: db.coprocessors.attach("t", rs.coprocessors.RegionObserver()),
        lambda: db.coprocessors.attach_master(rs.coprocessors.MasterObserver()),
        lambda: db.coprocessors.detach_master(master),
    ]
    wrong = 0
    for call in calls:
        try:
            call()
            wrong += 1
        except rs.errors.ForkedHandle as error:
            assert "connect" in str(error)
    with rs.connect(sys.argv[1], read_only=True) as mine:
        assert mine.table("t").get("r")["f:q"] == b"v"
    with rs.connect(":memory:") as mine:
        mine.create_table("u", ["f"])
        mine.table("u").put("r", {"f:q": "x"})
    db.close()
    del t, scanner, writer, stream, parallel, handed, db
    sys.exit(wrong)
_, status = os.waitpid(pid, 0)
stop.set()
for thread in threads: thread.join()
assert os.waitstatus_to_exitcode(status) == 0, status
assert t.get("r")["f:q"] == b"v"
t.put("after", {"f:q": "v"})
writer.close()
db.close()
with rs.connect(sys.argv[1]) as db:
    print(*sorted(key.decode() for key in db.table("t")))
"""


def test_handles_are_errors_in_the_child_of_a_fork(tmp_path: Path) -> None:
    """Threads of the parent write meanwhile. The child may open databases of its own, and exits normally."""
    for attempt in range(3):
        assert run(FORK, tmp_path / str(attempt)) == "after busy r s\n"


BATCH = """
import os, sys
import rowstone as rs
db = rs.connect(":memory:")
db.create_table("t", ["f"])
writer = db.table("t").batch()
writer.put("r", {"f:q": "v"})
pid = os.fork()
if pid == 0:
    for call in (lambda: writer.put("s", {"f:q": "v"}), lambda: writer.delete("r")):
        try:
            call()
        except rs.errors.ForkedHandle:
            continue
        os._exit(1)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), len(writer))
"""


def test_a_batch_accepts_nothing_in_the_child_of_a_fork() -> None:
    assert run(BATCH) == "0 1\n"


POOL = """
import multiprocessing, sys
import rowstone as rs

def count(path):
    with rs.connect(path, read_only=True) as db:
        return sum(1 for _ in db.table("t").scan())

if __name__ == "__main__":
    with rs.connect(sys.argv[1]) as db:
        db.create_table("t", ["f"])
        for number in range(100):
            db.table("t").put(f"{number}", {"f:q": "v"})
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print(pool.map(count, [sys.argv[1]] * 4))
"""


def test_a_pool_of_forked_processes_reads(tmp_path: Path) -> None:
    assert run(POOL, tmp_path / "db") == "[100, 100, 100, 100]\n"


LEFT_OPEN = """
import sys, threading
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"], if_not_exists=True)
t = db.table("t")
for number in range(1000):
    t.put(f"{number:04}", {"f:q": "v" * 100}, durability="ASYNC_WAL")
scanner = t.scan()
next(scanner)
row = t.get("0000")
writer = t.batch()
def work():
    while True:
        for row in t.scan(): row.key
if len(sys.argv) > 2:
    threading.Thread(target=work, daemon=True).start()
print("ready", flush=True)
"""


@pytest.mark.parametrize("threads", [False, True], ids=["alone", "with a daemon thread"])
def test_an_open_database_is_closed_at_exit(tmp_path: Path, threads: bool) -> None:
    """Nothing is lost, including writes with ASYNC_WAL; the process ends with status 0."""
    for _ in range(3):
        assert run(LEFT_OPEN, tmp_path / "db", *(["threads"] if threads else [])) == "ready\n"
        with rs.connect(tmp_path / "db") as db:
            assert sum(1 for _ in db.table("t").scan()) == 1000


INTERRUPTED = """
import signal, sys
import rowstone as rs
# Whoever runs the tests in the background of a shell leaves Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
db = rs.connect(sys.argv[1])
t = db.table("t")
# Once without a signal. One that meets the making of a dataclass, in an import, ends the process: CPython takes no
# notice of who catches it.
{body}
print("ready", flush=True)
try:
    while True:
        {body}
except KeyboardInterrupt:
    print("interrupted", flush=True)
assert t.get("00000")
"""


@pytest.mark.parametrize(
    "body",
    [
        "for row in t.scan(): pass",
        "for key, value in t.scan().pairs('f:q'): pass",
        "t.scan().to_columns()",
        "t.get_many([f'{number:05}' for number in range(20_000)] * 20)",
        "t.exists_many([f'{number:05}' for number in range(20_000)] * 20)",
        "t.put('x', {'f:q': b'x' * 1_000_000}); db.admin.flush('t'); db.admin.major_compact('t')",
        "t.multi([rs.Put('y', {'f:q': 'v'})] * 200_000)",
        "for batch in t.scan().arrow(batch_rows=10): pass",
        "t.put_frame(t.scan().arrow(), columns={'f:q': 'f:r'})",
    ],
    ids=["scan", "pairs", "columns", "get_many", "exists_many", "compaction", "multi", "arrow", "put_frame"],
)
def test_ctrl_c_ends_a_call_soon(tmp_path: Path, body: str) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        with db.table("t").batch() as batch:
            for number in range(20_000):
                batch.put(f"{number:05}", {"f:q": "x" * 100})
    process = start(INTERRUPTED.replace("{body}", body), tmp_path / "db")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # the signal must arrive during the call, which does not announce its start
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    try:
        output, trace = process.communicate(timeout=30)
    finally:
        process.kill()
    assert output == "interrupted\n", trace
    assert process.returncode == 0, trace
    assert time.monotonic() - began < 5


HOLDER = """
import sys
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"], if_not_exists=True)
db.table("t").put("logged", {"f:q": "v"})
print("ready", flush=True)
sys.stdin.readline()
"""


def test_a_locked_directory_names_its_owner_process(tmp_path: Path) -> None:
    """issue 3, acceptance 7: the error names the owner process and says how to share."""
    import subprocess

    holder = start(HOLDER, tmp_path / "db", stdin=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "ready\n"
    try:
        with pytest.raises(errors.DatabaseLocked) as raised:
            rs.connect(tmp_path / "db")
        assert str(holder.pid) in str(raised.value)
        assert "read_only=True" in str(raised.value)
        assert "rowstone serve" in str(raised.value)
        with rs.connect(tmp_path / "db", read_only=True) as db:
            assert db.table("t").get("logged")["f:q"] == b"v"
            for write in (
                lambda: db.table("t").put("r", {"f:q": "v"}),
                lambda: db.table("t").delete("logged"),
                lambda: db.create_table("u", ["f"]),
                lambda: db.admin.flush(),
            ):
                with pytest.raises(errors.ReadOnly):
                    write()
    finally:
        holder.communicate("", timeout=30)
    with rs.connect(tmp_path / "db") as db:
        assert list(db.table("t")) == [b"logged"]


def test_the_same_process_cannot_open_it_twice_either(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db"), pytest.raises(errors.DatabaseLocked):
        rs.connect(tmp_path / "db")
    rs.connect(tmp_path / "db").close()


KILLED = r"""
import sys
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f", "g"], if_not_exists=True)
t = db.table("t")
number = 0
while True:
    t.put(f"{number:08}", {"f:q": f"{number}", "g:q": f"{number}"})
    sys.stdout.write(f"{number}\n")
    number += 1
"""


def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    process = start(KILLED, tmp_path / "db")
    assert process.stdout is not None
    for _ in range(200):
        last = process.stdout.readline()
    process.kill()
    rest = process.communicate(timeout=30)[0].splitlines()
    acknowledged = int((rest or [last])[-1])
    with rs.connect(tmp_path / "db") as db:
        rows = list(db.table("t").scan())
        assert len(rows) >= acknowledged + 1
        assert all(row["f:q"] == row["g:q"] == str(int(row.key)).encode() for row in rows)


CHILD_LIVES_ON = """
import os, sys, time
import rowstone as rs
db = rs.connect(sys.argv[1])
db.create_table("t", ["f"])
read, write = os.pipe()
pid = os.fork()
if pid == 0:
    os.close(write)
    os.read(read, 1)
    os._exit(0)
db.close()
with rs.connect(sys.argv[1]) as db:
    print(db.tables())
os.close(write)
os.waitpid(pid, 0)
"""


def test_a_child_that_lives_on_does_not_keep_the_directory_locked(tmp_path: Path) -> None:
    assert run(CHILD_LIVES_ON, tmp_path / "db") == "['t']\n"
