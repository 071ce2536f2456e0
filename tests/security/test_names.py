"""User names chosen by clients: none is taken for a group, and none starts a new line of a log."""

from __future__ import annotations

import http.client
import logging
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

import rowstone as rs
from rowstone.errors import AccessDenied, InvalidArgument, InvalidName, RowstoneError
from rowstone.server import dashboard, rest
from rowstone.server.acting import acting_user
from rowstone.server.security import Authentication, Users

ON = {"hbase.security.authorization": True, "hbase.superuser": "root,@admins"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[rs.Server]:
    with rs.serve(tmp_path / "db", port=0, zk_port=None, configuration=ON) as server:
        server.database.create_table("t", ["f"])
        server.database.table("t").put("row", {"f:q": "secret"})
        server.database.admin.permissions.grant("@readers", "R", table="t")
        yield server


@pytest.mark.parametrize("user", ["@readers", "@admins", "@"])
def test_a_user_named_like_a_group_has_not_its_permissions(server: rs.Server, user: str) -> None:
    with pytest.raises(RowstoneError, match="is no user name"), rs.connect(server.url, user=user) as client:
        client.table("t").get("row")
    with pytest.raises(InvalidArgument, match="is no user name"):
        server.database.as_user(user)


@pytest.mark.parametrize("user", ["ann\nlogin user='root'", "ann\x1b[2J", "ann\u2028x"])
def test_a_user_has_no_name_that_breaks_lines(server: rs.Server, user: str) -> None:
    with pytest.raises(RowstoneError, match="is no user name"), rs.connect(server.url, user=user) as client:
        client.table("t").get("row")


@pytest.mark.parametrize("user", ["@readers", "a\nb", "\x1b[2J", "", "x" * 257])
def test_gateways_take_no_such_name_from_a_hook_or_doas(user: str) -> None:
    assert acting_user("gate", user, "127.0.0.1", lambda *_: True) is None
    with rs.connect(":memory:") as db:
        for serve in (rest.serve, dashboard.serve):
            with serve(db, port=0, authenticate=lambda _: user) as gateway:
                connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
                connection.request("GET", "/", headers={"Accept": "*/*"})
                assert connection.getresponse().status == 401
                connection.close()


def test_no_name_begins_another_line_of_the_audit_log(caplog: pytest.LogCaptureFixture) -> None:
    name = "ann\naccess allowed for user root\x1b[2J"
    with rs.connect(":memory:", configuration=ON) as db, caplog.at_level(logging.INFO, "rowstone.audit"):
        db.create_table("t", ["f"])
        with pytest.raises(AccessDenied):
            db.as_user(name).table("t").get("row")
        with pytest.raises(AccessDenied):
            db.as_user("ann").admin.snapshot("s", "t")
        with pytest.raises(InvalidName, match=r"'s\\nforged'"):
            db.as_user("ann").admin.snapshot("s\nforged", "t")
    messages = [record.getMessage() for record in caplog.records if record.name == "rowstone.audit"]
    assert any(r"ann\naccess allowed for user root\x1b[2J" in message for message in messages)
    assert not any("\n" in message or "\x1b" in message for message in messages)


def test_no_path_begins_another_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("rowstone.server.rest._application._matched", fails)
    with rs.connect(":memory:") as db, rest.serve(db, port=0) as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        connection.request("GET", f"/{quote(chr(10) + 'forged' + chr(27))}/schema")
        assert connection.getresponse().status == 500
        connection.close()
    [message] = [record.getMessage() for record in caplog.records if "failed on" in record.getMessage()]
    assert r"forged\x1b" in message
    assert message.isprintable()


def test_names_of_a_users_file_were_always_checked(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="no user name"):
        Users(tmp_path / "users.toml").add("@readers", password="long enough a word")
    assert Authentication().methods == ("simple",)
