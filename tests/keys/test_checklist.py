"""Checklist statements about row keys (007, 012, 059, 142, 144, 162, 171-173, 181-183, 217-228)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone import errors, keys
from rowstone.keys import Key
from tests.checklist import checklist

LONGS = st.integers(-(2**63), 2**63 - 1)


@pytest.fixture
def t() -> Iterator[rs.Table]:
    """A table with the families f and g."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f", "g"])
        yield db.table("t")


@checklist("007", clause="a helper pads and refuses too large numbers")
def test_padded_numbers_sort_numerically() -> None:
    key = Key(keys.padded("n", 4))
    rows = [key.encode(n=n) for n in (9, 10, 100, 9999)]
    assert rows == sorted(rows)
    assert [key.decode(row).n for row in rows] == [9, 10, 100, 9999]
    with pytest.raises(errors.InvalidArgument, match="10000 does not fit: 0 to 9999"):
        key.encode(n=10_000)


@checklist("012", clause="a helper reverses names and restores them")
def test_domains_are_reversed_and_restored(t: rs.Table) -> None:
    key = Key(keys.domain("host"))
    for host in ("www.cnn.com", "money.cnn.com", "www.apache.org", "cnn.com"):
        t.put(key.encode(host=host), {"f:q": host})
    found = [key.decode(row.key).host for row in t.scan(*key.range(host=keys.startswith("cnn.com")))]
    assert found == ["cnn.com", "money.cnn.com", "www.cnn.com"]
    assert keys.reversed_domain(keys.reversed_domain("a.b.c")) == "a.b.c"


@checklist("059", clause="split keys are computed from start, end and count")
def test_a_table_is_split_from_start_end_and_count() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=("a", "z", 5))
        assert [region.start_key for region in db.admin.regions.list("t")] == [b"", b"a", b"i", b"q", b"z"]


@checklist("142", clause="md5_key makes them")
def test_md5_keys_are_digests() -> None:
    assert keys.md5_key(b"row").hex() == "f1965a857bc285d26fe22023aa5ab50d"
    assert len(keys.md5_key("any length of text")) == 16


@checklist("144", clause="the int64 codec keeps the order")
@given(LONGS, LONGS)
def test_int64_keys_sort_as_numbers(one: int, other: int) -> None:
    key = Key(keys.int64("n"))
    assert len(key.encode(n=one)) == 8
    assert (key.encode(n=one) < key.encode(n=other)) == (one < other)
    assert key.decode(key.encode(n=one)).n == one


@checklist("162", clause="writes are spread evenly")
@checklist("217", clause="a hundred buckets are spread evenly")
def test_sequential_writes_are_spread_evenly() -> None:
    salted = Key(keys.salt(10), keys.time("at"))
    counts = Counter(salted.encode(at=1_700_000_000_000 + at)[0] for at in range(20_000))
    assert len(counts) == 10
    assert all(1_800 < count < 2_200 for count in counts.values())
    bucketed = Key(keys.bucket(100, of="at"), keys.time("at"), keys.text("host"), keys.text("event"))
    exact = Counter(bucketed.encode(at=at, host="h", event="e")[0] for at in range(20_000))
    assert set(exact.values()) == {200}
    assert set(exact) == set(range(100))


@checklist("171", clause="8 bytes, and its inverse restores the time")
@given(st.integers(0, 2**63 - 1))
def test_a_reversed_time_is_restored(at: int) -> None:
    row = keys.reverse_timestamp(at)
    assert row == (2**63 - 1 - at).to_bytes(8, "big")
    assert keys.reverse_timestamp(int.from_bytes(row, "big")) == at.to_bytes(8, "big")


@checklist("171", clause="the first row of a prefix is the newest")
@checklist("172", clause="of ten thousand events the newest is one row read")
def test_the_newest_of_many_events_is_the_first(t: rs.Table) -> None:
    key = Key(keys.text("host"), keys.reverse_time("at"))
    times = list(range(10_000))
    random.Random(172).shuffle(times)
    with t.batch() as writer:
        for at in times:
            writer.put(key.encode(host="web1", at=at), {"f:event": str(at)})
        writer.put(key.encode(host="web2", at=99_999), {"f:event": "another host's"})
    with t.scan(prefix=key.prefix(host="web1"), limit=1) as rows:
        [newest] = rows
    assert key.decode(newest.key) == ("web1", 9_999)
    assert newest["f:event"] == b"9999"


