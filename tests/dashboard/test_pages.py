"""Pages and addresses for programs, without a browser."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rowstone as rs
from rowstone.server.dashboard._figures import Figures
from rowstone.server.dashboard._history import History
from rowstone.server.dashboard.pages import TITLES
from tests.dashboard.conftest import Asker


class Balance(HTMLParser):
    """Whether elements are closed in their order."""

    ALONE = ("meta", "link", "input", "rect", "polygon", "polyline", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.mark.parametrize("name", [*TITLES, "tables/t", "heat/t", "tables/t?page=7&order=size&from=a"])
def test_every_page_is_whole_html(page: Asker, client: rs.Database, name: str) -> None:
    client.table("t").put("<row&>", {"f:q": "value"})
    client.table("t").get("<row&>")
    text = page.text(name)
    parsed = Balance(text)
    assert not parsed.wrong
    assert not parsed.open
    assert 'aria-current="page"' in text
    assert "http://" not in text.replace(page.url, "").replace("http://www.w3.org/2000/svg", "")


def test_every_page_works_with_nothing_in_it() -> None:
    with rs.connect(":memory:") as db, rs.server.dashboard.serve(db) as dashboard:
        for name in TITLES:
            assert not Balance(Asker(dashboard.url).text(name)).wrong


def test_unknown_pages_are_not_found(page: Asker) -> None:
    status, text = page.get("tables/%3Cb%3E")
    assert status == 404
    assert "&lt;b&gt;" in text
    assert page.get("heat/none")[0] == 404
    assert page.get("static/..%2F_app.py")[0] == 404
    assert page.get("static/none.css")[0] == 404
    assert page.get("nothing")[0] == 404


def test_pages_forbid_external_resources(page: Asker) -> None:
    import urllib.request

    with urllib.request.urlopen(page.url) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_regions_come_a_hundred_at_a_time(server: rs.Server, page: Asker) -> None:
    server.database.create_table("many", ["f"], splits=[f"k{number:04}" for number in range(249)])
    assert page.text("tables/many").count("<code>k0") == 99
    assert "page 3 of 3" in page.text("tables/many?page=9")
    assert "k0248" in page.text("tables/many?page=3")
    assert page.text("tables/many?from=k0240").count("<code>k0") == 9
    # Regression: the region that has the row was left out.
    assert page.text("tables/many?from=k0240x").count("<code>k0") == 9
    assert page.text("tables/many?from=a").count("<code>k0") == 99


def test_health_and_readiness(page: Asker, server: rs.Server) -> None:
    found = page.json("health")
    assert found["status"] == "ok"
    assert page.text("ready") == "ready\n"
    server.database.close()
    status, text = page.get("health")
    assert (status, json.loads(text)["status"]) == (503, "failing")
    assert page.get("ready")[0] == 503
    assert page.get("tables")[0] == 503


def test_settings_with_their_origins(tmp_path: Path) -> None:
    with (
        rs.connect(tmp_path / "db", configuration={"hbase.hstore.compaction.min": 7}) as db,
        rs.server.dashboard.serve(db) as dashboard,
    ):
        page = Asker(dashboard.url)
        root = ElementTree.fromstring(page.text("conf"))
        found = {one.findtext("name"): (one.findtext("value"), one.findtext("source")) for one in root.iter("property")}
        assert found["hbase.hstore.compaction.min"] == ("7", "argument")
        assert found["hbase.hstore.compaction.max"] == ("10", "default")
        properties = {one["key"]: one for one in page.json("conf?format=json")["properties"]}
        assert properties["hbase.hstore.compaction.min"]["resource"] == "argument"
        assert page.json("health")["checks"]["disk"] == "ok"


def test_stacks_and_dump(page: Asker) -> None:
    assert "rowstone-dashboard" in page.text("stacks")
    text = page.text("dump")
    for part in ("Health", "Statistics", "Slow calls", "Configuration", "Threads"):
        assert part in text


def test_unauthenticated_clients_see_health_only() -> None:
    def authenticate(authorization: str) -> str | None:
        return "ann" if authorization == "Bearer good" else None

    with rs.connect(":memory:") as db, rs.server.dashboard.serve(db, authenticate=authenticate) as dashboard:
        page = Asker(dashboard.url)
        assert [page.get(path)[0] for path in ("", "metrics", "dump", "static/dashboard.css")] == [401] * 4
        assert [page.get(path)[0] for path in ("health", "ready")] == [200] * 2
        assert page.get("metrics", Authorization="Bearer good")[0] == 200
        assert page.get("metrics", Authorization="Bearer bad")[0] == 401


def test_pages_need_admin_permission() -> None:
    settings = {"hbase.security.authorization": True}
    with (
        rs.connect(":memory:", configuration=settings) as db,
        rs.server.dashboard.serve(db, authenticate=lambda authorization: authorization or None) as dashboard,
    ):
        db.create_table("t", ["f"])
        db.admin.permissions.grant("ann", "RW", table="t")
        db.admin.permissions.grant("ada", "A")
        page = Asker(dashboard.url)
        assert [page.get("metrics", Authorization=user)[0] for user in ("", "ann", "ada")] == [401, 403, 200]


def test_the_keys_of_a_heat_map_need_permission_to_read() -> None:
    settings = {"hbase.security.authorization": True}
    with (
        rs.connect(":memory:", configuration=settings) as db,
        rs.server.dashboard.serve(db, authenticate=lambda user: user or None, data=True) as dashboard,
    ):
        db.create_table("t", ["f", "g"])
        table = db.table("t")
        for number in range(200):
            table.put("secret-key", {"f:q": str(number)})
        table.put("key", {"g:q": "value"})
        db.admin.permissions.grant("ada", "A")
        db.admin.permissions.grant("ann", "A")
        db.admin.permissions.grant("ann", "R", table="t", family="g")
        db.admin.permissions.grant("eve", "RA")
        page = Asker(dashboard.url)
        for user, heat, advice in (("ada", 403, 403), ("ann", 403, 200), ("eve", 200, 200)):
            answers = [page.get(path, Authorization=user) for path in ("heat/t", "advice/t", "heat")]
            assert [status for status, _ in answers] == [heat, advice, 200], user
            assert ("secret-key" in "".join(text for _, text in answers)) is (user == "eve"), user


def test_rates_are_those_of_late() -> None:
    clock, rows = [0.0], [0]
    history = History(lambda: Figures(clock[0], {"read_requests": rows[0]}, None))
    for moment, count in ((0, 0), (5, 100), (10, 100), (15, 400)):
        clock[0], rows[0] = moment, count
        history.sample()
    clock[0], rows[0] = 17, 460
    now, before = history.now()
    assert (now.seconds, before.seconds, before.rows) == (17, 5, 100)
    assert [one.rows for one in history.all()] == [0, 100, 100, 400]


def test_the_page_ends_with_its_server() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, info_port=0) as server:
        url = server.info_url
        assert server.info_port is not None
        assert Asker(str(url)).text("ready") == "ready\n"
    with pytest.raises(OSError, match="refused"):
        Asker(str(url)).get("ready")
    with rs.serve(":memory:", port=0, zk_port=None) as server:
        assert server.info_url is None


def test_a_port_that_is_taken_leaves_no_server_behind() -> None:
    with rs.serve(":memory:", port=0, zk_port=None, info_port=0) as server, rs.connect(":memory:") as db:
        with pytest.raises(rs.errors.StorageError):
            rs.serve(db, port=0, zk_port=None, info_port=server.info_port)
        assert not db.closed


def test_the_command_says_where_the_page_is(tmp_path: Path) -> None:
    options = ["--port", "0", "--zk-port", "-1", "--info-port", "0", "--log-format", "json"]
    options += ["--set", "hbase.ipc.warn.response.time=250"]
    main = "from rowstone.cli import main; main()"
    command = [sys.executable, "-c", main, "serve", str(tmp_path / "db"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        page = Asker(f"http://127.0.0.1:{ready['info_port']}/")
        properties = {one["key"]: one["value"] for one in page.json("conf?format=json")["properties"]}
        process.terminate()
        assert process.wait(20) == 0
    assert properties["hbase.ipc.warn.response.time"] == "250"


def test_importing_rowstone_does_not_import_servers() -> None:
    code = (
        "import sys, rowstone; print([name for name in sys.modules if name.split('.')[0] in ('starlette', 'uvicorn')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
