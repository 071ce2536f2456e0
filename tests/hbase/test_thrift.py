"""HBase's own Thrift gateways under the scripts of `tests/thrift`: what was recorded is what they answer."""

from __future__ import annotations

import pytest

from tests.hbase.cluster.server import StandaloneHBase
from tests.hbase.cluster.thrift import ThriftGateway
from tests.thrift.scripts import SCRIPTS, recording, run


@pytest.mark.parametrize("version", SCRIPTS)
def test_the_recording_is_what_hbase_answers(hbase: StandaloneHBase, version: int) -> None:
    gateway = ThriftGateway(hbase, version)
    try:
        lines = run(version, gateway.port)
    finally:
        gateway.close()
    assert lines == recording(version).read_text().splitlines()
