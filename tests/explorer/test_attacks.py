"""Attacks on the explorer, each of which fails. `docs/how-to/security.md` lists what protects against them."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

import rowstone as rs
from rowstone.server.dashboard import explore, serve
from rowstone.server.dashboard.data.change._change import Touched
from tests.explorer.conftest import Visitor, admit
from tests.explorer.test_hostile import check

SCRIPT = "\"'><script>alert(1)</script>"
PAGES = ("rows", "row", "compare", "cell", "scan", "edit")
PARAMETERS = (
    "from", "layout", "prefix", "after", "columns", "filter", "where", "comparison", "value", "limit", "skip", "show",
    "key", "column", "timestamp", "family", "missing", "notice", "inline", "format", "token", "unknown",
)  # fmt: skip
PUT = {"kind": "put", "key": "r", "column": "f:q", "value": "v", "form": "text", "step": "apply"}
PUT["seen"] = Touched().state


@pytest.mark.parametrize("page", PAGES)
def test_scripts_in_every_parameter(writer: Visitor, db: rs.Database, page: str) -> None:
    db.table("t").put("r", {"f:q": "v"})
    for name in PARAMETERS:
        given = {"key": "r", "column": "f:q", name: SCRIPT}
        answer = writer.request("GET", f"/{page}/t?" + "&".join(f"{k}={quote(v)}" for k, v in given.items()))
        check(answer.html)


@pytest.mark.parametrize("page", PAGES)
def test_scripts_in_the_name_of_the_table(writer: Visitor, page: str) -> None:
    answer = writer.get(page, SCRIPT, key="r", column="f:q")
    assert answer.status == 404
    check(answer.html)


def test_scripts_in_a_form(writer: Visitor) -> None:
    for name in ("kind", "key", "column", "value", "form", "scope", "timestamp", "amount", "step", "seen"):
        answer = writer.post("edit", token=writer.token(), **{**PUT, "step": "preview", name: SCRIPT})
        check(answer.html)


def test_no_page_allows_scripts_frames_or_other_hosts(writer: Visitor) -> None:
    for page in PAGES:
        policy = writer.get(page, key="r").headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
    assert writer.get("value", key="r", column="f:q").headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("token", [None, "", "0" * 64, "é"])
def test_a_form_without_the_token_changes_nothing(writer: Visitor, db: rs.Database, token: str | None) -> None:
    form = PUT if token is None else {**PUT, "token": token}
    assert writer.post("edit", **form).status == 403
    assert list(db.table("t")) == []


def test_a_form_of_another_site_changes_nothing(writer: Visitor, db: rs.Database) -> None:
    form = {**PUT, "token": writer.token()}
    for headers in (
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert writer.post("edit", "t", headers, **form).status == 403
    assert list(db.table("t")) == []
    assert writer.post("edit", **form).status == 303, "the same form without these headers is applied"


def test_a_get_changes_nothing(writer: Visitor, db: rs.Database) -> None:
    assert writer.get("edit", **PUT, token=writer.token()).status == 200
    assert list(db.table("t")) == []


def test_other_methods_are_refused(writer: Visitor) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert writer.request(method, "/edit/t").status in (405, 501), method
        assert writer.request(method, "/rows/t").status in (405, 501), method


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", ""]
)
def test_a_name_that_resolves_to_this_machine_is_refused(writer: Visitor, host: str) -> None:
    assert writer.request("GET", "/rows/t", headers={"Host": host}).status in (400, 421)


def test_two_hosts_are_refused(writer: Visitor) -> None:
    place = urlsplit(writer.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=20)
    connection.putrequest("GET", "/rows/t", skip_host=True)
    connection.putheader("Host", "127.0.0.1")
    connection.putheader("Host", "evil.example")
    connection.endheaders()
    assert connection.getresponse().status in (400, 421)
    connection.close()


def test_other_users_of_the_machine_are_refused(db: rs.Database) -> None:
    with explore(db, write=True) as page:
        friend = admit(page)
        stranger = Visitor(friend.url)
        for path in ("/", "/tables", "/rows/t", "/edit/t", "/static/dashboard.css", "/metrics", "/dump", "/health"):
            assert stranger.request("GET", path).status == 401, path
        assert stranger.request("GET", "/tables?token=wrong").status == 401
        assert stranger.request("GET", "/tables?token=%C3%A9").status == 401
        stranger.headers["Cookie"] = f"{friend.headers['Cookie']}x"
        assert stranger.request("GET", "/tables").status == 401
        assert stranger.post("edit", **PUT).status == 401


def test_the_cookie_is_not_for_scripts_and_other_sites(db: rs.Database) -> None:
    with explore(db) as page:
        place = urlsplit(page.url)
        answer = Visitor(f"http://{place.netloc}").request("GET", f"{place.path}?{place.query}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert (answer.status, answer.headers["location"]) == (303, "/tables")


PATHS = [
    "/rows/..%2f..%2fetc%2fpasswd", "/static/..%2f_app.py", "/static/%2e%2e/_app.py", "/rows/%00", "/rows/t/../../x",
    "/rows//t", "/rows/", "//evil.example/rows/t", "/rows/hbase%3Ameta%00", "/value/..%5c..%5cx?key=r&column=f:q",
    "/static/%252e%252e/_app.py", "/static/..%252f_app.py", "/static/..%c0%af_app.py",
    "/static/%2fetc%2fpasswd", "/static/", "/static/dashboard.css%00.js", "/static/dashboard.css%2f..%2f_app.py",
    "/download/..%2f..%2fetc%2fpasswd?format=csv",
    "/rows/t%2500", "/rows/%252e%252e%252f", "/tables/..%2f..%2fetc%2fpasswd", "/rows;/t", "/rows/t%0d%0aX:1",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_tricks_with_paths(visitor: Visitor, path: str) -> None:
    answer = visitor.request("GET", path)
    assert answer.status in (400, 404)
    assert b"root:" not in answer.body
    assert b"def application" not in answer.body
    assert "evil.example" not in answer.headers.get("location", "")


BOMBS = {
    "open": "(" * 9_000,
    "nested": "(" * 400 + "KeyOnlyFilter()" + ")" * 400,
    "long": "KeyOnlyFilter() AND " * 480 + "KeyOnlyFilter()",
    "too long": "KeyOnlyFilter() AND " * 2_000 + "KeyOnlyFilter()",
    "skip": "SKIP " * 1_900 + "KeyOnlyFilter()",
    "expression": "RowFilter(=, 'regexstring:(a+)+$')",
    "large expression": "RowFilter(=, 'regexstring:((a{1,100}){1,100}){1,100}')",
    "offset": "ColumnPaginationFilter(2147483647, 2147483647)",
    "unknown": "java.lang.Runtime()",
    "not text": "\x00\x01\ud800",
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_the_filter_language(visitor: Visitor, db: rs.Database, name: str) -> None:
    db.table("t").put("a" * 200 + "b", {"f:q": "v"})
    text = quote(BOMBS[name], errors="surrogatepass")
    answer = visitor.request("GET", f"/rows/t?filter={text}")
    assert answer.status in (200, 400), answer.html
    check(answer.html)


def test_names_in_headers_cannot_end_a_line(visitor: Visitor, db: rs.Database) -> None:
    db.table("t").put("r\r\nX-Evil: 1", {"f:q": "v"})
    for path in ("/download/t?format=csv", "/value/t?key=r%5Cx0D%5Cx0AX-Evil:%201&column=f:q"):
        answer = visitor.request("GET", path)
        assert answer.status == 200
        assert "x-evil" not in answer.headers
    for path in ("/download/t%0d%0aX-Evil:%201?format=csv", "/rows/t?from=a%0d%0aX-Evil:%201"):
        assert "x-evil" not in visitor.request("GET", path).headers


def test_large_requests_are_refused(writer: Visitor) -> None:
    assert writer.request("POST", "/edit/t", b"", {"Content-Length": str(2 << 20)}).status == 413
    many = {f"field{number}": "1" for number in range(100)}
    assert writer.post("edit", **many).status == 400


@pytest.fixture
def guarded() -> Iterator[rs.Database]:
    """A database with access control: ``ada`` administrates, ``eve`` also may read."""
    with rs.connect(":memory:", configuration={"hbase.security.authorization": True}) as db:
        db.create_table("t", ["f"])
        db.table("t").put("r", {"f:q": "secret"})
        for user, rights in (("ada", "A"), ("eve", "AR")):
            db.admin.permissions.grant(user, rights)
        yield db


def test_data_need_the_permissions_of_the_user(guarded: rs.Database) -> None:
    with serve(guarded, authenticate=lambda header: header or None, data=True) as page:
        visitor = Visitor(page.url.rstrip("/"))
        for user, status in (("", 401), ("ann", 403), ("ada", 403), ("eve", 200)):
            visitor.headers = {"Authorization": user}
            for path in ("/rows/t", "/row/t?key=r", "/download/t?format=csv", "/value/t?key=r&column=f:q"):
                answer = visitor.request("GET", path)
                assert (answer.status, b"secret" in answer.body and status != 200) == (status, False), (user, path)


def test_a_dashboard_has_data_only_if_asked(db: rs.Database) -> None:
    for options in ({}, {"host": "0.0.0.0", "insecure": True}, {"authenticate": lambda _: "ada"}):
        with serve(db, **options) as page:  # type: ignore[arg-type]
            visitor = Visitor(page.url.rstrip("/"))
            assert visitor.request("GET", "/tables/t").status == 200
            assert visitor.get("rows").status == 404
            assert "/rows/t" not in visitor.request("GET", "/tables/t").html
    with serve(db, data=True) as page:
        assert Visitor(page.url.rstrip("/")).get("rows").status == 200
    with rs.serve(db, port=0, zk_port=None, info_port=0) as server:
        assert Visitor(str(server.info_url).rstrip("/")).get("rows").status == 404


def test_access_control_refuses_data_without_authentication(guarded: rs.Database) -> None:
    with pytest.raises(rs.errors.InvalidArgument, match="data=True needs authenticate"):
        serve(guarded, data=True)
    with pytest.raises(rs.errors.InvalidArgument, match="data=True needs authenticate"):
        rs.serve(guarded, port=0, zk_port=None, info_port=0, info_data=True)


def test_the_dashboard_of_a_server_cannot_write(tmp_path: Path) -> None:
    with rs.serve(tmp_path / "db", port=0, zk_port=None, info_port=0, info_data=True) as server:
        server.database.create_table("t", ["f"])
        visitor = Visitor(str(server.info_url).rstrip("/"))
        assert visitor.get("rows").status == 200
        assert visitor.post("edit", **PUT).status in (404, 413)
