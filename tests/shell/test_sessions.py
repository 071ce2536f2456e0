"""Shell sessions: pipes, files, exit statuses, JSON, Ctrl-C, completion, history, imports."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from rowstone.cli.shell.terminal.completion import candidates
from tests.checklist.helpers import run_script

COMMAND = [sys.executable, "-c", "from rowstone.cli import main; main()"]
TIMEOUT_SECONDS = 60


@pytest.fixture
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        database.table("t").put("r", {"f:q": b"v\xff"}, timestamp=1000)
        yield database


def rowstone(*arguments: str | Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=typed,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )


def test_a_pipe_shows_prompts_and_goes_on_after_an_error(tmp_path: Path) -> None:
    done = rowstone("shell", tmp_path / "db", typed="create 't', 'f'\nget 'nope', 'r'\nlist\n")
    assert done.returncode == 0
    assert "hbase:002:0> get 'nope', 'r'\nCOLUMN  CELL\n\nERROR: Unknown table nope!\n" in done.stdout
    assert done.stdout.endswith('=> ["t"]\nhbase:004:0> \n')


def test_the_first_error_ends_a_session_that_is_not_interactive(tmp_path: Path) -> None:
    done = rowstone("shell", "-n", tmp_path / "db", typed="list\nget 'nope', 'r'\nlist\n")
    assert done.returncode == 1
    assert done.stderr == "RuntimeError: Unknown table nope!\n"
    assert done.stdout.count("TABLE") == 1
    assert "ERROR" not in done.stdout
    assert "Rowstone shell" not in done.stdout


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("nosuch\n", "NameError: undefined local variable or method `nosuch'"),
        ("get 't'\n", "ArgumentError: wrong number of arguments (given 1, expected 2+)"),
        ("scan 't', {\n", "SyntaxError: (hbase):1: syntax error, unexpected end-of-file"),
    ],
)
def test_fatal_errors_go_to_stderr(tmp_path: Path, typed: str, message: str) -> None:
    done = rowstone("shell", "-n", tmp_path / "db", typed=typed)
    assert done.returncode == 1
    assert done.stderr.startswith(message)


def test_a_file_runs_first_and_may_end_the_session(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("create 't', 'f'\nput 't', 'r', 'f:q', 'v'\nexit 3\n")
    done = rowstone("shell", tmp_path / "db", script, typed="list\n")
    assert done.returncode == 3
    assert "Created table t" in done.stdout
    assert "TABLE" not in done.stdout
    script.write_text("count 't'\n")
    done = rowstone("shell", tmp_path / "db", script, typed="list\n")
    assert done.returncode == 0
    assert done.stdout.index("1 row(s)") < done.stdout.index("TABLE")


def test_exec_prints_nothing_but_the_output(tmp_path: Path) -> None:
    done = rowstone("exec", tmp_path / "db", "create 't', 'f'; put 't', 'r', 'f:q', 'v', 1000; scan 't', LIMIT => 5")
    assert done.returncode == 0
    assert "hbase:" not in done.stdout
    assert " r column=f:q, timestamp=1970-01-01T00:00:01, value=v\n1 row(s)\n" in done.stdout
    assert rowstone("exec", tmp_path / "db", "get 'nope', 'r'").returncode == 1
    assert rowstone("exec", "--read-only", tmp_path / "db", "put 't', 'r', 'f:q', 'v'").returncode == 1


def test_json_has_a_line_for_everything(db: rs.Database) -> None:
    out = execute(db, "scan 't'\nlist\nexists 't'", as_json=True)
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines[0] == {"row": "r", "column": "f:q", "timestamp": 1000, "type": "Put", "value": "v\\xFF"}
    assert (lines[1]["command"], lines[1]["rows"]) == ("scan", 1)
    assert lines[2] == {"TABLE": "t"}
    assert lines[-1] == {"result": True}


def test_from_python_an_error_is_raised(db: rs.Database) -> None:
    with pytest.raises(ShellError, match="Unknown table nope!"):
        execute(db, "scan 'nope'")


def test_control_c_ends_the_command_and_not_the_session(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(db.admin, "flush", interrupted)
    out = io.StringIO()
    assert loop.run_text(Session(db, out), "flush 't'\nlist") == 0
    assert '=> ["t"]' in out.getvalue()


def test_a_closed_terminal_is_the_end() -> None:
    """On a terminal the session ends at the end of its input, with tables as wide as the terminal."""
    leader, follower = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 25, 40, 0, 0))
    os.write(leader, b"list\nexit\n")
    environment = {**os.environ, "TERM": "dumb", "ROWSTONE_SHELL_HISTORY": os.devnull, "COLUMNS": "40"}
    shell = subprocess.Popen([*COMMAND, "shell"], stdin=follower, stdout=follower, stderr=follower, env=environment)
    assert shell.wait(TIMEOUT_SECONDS) == 0
    os.close(follower)
    shown = os.read(leader, 100_000).replace(b"\r\n", b"\n")
    assert b"TABLE" + b" " * 35 + b"\n0 row(s)\n" in shown
    os.close(leader)


def test_an_interrupt_ends_a_long_scan_and_not_the_shell(tmp_path: Path) -> None:
    """The whole process, on a terminal: a signal while rows are printed."""
    with rs.connect(tmp_path / "db") as database:
        database.create_table("t", ["f"])
        with database.table("t").batch() as batch:
            for number in range(50_000):
                batch.put(f"{number:05}", {"f:q": "v"})
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "ROWSTONE_SHELL_HISTORY": os.devnull, "PAGER": "cat"}
    command = [*COMMAND, "shell", str(tmp_path / "db")]
    shell = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)

    def read_until(wanted: bytes) -> bytes:
        shown = b""
        while wanted not in shown:
            shown += os.read(leader, 10_000)
        return shown

    os.write(leader, b"scan 't'\n")
    shown = read_until(b" 00100 ")
    shell.send_signal(signal.SIGINT)
    os.write(leader, b"count 't'\n")
    shown += read_until(b"=> 50000")
    assert b"50000 row(s)" in shown
    assert b" 49999 " not in shown.split(b"count")[0]
    os.write(leader, b"exit 4\n")
    assert shell.wait(TIMEOUT_SECONDS) == 4
    os.close(leader)


def test_tab_completes(db: rs.Database) -> None:
    session = Session(db, io.StringIO())
    assert candidates(session, "", "list_name") == ["list_namespace", "list_namespace_tables"]
    assert candidates(session, "scan 't', {", "STARTR") == ["STARTROW"]
    assert candidates(session, "scan '", "") == ["t"]
    assert candidates(session, "describe_namespace '", "d") == ["default"]
    assert "rsgroup" in candidates(session, "help '", "rs")
    session.evaluator.variables["table"] = session.table("t")
    assert candidates(session, "", "table.get_") == ["table.get_counter", "table.get_splits"]


def test_colors_are_for_terminals(db: rs.Database) -> None:
    for on_terminal in (False, True):
        out = io.StringIO()
        loop.run_text(Session(db, out, is_terminal=on_terminal), "nosuch")
        assert ("\033[" in out.getvalue()) is on_terminal


def test_the_shell_imports_only_what_it_needs() -> None:
    script = """
import sys
import rowstone.cli.shell
from rowstone.cli.shell import registry
loaded = {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded & {"typer", "rich", "pandas", "asyncio"}))
print(len([name for name in sys.modules if name.startswith("rowstone.cli.shell.commands.")]))
"""
    assert run_script(script).split("\n")[:2] == ["[]", "0"]


def test_the_command_line_of_the_shell_is_read_at_once(tmp_path: Path) -> None:
    """Simple command lines are parsed without the library; others are left to it, as --help is."""
    script = """
import sys
from rowstone.cli import main
sys.argv[1:] = ["exec", sys.argv[1], "list"]
try:
    main()
except SystemExit:
    print("typer" in sys.modules)
"""
    assert run_script(script, tmp_path / "db").splitlines()[-1] == "False"
    assert "--read-only" in rowstone("shell", "--help").stdout
    assert rowstone("shell", "--bogus").returncode == 2
    assert rowstone("exec", tmp_path / "db").returncode == 2
    refused = rowstone("exec", "--read-only", tmp_path / "none", "list")
    assert refused.returncode == 3
    assert refused.stderr.startswith("error: ")
