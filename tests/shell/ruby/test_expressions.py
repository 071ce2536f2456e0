"""Expressions of Ruby mean what they mean in the JRuby that HBase's shell runs on."""

from __future__ import annotations

import io
import re

import pytest

import rowstone as rs
from rowstone.cli.shell.errors import Exit, Incomplete, LanguageError, ShellError
from rowstone.cli.shell.ruby.syntax.parser import parse
from rowstone.cli.shell.session import Session
from rowstone.cli.shell.values import inspect
from tests.shell.ruby.recorded import FOLDER, Expression, expressions_of

RECORDED = [
    pytest.param(expression, id=f"{file.stem}:{expression.source}")
    for file in sorted(FOLDER.glob("*.txt"))
    for expression in expressions_of(file.read_text())
]


def answer(source: str) -> str:
    """The output, and after ``=>`` the value or the error."""
    with rs.connect(":memory:") as db:
        out = io.StringIO()
        evaluator = Session(db, out).evaluator
        try:
            value = None
            for node in parse(source):
                value = evaluator.value(node)
        except (LanguageError, ShellError) as error:
            return f"{out.getvalue()}{error.kind} ({error})"
        except Incomplete:
            return "incomplete"
        except Exit:
            return "exit"
        return f"{out.getvalue()}=> {inspect(value)}"


def without_addresses(text: str) -> str:
    return re.sub(r"0x[0-9a-f]{4,}", "0xADDRESS", text)


@pytest.mark.parametrize("expression", RECORDED)
def test_an_expression_means_what_jruby_says(expression: Expression) -> None:
    assert without_addresses(answer(expression.source)) == without_addresses(expression.answer)


def test_there_are_many() -> None:
    assert len(RECORDED) > 700
