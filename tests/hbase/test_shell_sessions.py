"""Cluster-only shell commands: recordings of HBase's own shell compared with Rowstone's answers.

Peers, regions and servers by their names, rights, labels, quotas. `tests/shell/record.py` makes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

import pytest

import rowstone as rs
from tests.hbase.cluster.server import StandaloneHBase
from tests.shell.differences import ON_CLUSTERS, why
from tests.shell.record import GUARDED, KINDS, RECORDED, filled, prepared
from tests.shell.transcript import exchanges_of, typed_into

pytestmark = pytest.mark.usefixtures("utc")

Place = tuple[StandaloneHBase, rs.Database]

ATTEMPTS = 3
PATIENCE_SECONDS = 60


def started(settings: Mapping[str, str]) -> StandaloneHBase:
    """A running HBase. When it starts, it creates tables for permissions and labels. Rarely it leaves the region of
    one of them unassigned for good: then another HBase is started."""
    for _ in range(ATTEMPTS):
        hbase = StandaloneHBase(servers=1, settings=settings)
        hbase.__enter__()
        if settings is not GUARDED or has_tables_of_its_own(hbase):
            return hbase
        hbase.close()
    raise AssertionError(f"HBase did not bring up its own tables, {ATTEMPTS} times")


def has_tables_of_its_own(hbase: StandaloneHBase) -> bool:
    """Whether the tables of permissions and labels become readable in time."""
    end = time.monotonic() + PATIENCE_SECONDS
    with rs.connect(hbase.url, operation_timeout_ms=10_000) as cluster:
        while time.monotonic() < end:
            try:
                for name in ("hbase:acl", "hbase:labels"):
                    list(cluster.table(name).scan(limit=1))
                return True
            except (rs.errors.TableNotFound, rs.errors.ClusterError, rs.errors.RetryError):
                time.sleep(0.5)
    return False


@pytest.fixture(scope="module")
def place() -> Iterator[Callable[[str], Place]]:
    """The cluster that a session needs, one at a time."""
    open_now: list[tuple[object, StandaloneHBase, rs.Database]] = []

    def close() -> None:
        while open_now:
            _, hbase, cluster = open_now.pop()
            cluster.close()
            hbase.close()

    def get(name: str) -> Place:
        if not open_now or open_now[0][0] is not KINDS[name]:
            close()
            hbase = started(KINDS[name])
            open_now.append((KINDS[name], hbase, rs.connect(hbase.url)))
        return open_now[0][1:]

    yield get
    close()


@pytest.mark.parametrize("name", sorted(KINDS, key=lambda name: (KINDS[name] is GUARDED, name)))
def test_our_shell_answers_as_hbases_on_a_cluster(place: Callable[[str], Place], name: str) -> None:
    hbase, cluster = place(name)
    words = prepared(name, hbase, cluster)
    theirs = exchanges_of(filled((RECORDED / f"{name}.txt").read_text(), words))
    ours = typed_into(cluster, theirs)
    wrong = []
    for before, after in zip(theirs, ours, strict=True):
        assert after.typed == before.typed
        if why(ON_CLUSTERS[name], before.typed) is None and after.answer != before.answer:
            wrong.append(f"{before.typed}\n--- HBase's\n{before.answer}\n--- ours\n{after.answer}")
    assert not wrong, "\n".join(wrong)
