"""No script breaks the interpreter or leaves it: limits, interrupts, what lies beyond, what stays out of reach."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rowstone as rs
from rowstone.cli.shell import registry
from rowstone.cli.shell.errors import (
    BeyondSubset,
    Exit,
    Incomplete,
    LanguageError,
    RubyError,
    ShellError,
    SyntaxMistake,
)
from rowstone.cli.shell.ruby.interpreter import Interpreter
from rowstone.cli.shell.ruby.java import Package
from rowstone.cli.shell.ruby.kernel import BEYOND, BEYOND_CONSTANTS, KERNEL
from rowstone.cli.shell.ruby.methods import table_of
from rowstone.cli.shell.ruby.syntax.parser import missing, parse
from rowstone.cli.shell.ruby.values.moments import Moment
from rowstone.cli.shell.ruby.values.objects import Hash, Range
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.terminal import loop
from rowstone.cli.shell.values import Symbol

TIMEOUT_SECONDS = 60
FEW_STEPS = 3_000


@pytest.fixture(scope="module")
def db() -> Iterator[rs.Database]:
    with rs.connect(":memory:") as database:
        database.create_table("t", ["f"])
        yield database


def limited(db: rs.Database) -> Session:
    """A session that stops a statement soon."""
    session = Session(db, io.StringIO(), ask=lambda: "n", warn=lambda message: None)
    session.evaluator = Interpreter(session, most_steps=FEW_STEPS)
    return session


def evaluate(session: Session, text: str) -> object:
    value = None
    for node in parse(text, session.evaluator.variables):
        value = session.evaluator.value(node)
    return value


# --- whatever is typed

_VALUES = (
    "nil", "true", "0", "7", "-3", "2.5", "1e30", "10**20", "''", "'abc'", '"a\\xff\\u00e9"', "'a,b'", ":sym", "[]",
    "[3, 1, 2]", "['x', nil, :y]", "[[1, 2], [3, 4]]", "{}", "{a: 1, 'b' => [2]}", "(1..5)", "('a'..'e')", "(1...1)",
    "(1..Float::INFINITY)", "/b(.)/", "->(x) { x }", "Time.at(0)", "String", "ArgumentError.new('e')", "self", "t",
    "Bytes.toBytes('x')", "org.apache.hadoop", "CompareOperator::EQUAL", "[1, 2].each_with_index", "'a'.match(/a/)",
    "%w[p q]", '"#{1 + 1}z"', "@hbase", "$stdout", "NAME", "PrefixFilter.new('a')",
)  # fmt: skip
_BLOCKS = ("", " { |x| x }", " { |a, b| [a, b] }", " { |x| break x }", " { |x| next }", " do |x| x.nosuch end")
_OPERATORS = ("+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "==", "!=", "<", ">=", "<=>", "=~", "===", "..")
_KEPT = {"sleep", "exit", "exit!", "quit", "irb_exit", "abort", "gets", "shuffle!", "stop_master", "debug"}
_METHODS = sorted(
    {
        *(name for value in (None, True, 1, 1.5, "", Symbol("a"), [], Hash(), Range(1, 2, False), Moment(0), b"")
          for name in table_of(value).names()),
        *KERNEL.names(), "nosuch", "new", "now", "each", "items", "__class__", "__init__", "__dict__", "func_globals",
    } - _KEPT
)  # fmt: skip

_value = st.sampled_from(_VALUES)
_call = st.builds(
    lambda target, method, arguments, block: f"({target}).{method}({', '.join(arguments)}){block}",
    _value,
    st.sampled_from([method for method in _METHODS if re.fullmatch(r"\w+[?!]?", method)]),
    st.lists(_value, max_size=3),
    st.sampled_from(_BLOCKS),
)
_operation = st.builds(
    lambda left, sign, right: f"({left}) {sign} ({right})", _value | _call, st.sampled_from(_OPERATORS), _value
)
_expression = _value | _call | _operation
_statement = st.one_of(
    _expression,
    st.builds(lambda value: f"x = {value}", _expression),
    st.builds(lambda value: f"x[1] = {value}", _expression),
    st.builds(lambda value: f"x, *y = {value}", _expression),
    st.builds(lambda value: f"x << {value}", _expression),
    st.builds(lambda value, other: f"if {value} then {other} else nil end", _expression, _expression),
    st.builds(lambda value, other: f"case {value} when {other} then 1 else 2 end", _expression, _expression),
    st.builds(lambda value, other: f"begin; {value}; rescue => e; {other}; ensure; e; end", _expression, _expression),
    st.builds(lambda value, other: f"while {value} do {other}; break end", _expression, _expression),
    st.builds(lambda value, other: f"for i in {value} do {other} end", _expression, _expression),
    st.builds(lambda value: f"def m(a, b = 1, *c) {value} end; m({value})", _expression),
    st.builds(lambda value: f'"#{{{value}}}"', _expression),
    st.builds(lambda value: f"puts {value}", _expression),
    st.builds(lambda value: f"format('%s %d %5.2f', {value})", _expression),
)


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(statements=st.lists(_statement, min_size=1, max_size=4))
def test_no_script_breaks_the_interpreter(db: rs.Database, statements: list[str]) -> None:
    """Every statement returns a value or raises a typed error."""
    session = limited(db)
    session.evaluator.variables["t"] = session.table("t")
    for statement in statements:
        try:
            evaluate(session, statement)
        except (LanguageError, ShellError, Incomplete, Exit):
            continue


@settings(max_examples=1500, deadline=None)
@given(st.lists(st.sampled_from([
    "a", "b ", "X", "@v", "1", "2.5", "'s'", '"#{', "}", "{", "|x|", "|", "(", ")", "[", "]", ",", ".", "..", "::",
    "=>", "=", "==", "+=", "||=", "+", "-", "*", "&", "!", "?", ":", ":s", "k:", ";", "\n", " ", "/", "%w[", "%", "<<",
    "<<~E", "E\n", "->", "do", "end", "if", "else", "elsif", "unless", "while", "for", "in", "case", "when", "then",
    "begin", "rescue", "ensure", "def", "return", "break", "next", "yield", "not", "and", "or", "nil", "self", "class",
    "puts", "list", "\\", "#", "`", "$1", "=begin\n", "\n=end\n", "\x00", "\u2018", "\U0001f600", "'",
]), max_size=14))  # fmt: skip
def test_any_tokens_are_parsed_or_refused(pieces: list[str]) -> None:
    text = "".join(pieces)
    for function in (parse, missing):
        try:
            function(text)
        except (Incomplete, SyntaxMistake):
            continue


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    try:
        parse(text)
    except (Incomplete, SyntaxMistake):
        return


# --- limits


@pytest.mark.parametrize(
    "text",
    [
        "loop { }", "while true do end", "1 until false", "(1..Float::INFINITY).each { }", "for i in 1..10**12 do end",
        "(10**9).times { }", "x = [1]; x.each { |i| x << i }", "def f; f; end; begin; f; rescue; retry; end",
        "[1].cycle { }", "begin; raise 'x'; rescue; retry; end", "1.step { }", "(1..Float::INFINITY).inject(:+)",
        "(1..Float::INFINITY).first(10**20)", "(1..Float::INFINITY).none? { |x| x < 0 }", "[1].cycle.include?(2)",
        "1.step.to_a",
        "(10**20).times.to_a", "('a'..'zzzzzzzz').find_index('ZZ')",
    ],
)  # fmt: skip
def test_a_statement_without_an_end_is_stopped(db: rs.Database, text: str) -> None:
    with pytest.raises(LanguageError, match=r"was stopped after 3,000 steps|stack level too deep|undefined method"):
        evaluate(limited(db), text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("'a' * 10**12", "argument too big"),
        ("[1] * 10**12", "argument too big"),
        ("Array.new(10**12)", "array size too big"),
        ("(1..10**12).to_a", "at most 10,000,000 items"),
        ("('a'..'zzzzzzzz').to_a", "stopped"),
        ("2 ** 10**9", "at most 1000000 bits"),
        ("1 << 10**12", "at most 1000000 bits"),
        ("'x'.ljust(10**12)", "argument too big"),
        ("'%0999999999999d' % 1", "width too big"),
        ("x = []; x[10**12] = 1", "argument too big"),
        ("def f(n); f(n + 1); end; f(0)", "stack level too deep"),
        ("a = []; a << a; a.flatten", "recursive"),
        ("a = []; a << a; a.join", "recursive"),
    ],
)
def test_memory_has_limits(db: rs.Database, text: str, message: str) -> None:
    session = Session(db, io.StringIO())
    session.evaluator = Interpreter(session, most_steps=200_000)
    if "zzzz" in text:
        text = "('a'..'zzzzzzzz').each { }"
    with pytest.raises(LanguageError, match=message):
        evaluate(session, text)


def test_nesting_has_a_limit() -> None:
    for text in ("(" * 5_000, "[" * 5_000 + "]" * 5_000, "!" * 5_000 + "1", "-" * 5_000 + "x", "a ? " * 5_000):
        with pytest.raises((SyntaxMistake, Incomplete)):
            parse(text)
    assert parse(" + ".join(["1"] * 5_000))


def test_a_long_chain_is_no_deep_one(db: rs.Database) -> None:
    assert evaluate(Session(db, io.StringIO()), " + ".join(["1"] * 5_000)) == 5_000
    assert evaluate(Session(db, io.StringIO()), "x = ''" + "\nx << 'a'" + " << 'b'" * 3_000 + "\nx.size") == 3_001


# --- Ctrl-C


def test_an_interrupt_ends_a_loop_and_not_the_session(db: rs.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    session = Session(db, out)
    evaluate_node = Interpreter._evaluate

    pending = [KeyboardInterrupt()]

    def interrupted(self: Interpreter, node: object, scope: object) -> object:
        if pending and self._steps > FEW_STEPS:
            raise pending.pop()
        return evaluate_node(self, node, scope)  # type: ignore[arg-type]

    monkeypatch.setattr(Interpreter, "_evaluate", interrupted)
    text = "n = 0\nbegin\n  loop { n += 1 }\nrescue Exception\n  puts 'rescued'\nensure\n  puts 'ended'\nend\nn > 100\n"
    assert loop.run_text(session, text) == 0
    assert out.getvalue().endswith("ended\n\n=> true\n")
    assert "rescued" not in out.getvalue()


def test_control_c_ends_a_loop_in_a_terminal(tmp_path: Path) -> None:
    """The whole process, on a terminal: a signal while a loop runs."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "dumb", "ROWSTONE_SHELL_HISTORY": os.devnull, "PAGER": "cat"}
    # The signal is ignored where the tests themselves run in the background.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program += "from rowstone.cli import main; main()"
    command = [sys.executable, "-c", program, "shell", str(tmp_path / "db")]
    shell = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)

    def read_until(wanted: bytes) -> bytes:
        shown = b""
        while wanted not in shown:
            shown += os.read(leader, 10_000)
        return shown

    os.write(leader, b"$n = 0; loop { $n += 1; print 'at', 'work' if $n == 1000 }\n")
    read_until(b"atwork")
    shell.send_signal(signal.SIGINT)
    os.write(leader, b"$n >= 1000\n")
    read_until(b"=> true")
    os.write(leader, b"exit 4\n")
    assert shell.wait(TIMEOUT_SECONDS) == 4
    os.close(leader)


