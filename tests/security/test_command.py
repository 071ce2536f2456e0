"""`rowstone user` and `rowstone serve --auth`, as typed on a command line."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.server.security import Users

TLS = Path(__file__).parent / "tls"
MAIN = [sys.executable, "-c", "from rowstone.cli import main; main()"]
PASSWORD = "correct horse"


def user(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [*MAIN, "user", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)


def test_users_come_and_go(tmp_path: Path) -> None:
    file = str(tmp_path / "users.toml")
    added = user("add", file, "ada", "--group", "ops", "--superuser", "--password-stdin", given=PASSWORD + "\n")
    assert (added.returncode, added.stdout) == (0, f"added ada to {file}\n")
    assert user("add", file, "bob", "--no-password").returncode == 0
    assert user("list", file).stdout == "ada\tops\tsuperuser\nbob\t-\n"
    users = Users(tmp_path)
    assert users.check_password("ada", PASSWORD) == "ada"
    assert user("password", file, "ada", "--password-stdin", given="another\n").returncode == 0
    assert users.check_password("ada", "another") == "ada"
    token = user("token", file, "bob", "--label", "laptop").stdout.strip()
    assert users.check_token(token) == "bob"
    assert user("token", file, "bob", "--label", "laptop", "--remove").returncode == 0
    assert users.check_token(token) is None
    assert user("proxy", file, "bob", "--user", "ada").returncode == 0
    assert users.may_impersonate("bob", "ada", "10.0.0.1")
    assert user("remove", file, "ada").returncode == 0
    assert users.names() == ["bob"]
    wrong = user("remove", file, "ada")
    assert wrong.returncode == 2
    assert "there is no user ada" in wrong.stderr


def test_a_served_directory_with_users(tmp_path: Path) -> None:
    """The commands of docs/how-to/security.md, on loopback."""
    directory = tmp_path / "db"
    directory.mkdir()
    assert user("add", str(directory), "ada", "--password-stdin", given=PASSWORD + "\n").returncode == 0
    files = ["--tls-certificate", str(TLS / "server.pem"), "--tls-key", str(TLS / "server-key.pem")]
    command = [*MAIN, "serve", str(directory), "--port", "0", "--zk-port", "-1", "--auth", "password", *files]
    tls = rs.Tls(TLS / "ca.pem")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        assert ready.startswith("ready: hbase://"), ready
        url = ready.split()[1].rstrip(",")
        with rs.connect(url, tls=tls, user="ada", password=PASSWORD) as client:
            assert client.admin.permissions.who_am_i() == "ada"
        with pytest.raises(errors.AccessDenied):
            rs.connect(url, tls=tls, user="ada", password="a guess")
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    assert "login user='ada' by=password from=127.0.0.1" in output
    assert "refused user='ada' by=password" in output
    assert PASSWORD not in output
    assert "a guess" not in output


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "authenticate clients"),
        (["--host", "0.0.0.0", "--auth", "kerberos"], "Kerberos needs the server's key"),
        (["--auth", "password"], "over TLS only"),
        (["--auth", "magic"], "choose from: simple, certificate"),
        (["--users", "x.toml"], "need --auth"),
    ],
)
def test_serve_refuses_inconsistent_options(tmp_path: Path, options: list[str], words: str) -> None:
    directory = tmp_path / "db"
    directory.mkdir()
    command = [*MAIN, "serve", str(directory), "--port", "0", "--zk-port", "-1", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert words in " ".join(done.stderr.replace("│", " ").split()), done.stderr
