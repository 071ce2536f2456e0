"""Checklist statements about the shell: commands of the sources as typed, with their output."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone.cli.shell import execute
from rowstone.cli.shell.errors import ShellError
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from rowstone.testing import ManualClock
from tests.checklist import checklist
from tests.checklist.helpers import QUIET, START_MS


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START_MS)


@pytest.fixture
def db(clock: ManualClock) -> Iterator[rs.Database]:
    with rs.connect(":memory:", clock=clock, configuration=QUIET) as database:
        yield database


def shell(db: rs.Database, text: str) -> str:
    """Output of commands, without their durations."""
    return re.sub(r"Took .*\n", "", execute(db, text))


def lines(db: rs.Database, text: str) -> list[str]:
    return shell(db, text).splitlines()


@checklist("052", clause="shell and admin make equal tables")
def test_shell_and_admin_make_equal_tables(db: rs.Database) -> None:
    execute(db, "create 'a', {NAME => 'f', VERSIONS => 5, TTL => 60}, 'g', SPLITS => ['m'], MAX_FILESIZE => 1073741824")
    families = {"f": rs.Family(max_versions=5, ttl_seconds=60), "g": rs.Family()}
    db.create_table("b", families, splits=["m"], attributes={"MAX_FILESIZE": 1073741824})
    assert shell(db, "describe 'a'").replace("a,", "b,").replace("Table a", "Table b") == shell(db, "describe 'b'")
    assert [region.start_key for region in db.admin.regions.list("a")] == [b"", b"m"]
    with pytest.raises(ShellError, match="Table must have at least one column family"):
        execute(db, "create 'c'")


@checklist("057", clause="the source's text is understood")
def test_the_sources_alter(db: rs.Database) -> None:
    """Also of 074 and 076: the texts as the source has them."""
    execute(db, "create 't1', 'f1'")
    execute(db, "alter 't1', NAME => 'f1', VERSIONS => 5")
    execute(db, "alter 't1', NAME => 'f1', MIN_VERSIONS => 2")
    execute(db, "alter 't1', NAME=>'f1', KEEP_DELETED_CELLS => true")
    family = db.admin.describe("t1").family("f1")
    assert (family.max_versions, family.min_versions, family.keep_deleted_cells) == (5, 2, "TRUE")


@checklist("057", clause="typographic quotes get a hint")
@pytest.mark.parametrize("text", ["alter ‘t1’, NAME => ‘f1’", "alter “t1”, NAME => 'f1'", "get 't1',\u00a0'r'"])
def test_typographic_quotes_are_refused(db: rs.Database, text: str) -> None:
    with pytest.raises(ShellError, match=r"typographic character .* instead, as text that was pasted"):
        execute(db, text)


def test_the_old_sequence_works(db: rs.Database) -> None:
    """Disable, add a family, change two, enable (of 053, as shell commands)."""
    execute(db, "create 't', 'f2', 'f3'")
    execute(
        db,
        "disable 't'\nalter 't', 'f1'\nalter 't', NAME => 'f2', VERSIONS => 3\n"
        "alter 't', NAME => 'f3', VERSIONS => 4\nenable 't'",
    )
    versions = {name: family.max_versions for name, family in db.admin.describe("t").families.items()}
    assert versions == {b"f1": 1, b"f2": 3, b"f3": 4} or versions == {b"f1": None, b"f2": 3, b"f3": 4}
    assert db.admin.tables.is_enabled("t")


@checklist("116", clause="the shell's put takes one")
def test_the_shells_put_takes_a_time_to_live(db: rs.Database, clock: ManualClock) -> None:
    execute(db, "create 't', 'f'")
    execute(db, "put 't', 'r', 'f:a', 'v', {TTL => 1000}\nput 't', 'r', 'f:b', 'v', {TTL => 60000}")
    clock.advance(1_001)
    assert list(db.table("t").get("r")) == [b"f:b"]


GUIDE = """\
create 'test', {NAME => 'e', VERSIONS => 2147483647, KEEP_DELETED_CELLS => true}
put 'test', 'r1', 'e:c1', 'value', 10
put 'test', 'r1', 'e:c1', 'value', 12
put 'test', 'r1', 'e:c1', 'value', 14
deleteall 'test', 'r1', 'e:c1', 11
"""
RAW = """\
ROW  COLUMN+CELL
 r1 column=e:c1, timestamp=1970-01-01T00:00:00.014, value=value
 r1 column=e:c1, timestamp=1970-01-01T00:00:00.012, value=value
 r1 column=e:c1, timestamp=1970-01-01T00:00:00.011, type=DeleteColumn
 r1 column=e:c1, timestamp=1970-01-01T00:00:00.010, value=value
