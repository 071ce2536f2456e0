"""Regular expressions from clients: none blocks the interpreter, and a process can end while one is running."""

from __future__ import annotations

import ast
import contextlib
import signal
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from thriftpy2.thrift import TApplicationException

import rowstone as rs
from rowstone import _native, errors
from tests.thrift import clients

SOURCE = Path(rs.__file__).parent
NAME = "a" * 60 + "-"
EVIL = ["(a+)+$", "(?=(a+)+$)b", r"(a*)*\1b", "(a|aa)+$"]
"""Python's `re` would need longer than the age of the universe for each of them and `NAME`."""

NOT_LITERAL = {
    "server/rest/routing/_routes.py": "patterns of routes, which are literals next to it",
    "cli/shell/checks.py": "the shell runs in the process of the one who types, and Python's `re` answers to Ctrl-C",
    "cli/shell/ruby/java/filters.py": "the name of a filter, a word that the parser found",
    "cli/shell/ruby/values/conversions.py": "digits of a base, which is a number",
    "cli/shell/ruby/syntax/escapes.py": "a closing bracket, escaped",
    "cli/shell/ruby/syntax/lexer.py": "a name of the script, escaped",
    "cli/shell/ruby/values/regexes.py": "the shell runs in its user's process, and Python's `re` answers to Ctrl-C",
    "cli/shell/translate.py": "a name in it is one of ours",
}
"""Files that compile a non-literal expression, each with its reason."""


@pytest.mark.parametrize("pattern", EVIL)
def test_a_pattern_of_table_names_does_not_stop_the_thrift_gateway(pattern: str) -> None:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0, version=2) as gateway:
        db.create_table(NAME, ["f"])
        with clients.client(2, gateway.port) as client:
            # An answer or an error, in bounded time; Python's own matcher returned neither.
            with contextlib.suppress(TApplicationException):
                assert client.getTableNamesByPattern(pattern, False) == []
            assert len(client.getTableNamesByPattern("a+-", False)) == 1


@pytest.mark.parametrize("question", ["get=*:*::{}*", "qry=*:name={}"])
def test_a_pattern_of_attributes_does_not_stop_the_page(question: str) -> None:
    with rs.connect(":memory:") as db, rs.server.dashboard.serve(db) as page:
        db.create_table("a" * 60, ["f"])
        for pattern in (*EVIL, "*a" * 40 + "x"):
            asked = question.format(urllib.parse.quote(pattern, safe="*"))
            assert urllib.request.urlopen(f"{page.url}jmx?{asked}", timeout=60).status == 200


def test_more_patterns_of_attributes_than_anybody_needs_are_refused() -> None:
    with rs.connect(":memory:") as db, rs.server.dashboard.serve(db) as page:
        many = ",".join(["b*x"] * 1000)
        assert urllib.request.urlopen(f"{page.url}jmx?get=*:*::{many}", timeout=60).read() == b"{}"


def test_a_stored_constraint_does_not_stop_the_server() -> None:
    """The constraint's expression may have come with a table descriptor over RPC."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.constraints("t").add(rs.coprocessors.constraints.Regex("f:q", r"(a*)*\1b"))
        with pytest.raises(errors.ConstraintViolation, match="regular expression"):
            db.table("t").put("row", {"f:q": "a" * 60})


def test_normalize_and_quotas_take_patterns_that_end() -> None:
    with rs.connect(":memory:") as db:
        db.create_table(NAME, ["f"])
        assert db.admin.regions.normalize(regex="(a+)+$")
    pattern = _native.Pattern(r"(a*)*\1b")
    with pytest.raises(errors.InvalidArgument, match="failed"):
        pattern.matches(NAME)


def test_nothing_of_ours_compiles_an_expression_that_is_no_literal() -> None:
    """Expressions of callers are matched by `_native.Pattern`."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re" and not isinstance(node.args[0], ast.Constant):
                found.add(str(file.relative_to(SOURCE)))
    assert found == NOT_LITERAL.keys()


SERVE = """
import ctypes, re, sys, threading
from rowstone.cli.serving.logs import LOGS
from rowstone.cli.serving.options import Options
from rowstone.cli.serving.run import run

def match_forever():
    re.match("(a+)+$", "a" * 60 + "!")

def hold_interpreter():
    # The thread keeps the interpreter from the message on: `PyDLL` does not release it for a call.
    sys.setswitchinterval(1e6)
    ctypes.PyDLL(None).write(1, b"ready\\n", 6)
    match_forever()

def log(event, text, fields):
    if event == "ready" and {while_serving}:
        threading.Thread(target=hold_interpreter, daemon=True).start()
    else:
        print(event, flush=True)

LOGS["text"] = log
run(sys.argv[1], Options(port=0, zk_port=-1, stop_timeout=1))
match_forever()
"""


@pytest.mark.parametrize("while_serving", [True, False], ids=["while it serves", "after the server has stopped"])
def test_sigterm_ends_a_process_whose_interpreter_is_held(tmp_path: Path, while_serving: bool) -> None:
    program = SERVE.format(while_serving=while_serving)
    command = [sys.executable, "-c", program, str(tmp_path / "db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGKILL
    assert "did not end within 1 s" in said
    with rs.connect(tmp_path / "db") as db:
        assert db.tables() == []
