"""HBase's parser of the filter language still gives the answers that ours was compared with.

The texts and answers are in `tests/oracle/filter_language.txt`; `crates/rpc/tests/filter_language.rs` compares. As a
program this records them again: `python -m tests.hbase.test_filter_language`. What ours prints is given to HBase's
parser too.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

import rowstone as rs
from tests.oracle.build import HERE, JAVA_OPENS, class_path
from tests.script.text import to_bytes, to_text

RECORDED = HERE / "filter_language.txt"


def recorded() -> list[tuple[str, str]]:
    """Texts with HBase's answers."""
    lines = RECORDED.read_text(encoding="latin-1").splitlines()
    return [(text, answer.removeprefix("  ")) for text, answer in zip(lines[::2], lines[1::2], strict=True)]


def parse_in_hbase(texts: Sequence[str]) -> list[str]:
    """HBase's answer to each text."""
    command = ["java", "-cp", class_path(), *JAVA_OPENS, "org.apache.hadoop.hbase.filter.FilterLanguage"]
    done = subprocess.run(
        command, input="\n".join([*texts, ""]), capture_output=True, encoding="latin-1", check=True, timeout=120
    )
    return done.stdout.split("\n")[: len(texts)]


def test_hbase_answers_as_recorded() -> None:
    pairs = recorded()
    assert parse_in_hbase([text for text, _ in pairs]) == [answer for _, answer in pairs]


def test_hbase_reads_what_is_printed() -> None:
    pairs = [(text, answer) for text, answer in recorded() if answer != "error"]
    printed = [to_text(rs.filters.parse(to_bytes(text)).language()) for text, _ in pairs]
    assert parse_in_hbase(printed) == [answer for _, answer in pairs]


if __name__ == "__main__":
    kept = [text for text, _ in recorded()]
    answers = zip(kept, parse_in_hbase(kept), strict=True)
    RECORDED.write_text("".join(f"{text}\n  {answer}\n" for text, answer in answers), encoding="latin-1")
