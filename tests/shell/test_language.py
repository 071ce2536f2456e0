"""The part of Ruby that users type: what it means, what is refused, and that values come back as they were written."""

from __future__ import annotations

import contextlib
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowstone as rs
from rowstone._base.printable import from_printable, printable
from rowstone.cli.shell.errors import Incomplete, LanguageError, SyntaxMistake
from rowstone.cli.shell.ruby.syntax.parser import missing, parse
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.values import Symbol, inspect, to_bytes, to_text


def value(text: str) -> object:
    """The value of a text's last statement, without a database."""
    with rs.connect(":memory:") as db:
        evaluator = Session(db, io.StringIO()).evaluator
        result = None
        for node in parse(text):
            result = evaluator.value(node)
        return result


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("'it''s'", "its"),
        (r"'a\'b\\c\n'", r"a'b\c\n"),
        (r'"\x41\101\u0041\t\s\e\\\""', 'AAA\t \x1b\\"'),
        ('x = 2\n"q#{x + 1}q"', "q3q"),
        ("{NAME => 'f', 'a' => 1}", {"NAME": "f", "a": 1}),
        ("{a: 1, :b => 2}", {Symbol("a"): 1, Symbol("b"): 2}),
        ("[1, 0x1F, 1_000, -2, 1.5, nil, true, :s]", [1, 31, 1000, -2, 1.5, None, True, "s"]),
        ("%w[a b]", ["a", "b"]),
        ("1 + 2 * 3 - 10 / 3", 4),
        ("(1 + 2) * 3", 9),
        ("'a' + 'b' * 2", "abb"),
        ("a, b = 1, 2; b", 2),
        ("(a, b) = [1, 2]; b", 2),
        ("(a, (b, c)) = 1, [2, 3]; c", 3),
        ("(1 + 2)", 3),
        ("x = 1; x += 2", 3),
        ("1 < 2 && 'a' != 'b'", True),
        ("!nil", True),
        ("[1,\n 2, # two\n 3\n]", [1, 2, 3]),
        ("ENDROW", "STOPROW"),
        ("{'a' => [1, {'b' => 2}]}['a']", [1, {"b": 2}]),
        ("Bytes.toLong(Bytes.toBytes(-5))", -5),
        ("org.apache.hadoop.hbase.util.Bytes.toString(Bytes.toBytes('x'))", "x"),
        ("1 # a comment", 1),
        ("''", ""),
    ],
)
def test_literals_have_their_values(text: str, meaning: object) -> None:
    assert value(text) == meaning


@pytest.mark.parametrize(
    ("text", "depth", "quote"),
    [("[1,", 1, ""), ("create 't',", 0, ""), ("{'a' =>", 1, ""), ("'abc", 0, "'"), ('f({"x', 2, '"'), ("a.", 0, "")],
)
def test_incomplete_lines_continue_on_the_next(text: str, depth: int, quote: str) -> None:
    with pytest.raises(Incomplete) as more:
        parse(text)
    assert (more.value.depth, more.value.quote) == (depth, quote)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scan 't' {", "unexpected '{'"),
        ("'a' => 'b'", "unexpected '=>'"),
        (")", "unexpected ')'"),
        ("create ‘t’, 'f'", "typographic character"),
        ("alter “t1”, 'f'", "typographic character"),
        ("class A; end", "not all of Ruby"),
        (r'"\M"', "Invalid escape"),
        ("f a => 1, 2", "behind key => value"),
        ("1 ~ 2", "unexpected character"),
    ],
)
def test_invalid_syntax_is_refused(text: str, message: str) -> None:
    with pytest.raises(SyntaxMistake, match=re.escape(message)):
        parse(text)


@pytest.mark.parametrize(
    "text", ["nosuch", "NoSuch", "nosuch 1", "'a'.nosuch", "1 + 'a'", "'a' + 1", "nil + 1", "1 / 0"]
)
def test_unknown_names_and_wrong_types_are_errors(text: str) -> None:
    from rowstone.cli.shell.errors import ShellError

    with pytest.raises((LanguageError, ShellError)):
        value(text)


@pytest.mark.parametrize(
    "text",
    [
        "[1].each do |x|\n next unless x\nend",
        "[1].each { |x|\n break if x\n}",
        "def f\n return if true\nend",
        "def g\n yield while block_given?\nend",
    ],
)
def test_a_modifier_behind_a_jump_opens_no_block(text: str) -> None:
    """Otherwise a script is read to its end for the missing ``end``."""
    assert missing(text) is None


def test_filters_are_made_of_hbases_classes() -> None:
    text = (
        "import org.apache.hadoop.hbase.filter.SingleColumnValueFilter\n"
        "SingleColumnValueFilter.new(Bytes.toBytes('f'), Bytes.toBytes('q'), CompareOperator::EQUAL,"
        " org.apache.hadoop.hbase.filter.BinaryComparator.new(Bytes.toBytes('v')))"
    )
    assert value(text) == rs.filters.SingleColumnValueFilter("f", "q", "EQUAL", rs.filters.BinaryComparator("v"))
    listed = value("FilterList.new(FilterList::Operator::MUST_PASS_ONE, [PageFilter.new(3), PrefixFilter.new('a')])")
    both = [rs.filters.PageFilter(3), rs.filters.PrefixFilter("a")]
    assert listed == rs.filters.FilterList("MUST_PASS_ONE", both)


_texts = st.binary(max_size=20).map(to_text)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_texts | st.integers(), inner, max_size=4),
    max_leaves=8,
)


@given(_values)
def test_shown_values_can_be_typed_again(written: object) -> None:
    """A value that the shell shows can be typed again."""
    assert value(inspect(written)) == written


@given(st.binary())
def test_bytes_go_through_text(data: bytes) -> None:
    assert to_bytes(to_text(data)) == data
    assert from_printable(printable(data)) == data
    escaped = "".join(f"\\x{byte:02x}" for byte in data)
    meaning = value(f'"{escaped}"')
    assert isinstance(meaning, str)
    assert to_bytes(meaning) == data


@given(st.text(alphabet="abzNAME '\"{}[](),=>:;.#\\\n0123-+*/!%", max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """Nothing but the two refusals comes out of the parser."""
    with contextlib.suppress(Incomplete, SyntaxMistake):
        parse(text)
