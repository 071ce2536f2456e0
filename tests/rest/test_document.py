"""The commands in docs/reference/rest.md print the output shown below them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from rowstone.server import rest
from tests.rest.cases import SESSIONS

DOCUMENT = Path(__file__).parents[2] / "docs/reference/rest.md"


def commands() -> list[tuple[str, str]]:
    """Commands, and what they print."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), ""))
            else:
                command, printed = found.pop()
                found.append((command, f"{printed}{line}\n"))
    return found


def test_commands_print_what_the_document_says(gateway: rest.Gateway) -> None:
    assert shutil.which("curl") is not None, "the program 'curl' is not installed"
    assert len(commands()) > 10
    for command, expected in commands():
        here = command.replace("localhost:8080", f"127.0.0.1:{gateway.port}")
        done = subprocess.run(["sh", "-c", here], capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout.replace("\r\n", "\n").strip() == expected.strip(), command


def test_the_number_of_requests_is_right() -> None:
    count = sum(map(len, SESSIONS.values()))
    assert f"has {count} requests" in DOCUMENT.read_text()
