"""A root directory without a snapshot: all tables, with what was flushed, as HBase's client reads them."""

from __future__ import annotations

import pytest

from tests.roots.comparing import check_same
from tests.roots.plan import CONTENTS, DISABLED, LIVE_SCANS, scans_of
from tests.roots.session import LIVE, RootSession, snapshot_place
from tests.roots.storages import Place


def test_all_tables_are_listed(place: Place) -> None:
    with place.open() as db:
        assert set(db.tables()) >= CONTENTS.tables
        assert "dropped" not in db.tables()


@pytest.mark.parametrize("table", sorted(CONTENTS.tables - set(DISABLED)))
def test_cells_are_those_of_the_client(session: RootSession, place: Place, sample: int | None, table: str) -> None:
    scans = [*scans_of(table, sample), *LIVE_SCANS]
    with place.open() as db:
        check_same(session, LIVE, table, db.table(table), scans)


@pytest.mark.parametrize(("table", "snapshot"), DISABLED.items())
def test_a_disabled_table_is_read(session: RootSession, place: Place, table: str, snapshot: str) -> None:
    with place.open() as db:
        check_same(session, snapshot_place(snapshot), table, db.table(table), scans_of(table))
