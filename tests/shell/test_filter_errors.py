"""Errors with HBase's messages. `filter_errors.txt` has the answer of HBase 2.6.4's `ParseFilter` to each text."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.ruby.java.filters import filter_of

RECORDED = [line.rsplit(" => ", 1) for line in Path(__file__).with_name("filter_errors.txt").read_text().splitlines()]


@pytest.mark.parametrize(("text", "said"), RECORDED)
def test_an_invalid_filter_is_rejected_with_hbases_message(text: str, said: str) -> None:
    try:
        filter_of(text)
        answer = "ok"
    except ShellError as error:
        answer = str(error)
    assert answer == said


def test_an_unknown_family_is_rejected_with_the_message_of_the_first_region() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"], splits=["m"])
        region = db.admin.regions.list("t")[0].name.decode()
        error = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"
        for command in ("compact", "major_compact"):
            with pytest.raises(ShellError) as raised:
                execute(db, f"{command} 't', 'none'")
            assert str(raised.value).endswith(f"{error}: column family none does not exist in region {region}")
