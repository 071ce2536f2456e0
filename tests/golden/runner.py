"""Runs scripts on several tables of one open database, and on the model, one region for each table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.script import commands as c
from tests.script.answers import Answer
from tests.script.parse import parse, parse_script
from tests.script.runners import store_calls as calls
from tests.script.runners.model import ModelRunner
from tests.script.runners.store import StoreRunner

READS = {"newest": "scan", "all versions": "scan versions=all", "raw": "scan raw versions=all"}
"""Every reader of a table makes these scans."""


class TablesRunner(StoreRunner):
    """Runs commands on one table after the other of a database that the caller opens and closes."""

    def __init__(self, database: Any, clock: Any) -> None:
        super().__init__()
        self._database, self._clock = database, clock

    def _create(self, command: c.Table) -> None:
        families = {spec.name.decode("latin-1"): calls.family_of(self.rs, spec) for spec in command.families}
        self._database.create_table(command.name, families)

    def run_on(self, table: str, command: c.Command) -> Answer:
        """The answer of this table."""
        self._name = table
        return self.run(command)

    def close(self) -> None:
        """Leaves the database open."""


def read_table(run: Any) -> list[str]:
    """The answers to all `READS`, each after its name. `run` answers a command."""
    lines = []
    for name, command in READS.items():
        lines += [f"  {name}:", *(f"    {line}" for line in run(parse(command)))]
    return lines


def read_tables(database: Any, clock: Any, tables: Iterable[str]) -> list[str]:
    """The contents of the tables, as lines of `contents.txt`."""
    runner = TablesRunner(database, clock)
    lines = []
    for table in sorted(tables):
        lines += [table, *read_table(lambda command, table=table: runner.run_on(table, command))]
    return lines


def scripts_of(text: str) -> dict[str, list[str]]:
    """The scripts of `written.txt`, by table."""
    scripts: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("table "):
            script = scripts.setdefault(line.split()[1], [])
        script.append(line)
    return scripts


def model_of(script: Iterable[str], now_ms: int) -> ModelRunner:
    """The model after a table's script, with its clock at `now_ms`."""
    model = ModelRunner()
    for command in parse_script(script):
        answer = model.run(command)
        assert not answer or not answer[0].startswith("!!"), (command, answer)
    model.run(c.SetClock(now_ms))
    return model


def expected_contents(text: str, now_ms: int, after: Iterable[str] = ()) -> list[str]:
    """Return the model's answers for each table in `written.txt`, after the commands `after`."""
    lines = []
    for table, script in sorted(scripts_of(text).items()):
        model = model_of(script, now_ms)
        for command in parse_script(after):
            model.run(command)
        lines += [table, *read_table(model.run)]
    return lines
