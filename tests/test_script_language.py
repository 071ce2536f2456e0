"""The tools around the judges do what they say: parser, printing, comparison, shrinking, generator.

What the judges themselves answer is checked by `test_recorded_cases.py`.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.script import commands as c
from tests.script.compare import first_difference
from tests.script.fill import JavaRandom
from tests.script.generate.scripts import random_script
from tests.script.generate.shrink import shrink
from tests.script.parse import ParseError, parse, parse_script
from tests.script.runners.base import run_script
from tests.script.runners.model import ModelRunner
from tests.script.text import to_bytes, to_text, to_word


@given(st.binary())
def test_bytes_survive_as_a_word(data: bytes) -> None:
    assert to_bytes(to_word(data)) == data
    assert len(to_word(data).split()) == 1


def test_bytes_print_as_hbase_prints_them() -> None:
    assert to_text(b"a b\\\x00\x7f\xff") == r"a b\x5C\x00\x7F\xFF"


def test_commands_are_typed() -> None:
    assert parse("put r f:q LATEST '' ttl=5") == c.Write(c.Put(b"r", (b"f", b"q"), None, b"", 5))
    assert parse("delcn r f:q 3") == c.Write(c.Delete(b"r", "column", b"f", b"q", count=3))
    scan = parse("scan xstart=a istop=b versions=all tr=1,max cols=f,g:q rev limit=2")
    assert scan == c.Scan(
        c.Rows(start=b"a", include_start=False, stop=b"b", include_stop=True, reverse=True, limit=2),
        c.Read(families=(b"f",), columns=((b"g", b"q"),), versions=None, time_range=(1, c.LATEST)),
    )


@pytest.mark.parametrize("line", ["frobnicate", "put r", "scan colour=red", "now soon"])
def test_invalid_commands_are_refused(line: str) -> None:
    with pytest.raises(ParseError, match=line.split()[0]):
        parse(line)


def test_java_random_is_javas() -> None:
    # new Random(42).nextBytes(new byte[6]) in Java
    assert JavaRandom(42).next_bytes(6) == bytes.fromhex("359d41baf78a")


@pytest.mark.parametrize("seed", range(20))
def test_random_scripts_are_functions_of_their_seed(seed: int) -> None:
    lines = random_script(seed)
    assert lines == random_script(seed)
    answers = run_script(ModelRunner(), parse_script(lines))
    assert None not in answers


def test_a_difference_names_the_first_command() -> None:
    lines = ["table t f", "put r f:a 1 x", "scan", "scan raw"]
    commands = parse_script(lines)
    expected = run_script(ModelRunner(), commands)
    actual = [*expected[:2], ["r/f:a@1=y"], ["(none)"]]
    found = first_difference(lines, commands, expected, actual)
    assert found is not None
    assert (found.index, found.line) == (2, "scan")


def test_errors_of_the_store_are_compared_by_class() -> None:
    command = parse("put r g:a 1 x")
    hbase = ["!! NoSuchColumnFamilyException: Column family g does not exist in region t,,1."]
    same = [["!! NoSuchColumnFamily: no family 'g' in table 't'"]]
    other = [["!! InvalidArgument: no"]]
    assert first_difference(["put"], [command], [hbase], same, with_store=True) is None
    assert first_difference(["put"], [command], [hbase], other, with_store=True) is not None


def test_a_failing_script_is_shrunk_to_what_matters() -> None:
    lines = [f"put r f:a {n} x" for n in range(40)]
    lines[7] = "table t f"
    lines[30] = "scan raw versions=all cols=f"

    def fails(candidate: list[str]) -> bool:
        return "table t f" in candidate and any("raw" in line for line in candidate)

    assert shrink(lines, fails) == ["table t f", "scan raw"]
