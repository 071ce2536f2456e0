"""README, package metadata and docs/how-to/cluster.md claim only what was tested."""

from __future__ import annotations

import re
import tomllib

from rowstone._core.cluster import ClusterOptions
from tests.python.structure import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
JUDGE = "2.6.4"
"""The HBase version that answers are compared with."""


def test_the_judge_is_the_hbase_that_is_named() -> None:
    assert f"<hbase.version>{JUDGE}-" in (ROOT / "tests/oracle/pom.xml").read_text()
    introduction = (ROOT / "README.md").read_text().partition("```")[0]
    assert f"Apache HBase {JUDGE}" in introduction
    assert "docs/explanation/differences.md" in introduction
    assert "in one Java process" in introduction
    assert JUDGE in PROJECT["description"]


def test_nothing_claims_to_be_exact_or_runs_where_nothing_was_tested() -> None:
    introduction = (ROOT / "README.md").read_text().partition("## How fast")[0]
    assert not re.search(r"\bexact\b", introduction + PROJECT["description"], re.IGNORECASE)
    systems = [one for one in PROJECT["classifiers"] if one.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]


def test_every_option_of_a_cluster_is_in_its_page() -> None:
    page = (ROOT / "docs/how-to/cluster.md").read_text()
    assert not [name for name in ClusterOptions.__annotations__ if f"`{name}`" not in page]
    assert "not there yet" not in page
