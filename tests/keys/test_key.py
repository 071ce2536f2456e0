"""Keys of several parts: made, read, printed, refused."""

from __future__ import annotations

import hashlib
import random
from collections import Counter

import pytest

from rowstone import errors, keys
from rowstone.keys import Key, parse_key

LOG = Key(keys.salt(8), keys.text("host"), keys.reverse_time("at"), keys.int64("seq"))
KEYS = [
    LOG,
    Key(keys.text("host", end="-"), keys.padded("n", 5), keys.text("rest")),
    Key(keys.bucket(100, of="at"), keys.time("at"), keys.text("host"), keys.text("event")),
    Key(keys.md5_prefix(4, of="host"), keys.text("host"), keys.time("at")),
    Key(keys.salt(4, of=["host", "at"], hash="hbasewd"), keys.murmur_prefix(2), keys.domain("host"), keys.time("at")),
    Key(keys.descending(keys.text("player")), keys.reversed_fixed(keys.padded("n", 4)), keys.blob("rest")),
    Key(keys.ordered("a", "number", descending=True), keys.ordered("b", "blob"), keys.ordered("c", "blob_copy")),
    Key(keys.round_robin(3, first=1), keys.uint32("n")),
    Key(keys.float32("a"), keys.float64("b"), keys.fixed("c", 2), keys.fixed_bytes("d", 2), keys.java_int16("e")),
    Key(keys.md5("host"), keys.murmur("event"), keys.random_bytes("id", 4)),
]


