"""HBase's own readers and writers: a JVM that runs `java/RootSession.java`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.clients.java_judge import SOURCE, ClientProcess
from tests.hbase.cluster.server import StandaloneHBase
from tests.script.answers import Answer

JAVA_SOURCES = sorted((Path(__file__).parent / "java").glob("*.java"))
LIVE = "live"


def snapshot_place(snapshot: str) -> str:
    """The place of a snapshot in the commands `dump`, `lines` and `time`."""
    return f"snapshot:{snapshot}"


@dataclass(frozen=True)
class Dump:
    """The result of a scan: rows (or pieces of rows), cells, and the digest of their lines."""

    rows: int
    cells: int
    digest: str


class CommandFailed(AssertionError):
    """HBase refused a command; names both."""


class RootSession(ClientProcess):
    """The process, connected to a standalone HBase."""

    SOURCES = (SOURCE, *JAVA_SOURCES)
    MAIN = "RootSession"
    JAVA = ("java", "-Xmx1g", "-XX:TieredStopAtLevel=1")

    def __init__(self, server: StandaloneHBase) -> None:
        self.root = server.folder / "data"
        scratch = server.folder / "scratch"
        super().__init__(f"127.0.0.1:{server.master_port}", self.root.as_uri(), scratch.as_uri())

    def run(self, *lines: str) -> Answer:
        """Run commands; return the last answer.

        Raises:
            CommandFailed: HBase refused one.
        """
        answer: Answer = []
        for line in lines:
            answer = self.call(line)
            if answer and answer[0].startswith("!!"):
                raise CommandFailed(f"{line}: {' '.join(answer)}")
        return answer

    def dump(self, place: str, table: str, scan: str) -> Dump:
        """Read ``place`` by a line of the script language, such as `scan raw versions=all`."""
        rows, cells, digest = self.run(f"named {table}", f"dump {place} {scan}")[0].split()
        return Dump(int(rows), int(cells), digest)

    def write_lines(self, place: str, table: str, scan: str, file: Path) -> None:
        """The same; the cells go into a file, one a line."""
        self.run(f"named {table}", f"lines {place} {file} {scan}")


class FastRootSession(RootSession):
    """The same with all of Java's optimizations, for measurements."""

    JAVA = ("java", "-Xmx1g")