# --- what lies beyond the shell's Ruby


@pytest.mark.parametrize(
    ("text", "line", "construct"),
    [
        ("puts 1\nclass A\nend", 2, "'class'"),
        ("module M; end", 1, "'module'"),
        ("x = 1\n\nalias a b", 3, "'alias'"),
        ("def ==(other); end", 1, "the definition of an operator"),
        ("case 1\nin Integer then 2\nend", 2, "pattern matching"),
    ],
)
def test_a_construct_beyond_is_named_with_its_line(text: str, line: int, construct: str) -> None:
    with pytest.raises(BeyondSubset, match=re.escape(construct)) as refusal:
        parse(text)
    assert refusal.value.line == line


@pytest.mark.parametrize("name", sorted({*BEYOND, *BEYOND_CONSTANTS}))
def test_a_function_or_class_beyond_is_named_with_its_line(db: rs.Database, name: str) -> None:
    with pytest.raises(BeyondSubset, match=f"'{name}' is beyond this shell") as refusal:
        evaluate(Session(db, io.StringIO()), f"puts 1\n{name}")
    assert refusal.value.line == 2


def test_a_library_or_java_class_beyond_is_named(db: rs.Database) -> None:
    for text, named in (
        ("require 'digest'", "the library 'digest'"),
        ("import java.util.TreeMap\nTreeMap.new", "the Java class java.util.TreeMap"),
        ("`rm -rf /`", "commands of the operating system"),
    ):
        with pytest.raises(SyntaxMistake, match=re.escape(named)):
            evaluate(Session(db, io.StringIO()), text)