def test_values_are_given_by_name_in_order_or_as_one() -> None:
    row = LOG.encode(host="web1", at=5, seq=-1)
    assert row == LOG.encode("web1", 5, seq=-1) == LOG.encode({"host": "web1", "at": 5, "seq": -1})
    found = LOG.decode(row)
    assert (found.host, found.at, found.seq) == found == ("web1", 5, -1)
    assert LOG.encode(found) == row
    assert row[1:] == b"web1\0" + (2**63 - 1 - 5).to_bytes(8, "big") + b"\x7f" + b"\xff" * 7
    assert LOG.logical(row) == row[1:]
    assert LOG.fields == ("host", "at", "seq")
    assert LOG.width is None
    assert Key(keys.salt(300), keys.int8("a"), keys.ordered("b", "int64")).width == 12


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"host": "a", "at": 1}, "'seq' is missing"),
        ({"host": "a", "at": 1, "seq": 1, "more": 1}, "'more' is no part"),
        ({"host": 1, "at": 1, "seq": 1}, r"text\('host'\) takes str, not int"),
        ({"host": "a" * 40_000, "at": 1, "seq": 1}, "1 to 32767"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        LOG.encode(**values)


def test_values_given_twice_or_too_many_are_refused() -> None:
    with pytest.raises(errors.InvalidArgument, match="given twice"):
        LOG.encode("a", 1, 1, host="b")
    with pytest.raises(errors.InvalidArgument, match="has 3 values, not 4"):
        LOG.encode("a", 1, 1, 1)
    with pytest.raises(errors.InvalidArgument, match="has 0 bytes"):
        Key(keys.text("a")).encode(a="")


def test_other_bytes_are_refused() -> None:
    row = LOG.encode(host="web1", at=5, seq=1)
    for wrong, message in [
        (row[:-1], "8 bytes are needed"),
        (row + b"x", "left behind the last part"),
        (bytes([row[0] ^ 1]) + row[1:], "these values have"),
        (row[:3], "nothing ends the text"),
        (b"", "1 bytes are needed"),
    ]:
        with pytest.raises(errors.InvalidArgument, match=message):
            LOG.decode(wrong)
    with pytest.raises(errors.InvalidArgument, match="bucket 3 is not one of"):
        Key(keys.round_robin(3), keys.int8("n")).decode(b"\x03\x80")


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_a_key_prints_itself_and_is_read_back(key: Key) -> None:
    read = parse_key(repr(key))
    assert repr(read) == repr(key)
    assert parse_key(repr(key)[4:-1]).fields == key.fields
    assert all(repr(part) in str(key) for part in key.parts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "text(",
        "open('x')",
        "keys.text('a')",
        "text('a') + text('b')",
        "text(name)",
        "text(*['a'])",
        "text(**{'name': 'a'})",
        "text('a', 'b', 'c')",
        "text(5)",
        "__import__('os').system('true')",
        "Key(text('a'), x=1)",
        "descending('a')",
        "salt('a'), text('b')",
        "(" * 5000,
        "text('a'), " * 2000,
    ],
)
def test_other_texts_are_no_keys(text: str) -> None:
    with pytest.raises(errors.InvalidArgument):
        parse_key(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((), "at least one part"),
        ((keys.text("a"), keys.text("a")), "two parts are called 'a'"),
        ((keys.text("class"),), "Python identifier"),
        ((keys.text("_a"),), "Python identifier"),
        ((keys.text("a"), keys.salt(4)), "must come first"),
        ((keys.salt(4), keys.salt(4), keys.text("a")), "must come first"),
        ((keys.salt(4),), "no part with a value"),
        ((keys.text("a"), keys.md5_prefix(4)), "it is the last part"),
        ((keys.md5_prefix(4, of="b"), keys.text("a")), "computed from 'b', which is not a part"),
        ((keys.ordered("a", "blob_copy"), keys.int8("b")), r"use ordered\('a', 'blob'\), or make it the last part"),
    ],
)
def test_parts_that_cannot_follow_each_other_are_refused(parts: tuple[keys.Part, ...], message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        Key(*parts)
    with pytest.raises(errors.InvalidType, match="not str"):
        Key("host")  # type: ignore[arg-type]


def test_a_salt_is_made_from_the_key_and_spreads_it() -> None:
    counts = Counter(LOG.encode(host="web1", at=at, seq=0)[0] for at in range(8_000))
    assert set(counts) == set(range(8))
    assert all(900 < count < 1_100 for count in counts.values())
    by_host = Key(keys.salt(8, of="host"), keys.text("host"), keys.time("at"))
    assert len({by_host.encode(host="web1", at=at)[0] for at in range(100)}) == 1
    assert Key(keys.salt(300), keys.text("a")).encode(a="x")[2:] == b"x"


def test_salts_of_hbasewd() -> None:
    """``Arrays.hashCode`` of Java: 31 times what was, plus the signed byte; begins at 1."""
    key = Key(keys.salt(32, hash="hbasewd"), keys.blob("row"))
    for row in (b"a", b"foo0001", b"\xff\x00\x80", bytes(range(200, 250))):
        state = 1
        for byte in row:
            state = (31 * state + (byte - 256 if byte > 127 else byte)) % 2**32
        signed = state - 2**32 if state >= 2**31 else state
        assert key.encode(row=row) == bytes([abs(signed) % 32]) + row


def test_round_robin_fills_buckets_in_turn_and_is_sought_in_all() -> None:
    key = Key(keys.round_robin(3, first=2), keys.text("a"))
    assert [key.encode(a="x") for _ in range(4)] == [b"\x02x", b"\x00x", b"\x01x", b"\x02x"]
    assert key.candidates(a="x") == [b"\0x", b"\1x", b"\2x"]
    assert LOG.candidates(host="a", at=1, seq=1) == [LOG.encode(host="a", at=1, seq=1)]
    begins = {Key(keys.round_robin(250), keys.text("a")).encode(a="x")[0] for _ in range(20)}
    assert len(begins) > 1


def test_hashes_replace_values_or_stand_before_them() -> None:
    key = Key(keys.md5("host"), keys.murmur("event"))
    row = key.encode(host="a", event="b")
    assert row == hashlib.md5(b"a").digest() + keys.murmur3(b"b").to_bytes(4, "big")
    found = key.decode(row)
    assert found.host == hashlib.md5(b"a").digest()
    assert key.encode(found) == row
    assert repr(found.event).startswith("Digest('")


def test_random_keys_are_drawn_when_none_is_given() -> None:
    key = Key(keys.random_bytes("id", 8, draw=random.Random(1).randbytes), keys.text("a"))
    first, second = key.encode(a="x"), key.encode(a="x")
    assert first != second
    assert key.encode(key.decode(first)) == first
    assert len(Key(keys.random_bytes("id")).encode()) == 16


def test_equal_keys_are_equal() -> None:
    again = parse_key(repr(LOG))
    assert again == LOG
    assert hash(again) == hash(LOG)
    assert KEYS[1] != LOG
