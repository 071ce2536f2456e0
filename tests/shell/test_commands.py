"""Every command in HBase's list exists, runs, and is in the documents' table."""

from __future__ import annotations

import ast
import inspect
import io
import re
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.cli.shell import execute, registry
from rowstone.cli.shell.command import COMMANDS
from rowstone.cli.shell.session import Session
from tests.shell.table import DOCUMENT, in_document

ALL = [name for group in registry.GROUPS for name in group.commands]
COUNT_IN_HBASE = 184
WORDS_ON_DIRECTORY = {"done", "one server", "cluster only", "not yet"}
WORDS_ON_CLUSTER = {"done", "not in 2.6", "not yet"}
ARGUMENTS = {
    "alter": "'t', NAME => 'f', VERSIONS => 2",
    "alter_async": "'t', NAME => 'f', VERSIONS => 2",
    "alter_namespace": "'ns', {METHOD => 'set', 'a' => 'b'}",
    "append": "'t', 'r', 'f:s', 'x'",
    "change_sft": "'t', 'FILE'",
    "change_sft_all": "'none', 'FILE'",
    "clone_snapshot": "'saved', 'copy'",
    "clone_table_schema": "'t', 'copy'",
    "create": "'new', 'f'",
    "create_namespace": "'other'",
    "delete": "'t', 'r', 'f:q'",
    "deleteall": "'t', 'r'",
    "get": "'t', 'r'",
    "get_counter": "'t', 'r', 'f:n'",
    "grant": "'u', 'R'",
    "incr": "'t', 'r', 'f:n'",
    "locate_region": "'t', 'r'",
    "merge_region": "REGION, OTHER",
    "put": "'t', 'r', 'f:q', 'v'",
    "set_quota": "TYPE => THROTTLE, USER => 'u', LIMIT => '1req/sec'",
    "set_visibility": "'t', 'a', {}",
    "snapshot": "'t', 's'",
    "split": "'t', 'b'",
    "splitormerge_enabled": "'SPLIT'",
    "splitormerge_switch": "'SPLIT', true",
}
"""Arguments that a command takes; others are made from the names of its parameters."""

BY_PARAMETER = {
    "snapshot": "'saved'",
    "table": "'t'",
    "namespace": "'ns'",
    "on": "true",
    "regex": "'none'",
    "region": "REGION",
    "server": "'localhost,0'",
    "servers": "'*'",
    "target": "'t'",
}

REFUSED = {
    "drop": "the table is enabled",
    "grant": "nobody's rights are looked at",
    "list_quota_snapshots": "as HBase without quotas",
    "list_snapshot_sizes": "as HBase without quotas",
    "set_quota": "as HBase without quotas",
    "restore_snapshot": "the table is enabled",
    "revoke": "nobody's rights are looked at",
    "user_permission": "nobody's rights are looked at",
}
"""Commands that do their work on a directory, and refuse what they are given here."""


@pytest.fixture
def session() -> Iterator[Session]:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["m"])
        db.admin.namespaces.create("ns")
        db.admin.snapshot("saved", "t")
        yield Session(db, io.StringIO())


def arguments_of(name: str) -> str:
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    parameters = list(inspect.signature(registry.find(name).function).parameters.values())[1:]
    needed = [one for one in parameters if one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD]
    return ", ".join(BY_PARAMETER.get(one.name, "'x'") for one in needed)


def test_the_list_is_hbases() -> None:
    assert len(set(ALL)) == len(ALL) == COUNT_IN_HBASE
    assert {registry.find(name).name for name in ALL} == set(ALL) == set(COMMANDS)
    assert set(registry.ALIASES.values()) <= set(ALL)


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_command_runs(session: Session, name: str) -> None:
    """It works or is refused with a message. The session continues either way, and prints the duration."""
    from rowstone.cli.shell.terminal import loop

    out = session.out
    assert isinstance(out, io.StringIO)
    region, other = (region.encoded_name for region in session.admin.regions.list("t"))
    line = f"{name} {arguments_of(name)}".replace("REGION", f"'{region}'").replace("OTHER", f"'{other}'")
    assert loop.run_text(session, line) == 0
    text = out.getvalue()
    assert re.search(r"^Took \d+\.\d{4} seconds$", text, re.MULTILINE), text
    assert "wrong number of arguments" not in text
    assert "Traceback" not in text
    if registry.find(name).on_directory in ("done", "one server") and name not in REFUSED:
        assert "ERROR" not in text


@pytest.mark.parametrize("name", ALL)
def test_every_command_explains_itself(name: str) -> None:
    command = registry.find(name)
    assert command.on_directory in WORDS_ON_DIRECTORY
    assert command.on_cluster in WORDS_ON_CLUSTER
    assert re.search(rf"^  hbase> .*\b{name}\b|^  hbase> ", command.help, re.MULTILINE)
    examples = re.findall(r"^  hbase> (.*)", command.help, re.MULTILINE)
    assert any(name in example for example in examples) or name in ("describe", "table_help"), examples
    assert max(map(len, command.help.splitlines())) <= 120


@pytest.mark.parametrize("name", ALL)
def test_the_examples_of_the_help_are_statements(name: str) -> None:
    from rowstone.cli.shell.ruby.syntax.parser import parse

    for example in re.findall(r"^  hbase> (.*)", registry.find(name).help, re.MULTILINE):
        assert parse(example), example


@pytest.mark.parametrize("name", ALL)
def test_commands_refused_on_clusters_are_not_listed_as_done(name: str) -> None:
    """`cluster_only` outside of what is done for a directory."""

    def refuses(node: ast.AST) -> bool:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "not session.is_cluster":
            return any(map(refuses, node.orelse))
        is_refusal = isinstance(node, ast.Raise) and "session.cluster_only(" in ast.unparse(node)
        return is_refusal or any(map(refuses, ast.iter_child_nodes(node)))

    command = registry.find(name)
    if refuses(ast.parse(inspect.getsource(command.function))):
        assert command.on_cluster != "done"


def test_the_document_has_the_table() -> None:
    """`python -m tests.shell.table` writes it."""
    text = DOCUMENT.read_text()
    assert text == in_document(text)


def test_the_catalog_of_a_cluster_is_described() -> None:
    """It has no state of its own; HBase's shell calls it enabled, and prints no quotas of it."""
    with rs.connect(":memory:") as db, rs.serve(db, port=0, zk_port=None) as server, rs.connect(server.url) as cluster:
        answer = execute(cluster, "describe 'hbase:meta'")
    assert answer.startswith("Table hbase:meta is ENABLED\nhbase:meta, {TABLE_ATTRIBUTES => {IS_META => 'true'")
    assert "\n3 row(s)\nTook" in answer
