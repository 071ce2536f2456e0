"""A served database with a web page, and a client of the page."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import rowstone as rs


@dataclass(frozen=True)
class Asker:
    """Client of a web page."""

    url: str

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text."""
        request = urllib.request.Request(self.url + path.lstrip("/"), headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def text(self, path: str) -> str:
        """The text of an existing page."""
        status, text = self.get(path)
        assert status == 200, (path, status, text)
        return text

    def json(self, path: str) -> Any:
        """The same, read as JSON."""
        return json.loads(self.text(path))

    def bean(self, name: str) -> dict[str, Any]:
        """A bean of /jmx."""
        [bean] = self.json(f"jmx?qry=Hadoop:service=HBase,name={name}")["beans"]
        return dict(bean)


@pytest.fixture
def server() -> Iterator[rs.Server]:
    """A server in memory with its page, and a table ``t`` of two regions."""
    with rs.serve(":memory:", port=0, zk_port=0, info_port=0) as server:
        server.database.create_table("t", ["f"], splits=["m"])
        yield server


@pytest.fixture
def client(server: rs.Server) -> Iterator[rs.Database]:
    """A client of it."""
    with rs.connect(server.url) as client:
        yield client


@pytest.fixture
def page(server: rs.Server) -> Asker:
    """Its page."""
    assert server.info_url is not None
    return Asker(server.info_url)
