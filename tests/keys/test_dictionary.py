"""Names as numbers: the same for every thread and after every restart."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, keys
from rowstone.keys import Dictionary, Key
from tests.checklist import checklist

NAMES = [f"server{number}.mycompany.com" for number in range(40)]


@checklist("223", clause="one name has one number, across threads and restarts")
def test_concurrent_clients_give_a_name_one_number(tmp_path: Path) -> None:
    with rs.connect(tmp_path / "db") as db:
        db.create_table("LOG_TYPES", ["d"])

        def number_all(_: int) -> dict[str, int]:
            mine = Dictionary(db.table("LOG_TYPES"), "d")
            return {name: mine.number(1, name) for name in NAMES}

        with ThreadPoolExecutor(8) as pool:
            first, *others = pool.map(number_all, range(8))
        assert all(other == first for other in others)
        assert len(set(first.values())) == len(NAMES)
    with rs.connect(tmp_path / "db") as db:
        again = Dictionary(db.table("LOG_TYPES"), "d")
        assert {name: again.number(1, name) for name in NAMES} == first
        assert again.number(1, "another") not in first.values()


@checklist("223", clause="numbers lead back to names")
def test_numbers_lead_back_to_names() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("LOG_TYPES", ["d"])
        names = Dictionary(db.table("LOG_TYPES"), "d")
        number = names.number(1, "web1")
        fresh = Dictionary(db.table("LOG_TYPES"), "d")
        assert fresh.name(1, number) == b"web1"
        names.number(2, "start")
        assert list(fresh.names(1)) == [(b"web1", number)]
        with pytest.raises(errors.NotFoundError, match="number 99 of kind 1"):
            fresh.name(1, 99)


@checklist("223", clause="the key has 24 bytes")
def test_a_key_of_two_names_and_a_time_has_24_bytes() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("LOG_TYPES", ["d"])
        names = Dictionary(db.table("LOG_TYPES"), "d")
        key = Key(keys.substituted("host", names, 1), keys.substituted("event", names, 2), keys.time("at"))
        values = {"host": "myserver1.mycompany.com", "event": "com.package1.ImportantService", "at": 5}
        row = key.encode(values)
        assert len(row) == key.width == 24
        assert key.decode(row)._asdict() == values
        # The raw value is in the lookup table, behind the byte of its kind.
        assert int.from_bytes(db.table("LOG_TYPES").get(b"\x01myserver1.mycompany.com")["d:id"], "big") == 1


def test_looking_for_a_name_gives_it_no_number() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("LOG_TYPES", ["d"])
        names = Dictionary(db.table("LOG_TYPES"), "d")
        key = Key(keys.substituted("host", names, 1), keys.time("at"))
        with pytest.raises(errors.NotFoundError, match="'web1' of kind 1"):
            key.range(host="web1")
        with pytest.raises(errors.NotFoundError):
            key.candidates(host="web1", at=1)
        assert list(db.table("LOG_TYPES")) == []
        key.encode(host="web1", at=1)
        assert key.prefix(host="web1") == (1).to_bytes(8, "big")
        with pytest.raises(errors.InvalidArgument, match="from 1 to 127"):
            keys.substituted("host", names, 200)
        with pytest.raises(errors.InvalidArgument, match="empty name"):
            names.number(1, "")


def test_a_number_that_was_drawn_in_vain_leads_nowhere() -> None:
    """Another process was faster: its number counts."""
    with rs.connect(":memory:") as db:
        db.create_table("LOG_TYPES", ["d"])
        table = db.table("LOG_TYPES")

        class Slow(Dictionary):
            def find(self, kind: int, name: str | bytes) -> int:
                raise errors.NotFoundError("looked too early")

        assert Dictionary(table, "d").number(1, "web1") == 1
        assert Slow(table, "d").number(1, "web1") == 1
        assert not table.exists(b"\x81" + (2).to_bytes(8, "big"))
