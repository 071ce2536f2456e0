"""Authentication hooks of REST: credentials are passed to the hook, unknown ones are refused, scanners belong to their
opener."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.server import rest
from rowstone.server.rest import Credentials, _application
from tests.rest.cases import b64
from tests.rest.session import Step, run

PASSWORDS = {"ann": "secret:with colon", "bob": "other"}
TOKENS = {"t0ken": "ann"}


def authenticate(credentials: Credentials) -> str | None:
    if credentials.scheme == "basic":
        known = PASSWORDS.get(credentials.user)
        return credentials.user if known is not None and known == credentials.secret else None
    return TOKENS.get(credentials.secret) if credentials.scheme == "bearer" else None


def basic(user: str, password: str | None = None) -> str:
    text = f"{user}:{PASSWORDS[user] if password is None else password}"
    return f"Basic {base64.b64encode(text.encode()).decode()}"


@pytest.fixture
def guarded(database: rs.Database) -> Iterator[rest.Gateway]:
    database.create_table("t", ["f"])
    database.table("t").put("r", {"f:q": "v"})
    with rest.serve(database, port=0, authenticate=authenticate) as gateway:
        yield gateway


def send(
    gateway: rest.Gateway, path: str, authorization: str | None = None, method: str = "GET", body: Any = None
) -> tuple[int, Message, bytes]:
    url = path if path.startswith("http") else gateway.url + path
    request = urllib.request.Request(url, method=method)
    request.add_header("Accept", "application/json")
    if authorization is not None:
        request.add_header("Authorization", authorization)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


@pytest.mark.parametrize(
    "authorization",
    [None, "", "Basic", "Basic !!!", basic("ann", "wrong"), basic("bob", "secret:with colon"), "Bearer no", "Digest x"],
)
def test_strangers_are_refused(guarded: rest.Gateway, authorization: str | None) -> None:
    status, headers, body = send(guarded, "/t/r", authorization)
    assert (status, body) == (401, b"Unauthorized\r\n")
    assert headers["WWW-Authenticate"] == 'Basic realm="rowstone", Bearer'
    assert send(guarded, "/openapi.json", authorization)[0] == 401


@pytest.mark.parametrize("authorization", [basic("ann"), basic("bob"), "Bearer t0ken", "bearer  t0ken"])
def test_those_known_are_let_in(guarded: rest.Gateway, authorization: str) -> None:
    assert send(guarded, "/t/r", authorization)[0] == 200


def test_a_scanner_belongs_to_its_user(guarded: rest.Gateway) -> None:
    status, headers, _ = send(guarded, "/t/scanner", basic("ann"), "PUT", {})
    assert status == 201
    place = headers["Location"]
    for method in ("GET", "DELETE"):
        status, _, body = send(guarded, place, basic("bob"), method)
        assert (status, body.split(b"\r\n")[0]) == (403, b"Forbidden")
    status, _, body = send(guarded, place, "Bearer t0ken")
    assert (status, json.loads(body)["Row"][0]["key"]) == (200, b64("r"))
    assert send(guarded, place, basic("ann"), "DELETE")[0] == 200
    assert send(guarded, place, basic("ann"))[0] == 404


def test_each_user_has_a_view_of_the_database(database: rs.Database) -> None:
    """A view's refusal is answered with 403, and each request uses its user's view."""
    asked = []

    def database_for(user: str) -> rs.Database:
        asked.append(user)
        if user != "ann":
            raise errors.AccessDenied(f"user '{user}' may not read")
        return database

    from rowstone.server.http.server import HttpServer

    application = _application.RestApplication(database_for, user="nobody", authenticate=authenticate)
    with HttpServer(lambda: application, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.port}/"
        gateway: Any = None
        assert send(gateway, url, basic("ann"))[0] == 200
        status, _, body = send(gateway, url, basic("bob"))
    assert status == 403
    assert body.startswith(b"Forbidden\r\norg.apache.hadoop.hbase.security.AccessDeniedException: user 'bob' may not")
    assert asked == ["ann", "bob"]


def test_rights_are_those_of_the_database() -> None:
    """With HBase's authorization on, a REST user has the permissions that the database grants."""
    with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
        db.admin.permissions.grant("ann", "R", table="t")
        body = {"Row": [{"key": b64("r"), "Cell": [{"column": b64("f:q"), "$": b64("w")}]}]}
        with rest.serve(db, port=0, authenticate=authenticate) as gateway:
            answers = {
                (user, method): send(gateway, "/t/r", basic(user), method, content)
                for user in ("ann", "bob")
                for method, content in (("GET", None), ("PUT", body), ("DELETE", None))
            }
            schema = send(gateway, "/t/schema", basic("ann"), "DELETE")
        assert answers.pop(("ann", "GET"))[0] == 200
        for status, _, text in [*answers.values(), schema]:
            assert (status, text.split(b":")[0]) == (
                403,
                b"Forbidden\r\norg.apache.hadoop.hbase.security.AccessDeniedException",
            )
        assert db.table("t").get("r")["f:q"] == b"v"


def test_beyond_this_machine_only_with_a_hook_or_when_agreed(database: rs.Database) -> None:
    with pytest.raises(errors.InvalidArgument, match="insecure"):
        rest.serve(database, host="0.0.0.0", port=0)
    rest.serve(database, host="0.0.0.0", port=0, authenticate=authenticate).stop()
    rest.serve(database, host="0.0.0.0", port=0, insecure=True).stop()


def test_a_database_that_is_only_read(tmp_path: Any) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "v"})
    with rs.connect(tmp_path / "db", read_only=True) as db, rest.serve(db, port=0) as gateway:
        assert send(gateway, "/t/r")[0] == 200
        for method, path, body in (
            ("PUT", "/t/r", {"Row": []}),
            ("DELETE", "/t/r", None),
            ("DELETE", "/t/schema", None),
            ("POST", "/namespaces/n", {}),
        ):
            status, _, text = send(gateway, path, None, method, body)
            assert (status, text) == (403, b"Forbidden\r\n")


def test_a_body_without_a_type_is_refused(gateway: rest.Gateway, database: rs.Database) -> None:
    """A page of another site can make a browser send it, and a type that is a form's; nothing else without asking."""
    database.create_table("t", ["f"])
    body = b'{"Row":[{"key":"cg==","Cell":[{"column":"Zjpx","$":"eA=="}]}]}'
    types: list[str | None] = [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
    steps = [Step("POST", "/t/r", body=body, content_type=content_type) for content_type in types]
    assert [answer["status"] for answer in run(gateway.port, steps, "none")] == [415] * 4
    assert list(database.table("t").scan()) == []


def test_credentials_do_not_show_their_secret() -> None:
    assert "secret" not in repr(Credentials("basic", "ann", "my secret", {})).replace("secret=…", "")