def test_unsupported_syntax_is_reported_once_and_skips_its_block(db: rs.Database) -> None:
    out = io.StringIO()
    loop.run_text(Session(db, out), "puts 'before'\nif true\n  class A; end\n  puts 'inside'\nend\nputs 'behind'\n")
    assert re.findall(r"^(before|inside|behind)$", out.getvalue(), re.MULTILINE) == ["before", "behind"]
    assert out.getvalue().count("SyntaxError ((hbase):3: 'class' is beyond this shell, which has not all of Ruby") == 1


def test_a_mistake_in_a_block_does_not_run_the_rest_of_it(db: rs.Database) -> None:
    out = io.StringIO()
    loop.run_text(Session(db, out), "if false\n  puts 1 )\n  puts 'inside'\nend\nputs 'behind'\n")
    assert "\ninside" not in out.getvalue()
    assert out.getvalue().endswith("behind\n")


# --- what stays out of reach


@pytest.mark.parametrize("value", [*_VALUES, "'x'.method", "list"])
@pytest.mark.parametrize("name", ["__class__", "__dict__", "__init__", "__globals__", "session", "handle", "database"])
def test_pythons_attributes_are_out_of_reach(db: rs.Database, value: str, name: str) -> None:
    session = limited(db)
    session.evaluator.variables["t"] = session.table("t")
    for text in (f"({value}).{name}", f"({value}).send(:{name})", f"x = ({value}); x.{name} = 1"):
        assert reached(session, text) is None


