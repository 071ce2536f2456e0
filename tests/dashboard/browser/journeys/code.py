"""Journeys that take a query along: its cost, its code, its rows as a file."""

from __future__ import annotations

import base64
import csv
import io
import json
import shlex
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from rowstone.cli import shell
from rowstone.server import rest
from tests.dashboard.browser.journeys.plan import ADDRESS, click, journey, section, send, show_rows
from tests.dashboard.browser.journeys.targets import Target
from tests.dashboard.browser.visit import Visit


def _code(visit: Visit, title: str) -> str:
    """The code of a query for the rows from c0010 on, as a user copies it."""
    show_rows(visit, Row_prefix="c001", Columns="info:name", Filter="ValueFilter(!=, 'binary:Customer 12')", Limit="5")
    click(visit, "cost and code of this scan")
    return str(section(visit, title).locator("pre").inner_text()) + "\n"


def _output(run: Callable[[], Any]) -> str:
    with redirect_stdout(io.StringIO()) as output:
        run()
    return output.getvalue()


def _rows_of(text: str) -> list[str]:
    """The keys in the output of a program, in order."""
    return [key for key in (f"c{number:04}" for number in range(120)) if key in text]


WANTED = ["c0010", "c0011", "c0013", "c0014", "c0015"]


@journey()
def read_the_cost_of_a_scan(visit: Visit, target: Target) -> None:
    show_rows(visit)
    click(visit, "cost and code of this scan")
    assert "FULL SCAN" in section(visit, "Cost").inner_text()
    send(visit, Row_prefix="c00")
    click(visit, "cost and code of this scan")
    cost = section(visit, "Cost").inner_text()
    assert "a range of keys" in cost
    assert "1 of 2 regions" in cost
    click(visit, "show the rows")
    assert "c0000" in visit.text()


@journey()
def run_the_copied_python(visit: Visit, target: Target) -> None:
    code = _code(visit, "Python")
    assert _rows_of(_output(lambda: exec(code, {}))) == WANTED


@journey()
def run_the_copied_shell_command(visit: Visit, target: Target) -> None:
    code = _code(visit, "HBase shell")
    output = _output(lambda: shell.run_shell(target.db, interactive=False, commands=code))
    assert _rows_of(output) == WANTED


@journey()
def run_the_copied_curl(visit: Visit, target: Target) -> None:
    command = shlex.split(_code(visit, "curl"))
    assert "rest-port" in section(visit, "curl").inner_text()
    with rest.serve(target.db, port=0) as gateway:
        url = command[-1].replace("localhost:8080", f"127.0.0.1:{gateway.port}")
        with urlopen(Request(url, headers={"Accept": "application/json"})) as answer:
            rows = json.load(answer)["Row"]
    assert [base64.b64decode(row["key"]).decode() for row in rows] == WANTED


def _download(visit: Visit, form: str) -> Path:
    show_rows(visit, Row_prefix="c001")
    with visit.page.expect_download() as started:
        visit.page.get_by_role("button", name=form, exact=True).click()
    assert started.value.suggested_filename == f"shop-customers-c001.{form.lower().replace('json lines', 'jsonl')}"
    return Path(started.value.path())


@journey()
def download_csv_and_read_it(visit: Visit, target: Target) -> None:
    lines = list(csv.DictReader(io.StringIO(_download(visit, "CSV").read_text(), newline="")))
    assert len(lines) == 30
    assert [one["value"] for one in lines if one["column"] == "info:name"] == [f"Customer {n}" for n in range(10, 20)]
    assert lines[0]["value"] == r"\x00\x00\x00\x1E"


@journey()
def download_what_the_form_says_now(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="c001")
    visit.page.get_by_label("Row prefix").fill("c002")
    with visit.page.expect_download() as started:
        visit.page.get_by_role("button", name="CSV", exact=True).click()
    assert started.value.suggested_filename == "shop-customers-c002.csv"
    assert visit.page.get_by_role("button", name="Cancel").count() == 0


@journey()
def download_json_lines_and_read_them(visit: Visit, target: Target) -> None:
    rows = [json.loads(line) for line in _download(visit, "JSON lines").read_text().splitlines()]
    assert [row["row"] for row in rows] == [f"c{number:04}" for number in range(10, 20)]
    assert {cell["column"] for cell in rows[0]["cells"]} == {"info:age", "info:name", "visits:last"}


@journey()
def download_parquet_and_read_it(visit: Visit, target: Target) -> None:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(_download(visit, "Parquet"))
    assert table.column("info:age").to_pylist() == list(range(30, 40))


@journey()
def ask_for_a_file_that_there_is_not(visit: Visit, target: Target) -> None:
    show_rows(visit, Row_prefix="zzz")
    assert visit.page.get_by_role("button", name="CSV", exact=True).count() == 0
    visit.go(f"download/{ADDRESS}?prefix=zzz&format=parquet")
    assert "the query has no rows" in visit.text().lower()
    visit.go(f"download/{ADDRESS}?format=exe")
    assert "is not one of: csv, jsonl, parquet" in visit.text()
    click(visit, "the table")
    click(visit, "rows")
    assert visit.page.get_by_role("button", name="CSV", exact=True).count() == 1
