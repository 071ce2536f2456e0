"""Four clients of one HBase behind one interface, with the table's durability.

Each client is used as its documentation shows.

| client | how |
|---|---|
| rowstone | native, one process, one connection per server |
| happybase | through HBase's Thrift 1 gateway, buffered transport, binary protocol: the defaults of both |
| hbase-driver | native, pure Python; its batches send a request per row, its scans request 1,000 rows at once |
| java | HBase's own client in a separate JVM, which reads commands from its standard input |

All batches and multi-gets have 1,000 rows.
"""

from __future__ import annotations

import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from benches.report import cpu_seconds_of
from hbasedriver.client.client import Client as DriverClient
from hbasedriver.hbase_constants import HConstants
from hbasedriver.operations.batch import BatchGet, BatchPut
from hbasedriver.operations.get import Get as DriverGet
from hbasedriver.operations.increment import CheckAndPut as DriverCheckAndPut
from hbasedriver.operations.increment import Increment as DriverIncrement
from hbasedriver.operations.put import Put as DriverPut
from hbasedriver.operations.scan import Scan as DriverScan

import happybase
import rowstone as rs

BATCH = 1_000
Items = Sequence[tuple[bytes, bytes]]


class Client(Protocol):
    """Interface of the measured clients. Every operation returns the number of correct answers, so that none can be
    skipped."""

    name: str

    def load(self, items: Items, file: Path) -> None:
        """Set ``items`` for all further operations; ``file`` is a path to write them to."""

    def seconds(self, operation: str, table: str, threads: int, items: Items, stamp: bytes) -> tuple[float, int]:
        """Run ``operation`` for ``items`` in ``threads`` threads; values begin with ``stamp``. Return the seconds."""

    def cpu_seconds(self) -> float:
        """CPU time of the client and of the processes between it and HBase."""

    def close(self) -> None: ...


