"""The page about the advisor has the rules as they are."""

from __future__ import annotations

from rowstone.schema.advise import rules
from tests.advise.table import DOCUMENT, TOPICS, in_document


def test_the_table_is_the_code_s() -> None:
    text = DOCUMENT.read_text()
    assert in_document(text) == text, "python -m tests.advise.table writes it again"
    assert all(text.count(f"| {rule.code} `{rule.name}` |") == 1 for rule in rules())


def test_every_module_of_rules_has_a_topic() -> None:
    assert {rule.check.__module__.split(".")[-1] for rule in rules()} == set(TOPICS)
