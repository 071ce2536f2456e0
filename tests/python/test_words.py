"""Options and results that are one of a few words are typed with these words, not as any string."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from rowstone import hfile, indexes
from rowstone._base.options import words
from rowstone.coprocessors.constraints._stored import ConstraintProcessor


@pytest.mark.parametrize(
    ("owner", "name", "wanted"),
    [
        (ConstraintProcessor.pre_put, "durability", words.Durability),
        (indexes.Explanation, "strategy", words.IndexStrategy),
        (hfile.Description, "bloom_filter", words.BloomFilter),
        (hfile.Description, "encoding", words.DataBlockEncoding),
        (hfile.Description, "compression", words.Compression),
    ],
)
def test_a_word_has_the_type_of_its_words(owner: Any, name: str, wanted: object) -> None:
    assert get_type_hints(owner)[name] == wanted


def test_serve_takes_the_durabilities_of_connect() -> None:
    from rowstone.server.options import ServeOptions

    assert ServeOptions.__annotations__["durability"].__forward_arg__ == "Durability | None"
