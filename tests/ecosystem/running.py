"""One program against one server: its files and tables, its commands, and the answers that they gave."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import rowstone as rs
from tests.clients.apache.targets import Target, write_client_configuration
from tests.ecosystem.description import HERE, Program, Test
from tests.ecosystem.java_runner import JavaFailed, JavaRunner
from tests.hbase.cluster.server import JAVA_OPTIONS, end_with_parent, free_ports
from tests.oracle.build import compiled, fetched

JAVA = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.security.manager=allow", *JAVA_OPTIONS)
LOG4J = """\
log4j.rootLogger=WARN,out
log4j.logger.org.apache.hadoop=INFO
log4j.logger.org.apache.hadoop.hbase.client=WARN
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.follow=true
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=%p %c{1}: %m%n
"""
LOGBACK = """\
<configuration>
<appender name="out" class="ch.qos.logback.core.ConsoleAppender">
<encoder><pattern>%level %logger{0}: %msg%n</pattern></encoder>
</appender>
<logger name="net.opentsdb.tools.Fsck" level="INFO"/>
<root level="WARN"><appender-ref ref="out"/></root>
</configuration>
"""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a test: its answer if it passed, else the reason."""

    passed: bool
    answer: str
    seconds: float


class Failed(Exception):
    """A test failed; the message says why."""


class Running:
    """A program prepared for one server."""

    def __init__(self, program: Program, target: Target, folder: Path) -> None:
        self._program, self.target, self.folder = program, target, folder
        jars = fetched(program.pom, program.key)
        sources = [HERE / "java" / name for name in ("RunMains.java", *program.sources)]
        classes = compiled(sources, [f"{jars}/*"], f"ecosystem-{program.key}")
        conf = write_client_configuration(folder, target)
        (conf / "log4j.properties").write_text(LOG4J)
        (conf / "logback.xml").write_text(LOGBACK)
        self._path = os.pathsep.join([str(classes), str(conf), f"{jars}/*"])
        self._java = JavaRunner(self.java_command(), folder)
        for each in program.inputs:
            with (folder / each.file).open("w") as file:
                file.writelines([self._fill(each.text)] if each.text else each.lines())
        with rs.connect(target.url) as db:
            for table in program.tables:
                if not db.admin.tables.exists(table["name"]):
                    db.create_table(table["name"], table["families"], splits=table.get("splits"))

    def run(self, test: Test) -> Outcome:
        """Run a test."""
        began = time.monotonic()
        try:
            answer, passed = self._answer(test), True
        except (Failed, OSError, LookupError, TypeError, ValueError, rs.errors.RowstoneError) as error:
            answer, passed = " ".join(f"{type(error).__name__}: {error}".split())[-300:], False
        return Outcome(passed, answer, time.monotonic() - began)

    def _answer(self, test: Test) -> str:
        parts = []
        if test.python:
            module, _, name = test.python.partition(":")
            function = getattr(importlib.import_module(f"tests.ecosystem.{module}"), name)
            parts.append(function(self))
        else:
            output, code = self.run_main(test.name, [self._fill(each) for each in test.run], test.seconds)
            if code != 0:
                raise Failed(f"it ended with {code}: {last_error(output)}")
            for pattern in test.answer:
                found = re.findall(pattern, output)
                if not found:
                    raise Failed(f"{pattern!r} is not in its output: {last_error(output)}")
                # Tasks end in any order.
                parts.append(shorten(" ".join(sorted(set(map(str, found))))))
        parts += [self.describe_table(name) for name in test.tables]
        parts += [self.describe_table(name).partition(",")[0] for name in test.count]
        parts += [self._describe_files(pattern) for pattern in test.files]
        return "; ".join(parts)

    def java_command(self) -> list[str]:
        """The start of a command of Java with the program's class path."""
        return ["java", *JAVA, *self._program.options, "-cp", self._path]

    def run_main(self, name: str, arguments: Sequence[str], seconds: float = 1800) -> tuple[str, int]:
        """Run a main class and return its output and exit code."""
        log = self.folder / f"{name}.out"
        try:
            code = self._java.run(log, arguments, seconds)
        except JavaFailed as error:
            raise Failed(f"{error}: {last_error(log.read_text(errors='replace'))}") from None
        return log.read_text(errors="replace"), code

    @contextmanager
    def service(self, name: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A main class that runs in a JVM of its own until the end of a block, and then ends as by an operator."""
        with (self.folder / f"{name}.out").open("ab") as out:
            process = subprocess.Popen(
                [*self.java_command(), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                preexec_fn=end_with_parent,
            )  # fmt: skip
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def close(self) -> None:
        """End the program's JVM."""
        self._java.close()

    def _fill(self, argument: str) -> str:
        values = {"zk": self.target.zookeeper_port, "work": self.folder, "root": self.target.root}
        if "{free}" in argument:
            argument = argument.replace("{free}", str(free_ports(1)[0]))
        for name, value in values.items():
            argument = argument.replace(f"{{{name}}}", str(value))
        return argument

    def describe_table(self, name: str, *, timestamps: bool = True) -> str:
        """A table's content: the numbers of its rows and cells, and their digest."""
        digest, cells, rows = hashlib.sha256(), 0, 0
        with rs.connect(self.target.url) as db:
            for row in db.table(name).scan(versions=100):
                rows += 1
                for cell in row.cells:
                    cells += 1
                    digest.update(
                        repr((cell.row, cell.column, cell.timestamp if timestamps else 0, cell.value)).encode()
                    )
        return f"{name}: {rows} rows, {cells} cells, {digest.hexdigest()[:12]}"

    def _describe_files(self, pattern: str) -> str:
        lines = sorted(line for file in self.folder.glob(pattern) for line in file.read_text().splitlines())
        return f"{pattern}: {len(lines)} lines, {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:12]}"


def shorten(text: str) -> str:
    """The text, or the number of its characters and its digest if it is long."""
    return text if len(text) <= 200 else f"{len(text)} characters, {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def last_error(output: str) -> str:
    """The line of a program's output that says best why it failed: its last exception, else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not line.startswith("\tat ")]
    errors = [line for line in lines if "Exception" in line or line.startswith("ERROR")]
    return (errors or lines or ["no output"])[-1][:250]
