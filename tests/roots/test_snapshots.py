"""Each snapshot, read from the root directory, has the cells that HBase's snapshot scanner finds."""

from __future__ import annotations

import pytest

from tests.roots.comparing import check_same
from tests.roots.plan import CONTENTS, scans_of
from tests.roots.session import RootSession, snapshot_place
from tests.roots.storages import Place


@pytest.mark.parametrize(("snapshot", "table"), CONTENTS.snapshots.items(), ids=list(CONTENTS.snapshots))
def test_cells_are_those_of_the_snapshot_scanner(
    session: RootSession, place: Place, sample: int | None, snapshot: str, table: str
) -> None:
    with place.open(snapshot) as db:
        assert db.tables() == [table]
        check_same(session, snapshot_place(snapshot), table, db.table(table), scans_of(table, sample))
