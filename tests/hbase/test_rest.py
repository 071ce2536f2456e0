"""HBase's own REST server still answers what is recorded of it, and what our gateway is held to.

`tests/rest/test_as_hbase.py` compares our answers with the same record.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hbase.cluster.rest import RestServer
from tests.hbase.cluster.server import StandaloneHBase
from tests.rest.cases import SESSIONS, table_of
from tests.rest.record import recorded
from tests.rest.session import run

WITHOUT_PREFERENCE = (None, "*/*", "application/*", "text/*", "image/png, */*;q=0.1")
"""To who takes several forms HBase gives one of them, and another one when it was started anew."""


@pytest.fixture(scope="module")
def server(hbase: StandaloneHBase) -> Iterator[RestServer]:
    """The REST server."""
    with RestServer(hbase) as rest:
        yield rest


@pytest.mark.parametrize("name", SESSIONS)
def test_hbase_answers_as_recorded(server: RestServer, name: str) -> None:
    answers = run(server.port, SESSIONS[name], table_of(name))
    for step, answer, expected in zip(SESSIONS[name], answers, recorded()[name], strict=True):
        if step.accept in WITHOUT_PREFERENCE:
            assert answer["status"] == expected["status"], step
        else:
            assert answer == expected, step
