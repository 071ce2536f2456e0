"""The scripts of both services, and the recordings of what HBase's gateways answered."""

from __future__ import annotations

from pathlib import Path

from tests.thrift import clients, script_one, script_two
from tests.thrift.steps import Step, answers, numbered

SCRIPTS = {1: script_one.script, 2: script_two.script}
_FOLDER = Path(__file__).parent


def steps_of(version: int) -> list[Step]:
    """All steps of a service's script."""
    return list(SCRIPTS[version](clients.module(version)))


def recording(version: int) -> Path:
    """The file with HBase's answers."""
    return _FOLDER / f"recorded_{version}.txt"


def run(version: int, port: int, transport: str = "buffered", protocol: str = "binary") -> list[str]:
    """A line for each step, as the gateway at a port answers."""
    with clients.client(version, port, transport, protocol) as client:
        return numbered(answers(client, steps_of(version)))
