"""Every route, method and form: the answers equal those of HBase's own REST server (``recorded.json``).

`tests/hbase/test_rest.py` asks HBase again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from rowstone.server import rest
from rowstone.server.rest.routing._route import Operation, consuming, find
from rowstone.server.rest.routing._routes import ROUTES
from tests.rest.cases import SESSIONS, table_of
from tests.rest.differences import DIFFERENCES, same
from tests.rest.record import recorded
from tests.rest.session import JSON, Step, run

DOCUMENT = Path(__file__).parents[2] / "docs/reference/rest.md"


@pytest.mark.parametrize("name", SESSIONS)
def test_our_answers_are_those_of_hbase(gateway: rest.Gateway, name: str) -> None:
    steps, theirs = SESSIONS[name], recorded()[name]
    ours = run(gateway.port, steps, table_of(name))
    assert len(ours) == len(theirs)
    for step, our, their in zip(steps, ours, theirs, strict=True):
        if step.differs is None:
            assert same(our, their), f"{step}\n  HBase: {their}\n   here: {our}"
        else:
            assert our["status"] != 500, step
            assert not same(our, their), f"{step} is no difference any more"


def test_every_difference_is_tested_and_documented() -> None:
    used = {step.differs for steps in SESSIONS.values() for step in steps} - {None}
    assert used == set(DIFFERENCES)
    text = " ".join(DOCUMENT.read_text().split())
    assert not [reason for reason in DIFFERENCES.values() if reason not in text]


def operations_of(step: Step) -> list[tuple[str, str, str, str]]:
    """The operations of a step: route, method, form of the request, form of the answer."""
    request = step.filled({"t": "t", "scanner": "/t/scanner/1"})
    found = find(ROUTES, request.path.partition("?")[0])
    if found is None:
        return []
    content_type = request.content_type or (JSON if isinstance(step.body, Mapping) else None)
    operations = [each for each in found[0].operations if each.method == step.method]
    return [
        (found[0].path, operation.method, content_type if operation.consumes else "", step.accept or "")
        for operation in consuming(operations, content_type)
    ]


def needed(operation: Operation, path: str) -> set[tuple[str, str, str, str]]:
    """The required steps: a GET in all forms of its answers, a change in all forms of its body."""
    if operation.method == "GET":
        return {(path, "GET", "", media) for media in operation.produces}
    forms = operation.consumes or ("",)
    return {(path, operation.method, media, "") for media in forms}


def test_no_route_method_or_form_is_without_a_case() -> None:
    met = {each for steps in SESSIONS.values() for step in steps for each in operations_of(step)}
    met |= {(path, method, form, "") for path, method, form, _ in met if method != "GET"}
    missing = set()
    for route in ROUTES:
        for operation in route.operations:
            missing |= needed(operation, route.path) - met
    assert not missing