def reached(session: Session, text: str) -> object:
    """The result of a script; None if it is refused, or if a name is a Java package."""
    try:
        found = evaluate(session, text)
    except (LanguageError, ShellError):
        return None
    return None if isinstance(found, Package) else found


def test_no_function_is_a_command() -> None:
    """A command comes first, so a function of the same name would never be called."""
    assert not {name for name in KERNEL.names() if registry.is_command(name)} - {"list"}


# --- sessions


def prompts(db: rs.Database, text: str) -> list[str]:
    """The prompts of each line of a text."""
    shown: list[str] = []
    lines = iter(text.split("\n"))

    def read(prompt: str) -> str | None:
        shown.append(prompt)
        return next(lines, None)

    loop.run(Session(db, io.StringIO()), read)
    return shown


def test_a_block_goes_on_with_the_prompts_of_hbases_shell(db: rs.Database) -> None:
    typed = "3.times do |i|\n  puts i\nend\nif true\n  1\nend\n[1,\n2]\n'a\nb'\nx = 1 +\n2"
    assert prompts(db, typed) == [
        "hbase:001:0> ", "hbase:002:1* ", "", "hbase:004:0> ", "", "", "hbase:007:0> ", "hbase:008:1* ",
        "hbase:009:0> ", "hbase:010:0' ", "hbase:011:0> ", "hbase:012:0* ", "hbase:013:0> ",
    ]  # fmt: skip


def test_texts_change_where_they_are_named(db: rs.Database) -> None:
    """`<<` gives the variable before it a new text: one of the differences from Ruby."""
    assert evaluate(Session(db, io.StringIO()), "a = 'x'; b = a; a << 'y'; [a, b]") == ["xy", "x"]


def test_a_failed_command_can_be_rescued_where_it_ends_the_session(db: rs.Database) -> None:
    out, messages = io.StringIO(), list[str]()
    session = Session(db, out, interactive=False, report=messages.append)
    text = "begin\n  disable 'none'\nrescue => e\n  puts \"#{e.class}: #{e.message}\"\nend\nputs 'went on'\n"
    assert loop.run_text(session, text) == 0
    assert out.getvalue().endswith("ArgumentError: Table none does not exist.\nwent on\n")
    assert messages == []


def test_methods_of_a_script_and_constants_last(db: rs.Database) -> None:
    session = Session(db, io.StringIO())
    evaluate(session, "PREFIX = 'row'\ndef key(n) PREFIX + format('%03d', n) end")
    assert evaluate(session, "key 7") == "row007"
    with pytest.raises(RubyError, match=r"given 0, expected 1"):
        evaluate(session, "key")


@pytest.mark.parametrize("name", ["crypt", "to_c", "to_r"])
def test_the_document_lists_no_method_that_only_fails(db: rs.Database, name: str) -> None:
    assert name not in table_of("").names()
    with pytest.raises(LanguageError, match=f"undefined method `{name}'"):
        evaluate(limited(db), f"'x'.{name}")