1 row(s)
"""


@checklist("131", clause="as a shell transcript")
def test_the_guides_run_as_a_transcript(db: rs.Database) -> None:
    execute(db, GUIDE)
    scan = "scan 'test', {RAW => true, VERSIONS => 1000}"
    assert shell(db, scan) == RAW
    execute(db, "flush 'test'")
    assert shell(db, scan) == RAW
    execute(db, "major_compact 'test'")
    assert shell(db, scan) == RAW


@checklist("139", clause="the shell prints the counter's value")
def test_a_counter_in_the_shell(db: rs.Database) -> None:
    execute(db, "create 't', 'f'")
    assert shell(db, "incr 't','r','f:q',1") == "COUNTER VALUE = 1\n"
    assert lines(db, "get 't', 'r'")[1].endswith(r"value=\x00\x00\x00\x00\x00\x00\x00\x01")
    assert lines(db, "get 't', 'r', 'f:q:toLong'")[1].endswith("value=1")
    execute(db, "put 't', 'r', 'f:s', 'abc'")
    with pytest.raises(ShellError, match="Field is not a long, it's 3 bytes wide"):
        execute(db, "incr 't','r','f:s'")


def binary(byte: int) -> str:
    """``Bytes.toStringBinary`` of one byte, written out once more."""
    plain = chr(byte) in " `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?" or (byte < 128 and chr(byte).isalnum())
    return chr(byte) if plain else f"\\x{byte:02X}"


@checklist("140", clause="a table of all 256 bytes")
@pytest.mark.parametrize("byte", range(256))
def test_every_byte_is_shown_as_hbase_shows_it(byte: int) -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["f"])
        db.table("t").put(b"r" + bytes([byte]), {"f:" + "q": bytes([byte])}, timestamp=0)
        assert (
            lines(db, "scan 't'")[1] == f" r{binary(byte)} column=f:q, timestamp=1970-01-01T00:00, value={binary(byte)}"
        )


@checklist("140", clause="also for row keys in region names")
def test_keys_in_region_names(db: rs.Database) -> None:
    execute(db, r"""create 't', 'f', SPLITS => ["a\\x00\\xFF"]""")
    assert r"| t,a\x00\xFF," in shell(db, "list_regions 't', nil, ['START_KEY', 'REGION_NAME']")
    assert lines(db, "get_splits 't'")[1] == r"a\x00\xFF"


def test_namespaces_in_the_shell(db: rs.Database) -> None:
    """043 to 049 and 051 as commands."""
    out = io.StringIO()
    text = """\
create_namespace 'my_ns', {'hbase.namespace.quota.maxtables' => '2', 'hbase.rsgroup.name' => 'g'}
create 'my_ns:a', 'fam'
create 'my_ns:b', 'fam'
create 'my_ns:c', 'fam'
list_namespace_tables 'my_ns'
create 'bar', 'fam'
exists 'default:bar'
drop_namespace 'my_ns'
drop_namespace 'nope'
create 'nope:t', 'fam'
get_namespace_rsgroup 'my_ns'
"""
    assert loop.run_text(Session(db, out), text) == 0
    shown = out.getvalue()
    assert "ERROR: org.apache.hadoop.hbase.quotas.QuotaExceededException: " in shown
    assert '=> ["a", "b"]' in shown
    assert "Table default:bar does exist" in shown
    assert "Only empty namespaces can be removed. Namespace my_ns has 2 tables" in shown
    assert shown.count("Unknown namespace nope!") == 2
    assert "\ng\n1 row(s)\n" in shown


def test_a_disabled_table_says_so(db: rs.Database) -> None:
    """056 in the shell's words."""
    execute(db, "create 't', 'f'; disable 't'")
    for command in ("put 't', 'r', 'f:q', 'v'", "get 't', 'r'", "scan 't'", "deleteall 't', 'r'", "count 't'"):
        with pytest.raises(ShellError, match="Table t is disabled!"):
            execute(db, command)


def test_a_merge_in_a_disabled_table_names_the_table(db: rs.Database) -> None:
    """It named a region. HBase's message is that of its exception, which names a region and its state."""
    execute(db, "create 'm', 'f', SPLITS => ['m']; disable 'm'")
    names = [region.encoded_name for region in db.admin.regions.list("m")]
    with pytest.raises(ShellError, match="Table m is disabled!"):
        execute(db, f"merge_region '{names[0]}', '{names[1]}'")


def test_new_families_have_one_version(db: rs.Database) -> None:
    """072: what describe shows."""
    execute(db, "create 't', 'f'")
    assert "VERSIONS => '1'" in shell(db, "describe 't'")
    with rs.connect(":memory:", compat="0.94") as old:
        execute(old, "create 't', 'f'")
        assert "VERSIONS => '3'" in shell(old, "describe 't'")


def test_statistics_of_a_table_are_in_the_lists(db: rs.Database) -> None:
    """200, as far as the shell shows it: sizes of regions, of which HBase rounds up what is below a megabyte."""
    execute(db, "create 't', 'f'; put 't', 'r', 'f:q', 'v'; flush 't'")
    assert [line.split("|")[0].strip() for line in lines(db, "list_regions 't', nil, ['SIZE']")] == [
        "SIZE",
        "-----",
        "1",
        "1 rows",
    ]


def test_meta_shows_regions_as_what_they_are(db: rs.Database) -> None:
    """As in HBase's shell: descriptions of regions are decoded; names and encodings are those of the regions."""
    execute(db, r"""create_namespace 'ns'; create 'ns:t', 'f', SPLITS => ["a\\x00"]""")
    shown = shell(db, "scan 'hbase:meta', {COLUMNS => 'info:regioninfo'}")
    for region in db.admin.regions.list("ns:t"):
        assert f"value={{ENCODED => {region.encoded_name}, NAME => 'ns:t," in shown
    assert r"STARTKEY => '', ENDKEY => 'a\x00'}" in shown
    assert shell(db, "is_enabled 'hbase:meta'") == "true\n=> true\n"


def test_coprocessors_are_kept_and_shown(db: rs.Database) -> None:
    """As HBase shows those of its own tables: next to the attributes, not among the metadata."""
    execute(db, "create 't', 'f'; alter 't', 'coprocessor' => '|org.example.Observer|1|'")
    assert "t, {TABLE_ATTRIBUTES => {coprocessor$1 => '|org.example.Observer|1|', METADATA => " in shell(db, "desc 't'")
