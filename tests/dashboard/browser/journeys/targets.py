"""Targets of journeys: explorers of a directory, of a served database and of a real HBase, and the page of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import rowstone as rs
from rowstone.server.dashboard import explore
from tests.dashboard.browser.journeys import world
from tests.hbase.cluster.server import StandaloneHBase


@dataclass(frozen=True)
class Target:
    """A database with its pages.

    Attributes:
        db: The database, to prepare rows and to check changes.
        reader, writer: Addresses of the pages; those of ``writer`` allow changes if ``can_write``.
        is_explorer: Whether the pages are those of `explore`, with a token, SQL and changes.
    """

    db: rs.Database
    reader: str
    writer: str
    is_explorer: bool = True

    @property
    def customers(self) -> rs.Table:
        """The table that most journeys visit."""
        return self.db.table(world.CUSTOMERS)


@contextmanager
def _explored(db: rs.Database) -> Iterator[Target]:
    """Two explorers of an open database, of which one allows changes."""
    with explore(db) as reader, explore(db, write=True) as writer:
        yield Target(db, reader.url, writer.url)


@contextmanager
def _directory(folder: Path) -> Iterator[Target]:
    with rs.connect(folder / "crawl") as db:
        world.fill(db)
        db.admin.flush(world.FILES)
        with _explored(db) as target:
            yield target


@contextmanager
def _serve(folder: Path) -> Iterator[Target]:
    with rs.serve(folder / "crawl", port=0, zk_port=None) as server, rs.connect(server.url) as db:
        world.fill(db)
        with _explored(db) as target:
            yield target


@contextmanager
def _page(folder: Path) -> Iterator[Target]:
    with rs.serve(folder / "crawl", port=0, zk_port=None, info_port=0, info_data=True) as server:
        world.fill(server.database)
        url = str(server.info_url)
        yield Target(server.database, url, url, is_explorer=False)


@contextmanager
def _hbase(_: Path) -> Iterator[Target]:
    with StandaloneHBase() as server, rs.connect(server.url) as db:
        world.fill(db)
        with _explored(db) as target:
            yield target


TARGETS: dict[str, Callable[[Path], AbstractContextManager[Target]]] = {
    "directory": _directory,
    "serve": _serve,
    "page of a server": _page,
    "hbase": _hbase,
}
