"""Every method of both services, in every transport and encoding, before what HBase's gateways answered."""

from __future__ import annotations

import pytest

import rowstone as rs
from tests.thrift import clients
from tests.thrift.differences import ADDED, DIFFERENCES, same
from tests.thrift.scripts import recording, run, steps_of

VERSIONS = (1, 2)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_method_has_a_case_and_every_case_a_name(version: int) -> None:
    steps = steps_of(version)
    titles = [step.title for step in steps]
    assert set(clients.service(version).thrift_services) == {step.method for step in steps}
    assert len(set(titles)) == len(titles)
    assert set(DIFFERENCES[version]) | set(ADDED[version]) <= set(titles)
    recorded = [line.partition(" -> ")[0] for line in recording(version).read_text().splitlines()]
    assert recorded == titles, "record HBase's answers again: python -m tests.thrift.record"


@pytest.mark.parametrize("protocol", clients.PROTOCOLS)
@pytest.mark.parametrize("transport", clients.TRANSPORTS)
@pytest.mark.parametrize("version", VERSIONS)
def test_answers_are_those_of_hbase(version: int, transport: str, protocol: str) -> None:
    with rs.connect(":memory:") as db, rs.server.thrift.serve(db, port=0, version=version) as gateway:
        ours = run(version, gateway.port, transport, protocol)
    wrong = differing(version, ours, recording(version).read_text().splitlines())
    assert not wrong, "\n".join(wrong)


def differing(version: int, ours: list[str], hbases: list[str]) -> list[str]:
    """Differences from HBase that are not intended."""
    found = []
    for mine, theirs in zip(ours, hbases, strict=True):
        title, _, answer = mine.partition(" -> ")
        if not same(title, answer, theirs.partition(" -> ")[2], version):
            found.append(f"{title}\n  ours:  {answer}\n  HBase: {theirs.partition(' -> ')[2]}")
    return found
