"""Split keys equal HBase's, in every form that `create_table` accepts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rowstone as rs
from rowstone import errors, splits
from rowstone.keys import Key, salt, text, time
from tests.checklist import checklist

HEX = "0123456789abcdef"


def signed(key: bytes) -> list[int]:
    return [byte - 256 if byte > 127 else byte for byte in key]


@checklist("175", clause="Bytes.split of hex text gives the source's nine keys")
def test_bytes_split_of_hex_text_gives_the_nine_keys_of_the_reference_guide() -> None:
    keys = splits.table_range("0" * 16, "f" * 16, 10)
    assert [key[0] for key in keys] == [48, 54, 61, 68, 75, 82, 88, 95, 102]
    tails = [set(signed(key)[1:]) for key in keys]
    expected = [{48}, {-10}, {-67, -68}, {-124, -126}, {75, 72}, {18, 14}, {-40, -44}, {-97, -102}, {102}]
    assert all(tail <= wanted for tail, wanted in zip(tails, expected, strict=True)), tails
    assert len({len(key) for key in keys}) == 1


def test_region_splitter_vectors() -> None:
    assert splits.hex_string(3) == [b"55555555", b"aaaaaaaa"]
    assert splits.hex_string(10)[:3] == [b"19999999", b"33333332", b"4ccccccb"]
    assert splits.hex_string(1) == []
    assert splits.decimal_string(4) == [b"25000000", b"50000000", b"75000000"]
    assert splits.decimal_string(3) == [b"33333333", b"66666666"]
    assert splits.uniform(3) == [b"\x55" * 8, b"\xaa" * 8]
    assert splits.uniform(2) == [b"\x80" + bytes(7)]


@checklist("178", clause="getHexSplits gives the source's nine keys")
def test_hex_keys_are_those_of_the_reference_guide() -> None:
    assert splits.hex_keys("0", "f" * 16, 10) == [
        b"1999999999999999",
        b"3333333333333332",
        b"4ccccccccccccccb",
        b"6666666666666664",
        b"7ffffffffffffffd",
        b"9999999999999996",
        b"b33333333333332f",
        b"ccccccccccccccc8",
        b"e666666666666661",
    ]


def test_split_range_as_bytes_split() -> None:
    assert splits.split_range("a", "z", 3) == [b"a", b"g", b"m", b"s", b"z"]
    assert splits.split_range("a", "az", 1) == [b"a", b"a=", b"az"]
    # Adjacent keys: those between them need another byte.
    assert splits.split_range("a", "b", 1) == [b"a", b"a\x80", b"b"]
    assert splits.split_range(b"\x00", b"\xff", 3, inclusive=True)[1:4] == [b"\x40", b"\x80", b"\xc0"]
    for start, end, count in [("b", "a", 1), ("a", "a", 1), ("a", "b", 0)]:
        with pytest.raises(errors.InvalidArgument):
            splits.split_range(start, end, count)
    with pytest.raises(errors.InvalidArgument, match="at least three"):
        splits.table_range("a", "z", 2)
    assert splits.table_range("a", "z", 3) == [b"a", b"z"]


@checklist("176", clause="three of ten regions get 44, 19 and 37 %")
@checklist("176", clause="check_splits says so before the table exists")
@checklist("177", clause="a sample that leaves a region poor is refused")
@checklist("178", clause="hex keys spread within 2 %")
def test_a_split_that_leaves_regions_empty_is_reported_before_the_table_is_made() -> None:
    draw = random.Random(3)
    sample = ["".join(draw.choices(HEX, k=16)) for _ in range(100_000)]
    with pytest.raises(errors.InvalidArgument, match=r"7 of 10 regions .* 7 of them none: region 1 \(''"):
        splits.check_splits(splits.table_range("0" * 16, "f" * 16, 10), sample)
    shares = splits.check_splits(splits.table_range("0" * 16, "f" * 16, 10), sample, min_share=0)
    assert [index for index, share in enumerate(shares) if share > 0.001] == [1, 2, 8]
    assert [shares[1], shares[2], shares[8]] == pytest.approx([0.44, 0.19, 0.37], abs=0.01)
    even = splits.check_splits(splits.hex_keys("0", "f" * 16, 10), sample)
    assert all(share == pytest.approx(0.1, rel=0.02) for share in even)
    with pytest.raises(errors.InvalidArgument, match="empty"):
        splits.check_splits(["a"], [])


@checklist("179", clause="every form is taken")
def test_create_table_takes_every_form(tmp_path: Path) -> None:
    file = tmp_path / "splits.txt"
    file.write_bytes(b"m\n\nd\n\\x00\\xff\r\n")
    forms: list[tuple[splits.SplitsArgument, list[bytes]]] = [
        (["m", b"d"], [b"d", b"m"]),
        (splits.Range("a", "z", 4), [b"a", b"m", b"z"]),
        (("a", "z", 4), [b"a", b"m", b"z"]),
        (splits.hex_string(4), [b"40000000", b"80000000", b"c0000000"]),
        (file, [b"\x00\xff", b"d", b"m"]),
        (lambda: ["x", "y"], [b"x", b"y"]),
        (iter(["q"]), [b"q"]),
        ((), []),
    ]
    with rs.connect(":memory:") as db:
        for index, (form, keys) in enumerate(forms):
            db.create_table(f"t{index}", ["f"], splits=form)
            assert [region.start_key for region in db.admin.regions.list(f"t{index}")] == [b"", *keys]


@pytest.mark.parametrize("wrong", ["abc", b"abc", 3, [3], [None]])
def test_invalid_splits_are_refused(wrong: object) -> None:
    with rs.connect(":memory:") as db:
        with pytest.raises(errors.InvalidType, match="split"):
            db.create_table("t", ["f"], splits=wrong)  # type: ignore[arg-type]
        assert db.tables() == []


@checklist("177", clause="proposed splits are even on the sample's keys")
def test_proposed_splits_are_even_and_short() -> None:
    draw = random.Random(177)
    key = Key(text("host"), time("at"))
    values = [{"host": f"web{int(draw.expovariate(0.3))}", "at": draw.randrange(10**12)} for _ in range(20_000)]
    rows = [key.encode(value) for value in values]
    proposed = splits.propose_splits(rows[:10_000], 8)
    assert len(proposed) == 7
    assert max(map(len, proposed)) <= 10
    shares = splits.check_splits(proposed, map(key.encode, values[10_000:]))
    assert all(share == pytest.approx(1 / 8, rel=0.1) for share in shares)


def test_proposals_of_few_keys() -> None:
    assert splits.propose_splits(["a", "a", "a"], 4) == []
    assert splits.propose_splits(["a", "ab"], 2) == [b"ab"]
    assert splits.propose_splits(["b", "a"], 1) == []
    assert splits.propose_splits(["a", "b"], 10) == [b"b"]
    for sample, regions in (([], 2), (["a"], 0)):
        with pytest.raises(errors.InvalidArgument):
            splits.propose_splits(sample, regions)


def test_a_region_for_each_bucket() -> None:
    key = Key(salt(4), text("row"))
    assert key.bucket_splits() == [b"\1", b"\2", b"\3"]
    rows = [key.encode(row=str(number)) for number in range(4_000)]
    assert all(share == pytest.approx(0.25, rel=0.1) for share in splits.check_splits(key.bucket_splits(), rows))
    with pytest.raises(errors.InvalidArgument, match="propose_splits"):
        Key(text("row")).bucket_splits()
