"""The document at /openapi.json is valid and describes every route."""

from __future__ import annotations

import json
import urllib.request

import pytest
from openapi_spec_validator import validate

import rowstone as rs
from rowstone.server import rest
from rowstone.server.rest.routing._openapi import document
from rowstone.server.rest.routing._route import Operation, Route
from rowstone.server.rest.routing._routes import ROUTES
from tests.rest.session import JSON, Step, run


def test_the_document_is_served_and_valid(gateway: rest.Gateway) -> None:
    with urllib.request.urlopen(f"{gateway.url}/openapi.json") as answer:
        assert answer.headers["Content-Type"] == JSON
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        served = json.load(answer)
    validate(served)
    assert served == document()


OPERATIONS = [(route, operation) for route in ROUTES for operation in route.operations]


@pytest.mark.parametrize(("route", "operation"), OPERATIONS, ids=lambda each: getattr(each, "path", "") or each.method)
def test_every_operation_is_described(route: Route, operation: Operation) -> None:
    described = document()["paths"][route.path][operation.method.lower()]
    assert operation.summary in described["summary"]
    assert {each["name"] for each in described.get("parameters", [])} >= {each.name for each in operation.parameters}
    assert set(described.get("requestBody", {}).get("content", {})) >= set(operation.consumes)
    if operation.gives is not None:
        assert set(described["responses"]["200"]["content"]) >= set(operation.produces)
    assert {str(status) for status in operation.statuses or {200: ""}} <= set(described["responses"])


def test_nothing_else_is_described() -> None:
    described = {
        (path, method) for path, item in document()["paths"].items() for method in item if method != "parameters"
    }
    assert described - {("/openapi.json", "get")} == {(route.path, each.method.lower()) for route, each in OPERATIONS}


def test_names_of_operations_are_used_once() -> None:
    names = [
        operation["operationId"]
        for item in document()["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    ]
    assert len(names) == len(set(names))


def test_no_table_is_hidden(gateway: rest.Gateway, database: rs.Database) -> None:
    """Neither by the document nor by HBase's own routes: these have the name of the namespace before theirs."""
    for name, path in (
        ("openapi.json", "/openapi.json"),
        ("version", "/default:version"),
        ("namespaces", "/default:namespaces"),
        ("status", "/status"),
    ):
        database.create_table(name, ["f"])
        database.table(name).put("cluster", {"f:q": "x"}, timestamp=1)
        steps = [Step("GET", f"{path}/schema"), Step("GET", f"{path}/Y2x1c3Rlcg?e=b64"), Step("GET", f"{path}/exists")]
        schema, row, exists = run(gateway.port, steps, "none")
        assert schema["body"]["name"] == name
        assert row["body"]["Row"][0]["Cell"][0]["timestamp"] == 1
        assert exists["status"] == 200


def test_other_methods_are_refused(gateway: rest.Gateway) -> None:
    refused, options = run(
        gateway.port, [Step("PUT", "/openapi.json", body={}), Step("OPTIONS", "/t/r", accept=None)], "none"
    )
    assert (refused["status"], refused["headers"]["Allow"]) == (405, "GET,HEAD")
    assert (options["status"], options["headers"]["Allow"]) == (200, "DELETE,GET,OPTIONS,POST,PUT")
    # Browsers of other sites may not read: no header says that they may.
    assert not [name for name in options["headers"] if name.startswith("Access-Control")]