@checklist("173", clause="the same row in two families")
def test_one_row_in_two_families(t: rs.Table) -> None:
    t.put("r", {"f:q": "in f"})
    t.put("r", {"g:q": "in g"})
    assert dict(t.get("r")) == {b"f:q": b"in f", b"g:q": b"in g"}
    t.delete("r", "f")
    assert dict(t.get("r")) == {b"g:q": b"in g"}


@checklist("181", clause="four rows go to other prefixes")
def test_salting_spreads_neighbors() -> None:
    key = Key(keys.round_robin(4), keys.text("row"))
    rows = [key.encode(row=f"foo000{number}") for number in range(1, 5)]
    assert {row[0] for row in rows} == {0, 1, 2, 3}
    assert [key.logical(row) for row in rows] == [b"foo0001", b"foo0002", b"foo0003", b"foo0004"]


@checklist("182", clause="a get by logical key is one get")
def test_a_hashed_key_is_rebuilt_from_its_values(t: rs.Table) -> None:
    key = Key(keys.md5_prefix(4), keys.text("row"))
    t.put(key.encode(row="foo0003"), {"f:q": "v"})
    [only] = key.candidates(row="foo0003")
    assert only == keys.md5_key("foo0003")[:4] + b"foo0003"
    assert t.get(only)["f:q"] == b"v"


@checklist("183", clause="0123 becomes 3210")
def test_reversed_keys_round_trip() -> None:
    assert keys.reversed_key("0123") == b"3210"
    key = Key(keys.reversed_fixed(keys.padded("n", 4)))
    assert key.encode(n=123) == b"3210"
    assert key.decode(b"3210").n == 123


@checklist("183", clause="ranges over it are refused")
def test_reversed_keys_have_no_ranges() -> None:
    key = Key(keys.reversed_fixed(keys.padded("n", 4)))
    with pytest.raises(errors.InvalidArgument, match="does not sort by value"):
        key.range(n=(1, 5))


@checklist("219", clause="a host is one range")
@checklist("220", clause="the first row is the newest")
def test_host_event_and_time(t: rs.Table) -> None:
    key = Key(keys.text("host"), keys.text("event"), keys.reverse_time("at"))
    for host in ("a", "ab", "b"):
        for event in ("start", "stop"):
            for at in (10, 30, 20):
                t.put(key.encode(host=host, event=event, at=at), {"f:q": "v"})
    of_host = [key.decode(row.key) for row in t.scan(*key.range(host="a"))]
    assert of_host == [("a", event, at) for event in ("start", "stop") for at in (30, 20, 10)]
    [newest] = t.scan(*key.range(host="ab", event="stop"), limit=1)
    assert key.decode(newest.key).at == 30


@checklist("222", clause="the key has 40 bytes")
@checklist("222", clause="it is read as hashes and time")
def test_a_key_of_two_hashes_and_a_time() -> None:
    key = Key(keys.md5("host"), keys.md5("event"), keys.time("at"))
    row = key.encode(host="myserver1.mycompany.com", event="com.package1.ImportantService", at=1_700_000_000_000)
    assert len(row) == key.width == 40
    assert key.decode(row) == (
        keys.md5_key("myserver1.mycompany.com"),
        keys.md5_key("com.package1.ImportantService"),
        1_700_000_000_000,
    )


@checklist("227", clause="32 and 24 bytes")
def test_keys_of_customers_and_orders() -> None:
    hashed = Key(keys.md5("customer"), keys.md5("order"))
    assert len(hashed.encode(customer="C-17", order="O-1")) == hashed.width == 32
    numbered = Key(keys.int64("customer"), keys.md5("order"))
    assert len(numbered.encode(customer=17, order="O-1")) == numbered.width == 24


@checklist("228", clause="a prefix scan returns the customer, then all orders")
def test_customers_and_orders_in_one_table(t: rs.Table) -> None:
    customer = Key(keys.int64("customer"), keys.uint8("type"))
    order = Key(keys.int64("customer"), keys.uint8("type"), keys.text("order"))
    for number in (17, 18):
        for name in ("O-2", "O-1"):
            t.put(order.encode(customer=number, type=2, order=name), {"f:q": name})
        t.put(customer.encode(customer=number, type=1), {"f:q": f"customer {number}"})
    with t.scan(prefix=customer.prefix(customer=17)) as rows:
        assert [row["f:q"] for row in rows] == [b"customer 17", b"O-1", b"O-2"]