def portions(items: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """Batches of 1,000."""
    return (items[start : start + BATCH] for start in range(0, len(items), BATCH))


class PythonClient(ABC):
    """A client in this process: one method per operation, which takes a table and items."""

    name = ""
    rows = 0

    def load(self, items: Items, file: Path) -> None:
        """Remember the number of rows of a whole scan."""
        self.rows = len(items)

    def scan(self, table: Any, items: Items) -> int:
        """Scan whole tables until the requested number of rows is reached."""
        return sum(self.scan_once(table, *items[0]) for _ in range(0, len(items), self.rows))

    @abstractmethod
    def scan_once(self, table: Any, key: bytes, value: bytes) -> int:
        """Scan the table and count rows whose key and value have the expected length."""

    def cpu_seconds(self) -> float:
        """CPU time of this process."""
        return time.process_time()

    @abstractmethod
    def table(self, name: str) -> Any:
        """The client's own handle on a table."""

    def seconds(self, operation: str, table: str, threads: int, items: Items, stamp: bytes) -> tuple[float, int]:
        """Time the method called ``operation``."""
        if "put" in operation:
            items = [(key, stamp + value[len(stamp) :]) for key, value in items]
        work: Callable[[Any, Items], int] = getattr(self, operation)
        if threads == 1:
            handle = self.table(table)
            began = time.perf_counter()
            found = work(handle, items)
            return time.perf_counter() - began, found
        count = len(items)
        parts = [items[count * part // threads : count * (part + 1) // threads] for part in range(threads)]
        handles = [self.table(table) for _ in parts]
        with ThreadPoolExecutor(threads) as pool:
            began = time.perf_counter()
            found = sum(pool.map(work, handles, parts))
            return time.perf_counter() - began, found


class Rowstone(PythonClient):
    """Rowstone's native client."""

    name = "rowstone"

    def __init__(self, url: str) -> None:
        self.db = rs.connect(url)

    def table(self, name: str) -> rs.Table:
        return self.db.table(name)

    def put(self, table: rs.Table, items: Items) -> int:
        put = table.put
        for key, value in items:
            put(key, {b"f:q": value})
        return len(items)

    def put_batched(self, table: rs.Table, items: Items) -> int:
        with table.batch(buffer_bytes=64 << 20) as batch:
            put = batch.put
            for portion in portions(items):
                for key, value in portion:
                    put(key, {b"f:q": value})
                batch.flush()
        return len(items)

    def get(self, table: rs.Table, items: Items) -> int:
        get, found = table.get, 0
        for key, value in items:
            found += len(get(key)[b"f:q"]) == len(value)
        return found

    def get_many(self, table: rs.Table, items: Items) -> int:
        found, length = 0, len(items[0][1])
        for portion in portions([key for key, _ in items]):
            for row in table.get_many(portion):
                found += len(row[b"f:q"]) == length
        return found

    def scan_once(self, table: rs.Table, key: bytes, value: bytes) -> int:
        found = 0
        for row, cell in table.scan(columns=["f:q"]).pairs(b"f:q"):
            found += len(row) == len(key) and len(cell) == len(value)
        return found

    def increment(self, table: rs.Table, items: Items) -> int:
        increment, found = table.increment, 0
        for key, _ in items:
            found += increment(key, b"f:n") > 0
        return found

    def check_and_put(self, table: rs.Table, items: Items) -> int:
        check, put, found = table.check_and_mutate, rs.Put, 0
        for key, value in items:
            found += check(key, b"f:a", "EQUAL", None, put(key, {b"f:q": value})).success
        return found

    def close(self) -> None:
        self.db.close()


class Happybase(PythonClient):
    """happybase, through the Thrift gateway."""

    name = "happybase"

    def __init__(self, port: int, gateway: int) -> None:
        self.connection = happybase.Connection("127.0.0.1", port)
        self.gateway = gateway

    def cpu_seconds(self) -> float:
        return time.process_time() + cpu_seconds_of(self.gateway)

    def table(self, name: str) -> happybase.Table:
        return self.connection.table(name)

    def put(self, table: happybase.Table, items: Items) -> int:
        put = table.put
        for key, value in items:
            put(key, {b"f:q": value})
        return len(items)

    def put_batched(self, table: happybase.Table, items: Items) -> int:
        with table.batch(batch_size=BATCH) as batch:
            put = batch.put
            for key, value in items:
                put(key, {b"f:q": value})
        return len(items)

    def get(self, table: happybase.Table, items: Items) -> int:
        get, found = table.row, 0
        for key, value in items:
            found += len(get(key)[b"f:q"]) == len(value)
        return found

    def get_many(self, table: happybase.Table, items: Items) -> int:
        found, length = 0, len(items[0][1])
        for portion in portions([key for key, _ in items]):
            for _key, row in table.rows(portion):
                found += len(row[b"f:q"]) == length
        return found

    def scan_once(self, table: happybase.Table, key: bytes, value: bytes) -> int:
        found = 0
        for row, cells in table.scan(columns=[b"f:q"]):
            found += len(row) == len(key) and len(cells[b"f:q"]) == len(value)
        return found

    def increment(self, table: happybase.Table, items: Items) -> int:
        increment, found = table.counter_inc, 0
        for key, _ in items:
            found += increment(key, b"f:n") > 0
        return found

    def close(self) -> None:
        self.connection.close()


class HbaseDriver(PythonClient):
    """hbase-driver, which finds the cluster through ZooKeeper."""

    name = "hbase-driver"

    def __init__(self, zookeeper_port: int) -> None:
        self.client = DriverClient({HConstants.ZOOKEEPER_QUORUM: f"127.0.0.1:{zookeeper_port}"})

    def table(self, name: str) -> Any:
        return self.client.get_table(b"default", name.encode())

    def put(self, table: Any, items: Items) -> int:
        put, found = table.put, 0
        for key, value in items:
            found += put(DriverPut(key).add_column(b"f", b"q", value))
        return found

    def put_batched(self, table: Any, items: Items) -> int:
        found = 0
        for portion in portions(items):
            batch = BatchPut()
            for key, value in portion:
                batch.add_put(DriverPut(key).add_column(b"f", b"q", value))
            found += sum(table.batch_put(batch))
        return found

    def get(self, table: Any, items: Items) -> int:
        get, found = table.get, 0
        for key, value in items:
            found += len(get(DriverGet(key)).get(b"f", b"q")) == len(value)
        return found

    def get_many(self, table: Any, items: Items) -> int:
        found, length = 0, len(items[0][1])
        for portion in portions([key for key, _ in items]):
            for row in table.batch_get(BatchGet(portion)).values():
                found += len(row.get(b"f", b"q")) == length
        return found

    def scan_once(self, table: Any, key: bytes, value: bytes) -> int:
        found = 0
        with table.scan(DriverScan().add_family(b"f")) as scanner:
            while rows := scanner.next_batch(BATCH):
                for row in rows:
                    found += len(row.rowkey) == len(key) and len(row.get(b"f", b"q")) == len(value)
        return found

    def increment(self, table: Any, items: Items) -> int:
        increment, found = table.increment, 0
        for key, _ in items:
            found += increment(DriverIncrement(key).add_column(b"f", b"n", 1)) > 0
        return found

    def check_and_put(self, table: Any, items: Items) -> int:
        found = 0
        for key, value in items:
            check = DriverCheckAndPut(key)
            check.set_check(b"f", b"a", None)
            check.set_put(DriverPut(key).add_column(b"f", b"q", value))
            found += table.check_and_put(check)
        return found

    def close(self) -> None:
        self.client.close()


class Java:
    """HBase's Java client in another process, which reads the items from a file."""

    name = "java"

    def __init__(self, command: list[str], errors: Path) -> None:
        self.errors = errors
        with errors.open("wb") as log:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=log, text=True)

    def load(self, items: Items, file: Path) -> None:
        """Set ``items`` for all further operations."""
        key, value = items[0]
        with file.open("wb") as out:
            out.write(b"".join(number.to_bytes(4, "big") for number in (len(items), len(key), len(value))))
            for item in items:
                out.write(b"".join(item))
        if self._call(f"load {file}")[1] != len(items):
            raise AssertionError("java has not all items")

    def cpu_seconds(self) -> float:
        return cpu_seconds_of(self.process.pid)

    def seconds(self, operation: str, table: str, threads: int, items: Items, stamp: bytes) -> tuple[float, int]:
        """Return the time measured in the JVM, without the transfer of the command."""
        return self._call(f"{operation} {table} {threads} {len(items)} {stamp.decode()}")

    def _call(self, line: str) -> tuple[float, int]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise RuntimeError(f"java ended at {line!r}:\n{self.errors.read_text()[-3000:]}")
        return int(answer[0]) / 1e9, int(answer[1])

    def close(self) -> None:
        """Close the standard input, which ends the process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)
