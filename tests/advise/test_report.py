"""Reports: order, levels, human-readable and machine-readable forms; and the tables that `advise` inspects or skips."""

from __future__ import annotations

import json
from random import Random

import pytest

import rowstone as rs
from rowstone import errors
from rowstone.schema.advise import advise

BAD = """
[tables.t.families.contents]
max_versions = 1000
[tables.u.families.d]
min_versions = 1
attributes = { COMPRESION = "GZ" }
"""


def test_the_worst_comes_first() -> None:
    report = advise(rs.schema.loads(BAD))
    assert [(advice.level, advice.code, advice.table) for advice in report] == [
        ("error", "L12", "t"),
        ("warning", "L19", "u"),
        ("warning", "L20", "u"),
        ("warning", "schema", "u"),
        ("info", "L02", "t"),
    ]
    assert [len(report.at_least(level)) for level in ("info", "warning", "error")] == [5, 4, 1]
    assert (len(report), bool(report), report.tables) == (5, True, ("t", "u"))
    with pytest.raises(errors.InvalidArgument, match="level 'bad'"):
        report.at_least("bad")


def test_schema_lint_findings_are_included() -> None:
    [found] = [advice for advice in advise(rs.schema.loads(BAD)) if advice.code == "schema"]
    assert found.place == "family d"
    assert "did you mean 'COMPRESSION'" in found.message


def test_a_report_is_text_json_html_and_a_data_frame() -> None:
    report = advise(rs.schema.loads(BAD), ["t"])
    assert str(report).splitlines()[0].startswith("error: L12 too-many-versions: t, family contents: VERSIONS is 1,000")
    assert str(report).splitlines()[-1].startswith("1 table: 1 error, 1 info; ")
    document = json.loads(report.to_json())
    assert document["tables"] == ["t"]
    assert [one["code"] for one in document["findings"]] == ["L12", "L02"]
    assert document["silent"]["L15"] == "data"
    assert document["silent"]["L07"] == "data or access"
    assert "<td style='text-align:left'>L12 too-many-versions</td>" in report._repr_html_()
    frame = report.pandas()
    assert list(frame["level"]) == ["error", "info"]
    assert list(advise(rs.schema.loads(BAD), []).pandas().columns) == list(frame.columns)


def test_tables_of_index_entries_are_left_out() -> None:
    """Their 2**31 - 1 versions were errors, and Rowstone's own attributes warnings."""
    with rs.connect(":memory:") as db:
        db.create_table("t", ["d"])
        for strategy in ("periodic", "dual", "summary", "coprocessor"):
            by = 10 if strategy == "summary" else None
            db.create_index("t", strategy, "d:n", strategy=strategy, codec="int64", by=by)
        # Shuffled: increasing keys are an error of their own, found if 30 of the puts have different timestamps.
        for number in Random(0).sample(range(200), 200):
            db.table("t").put(f"row{number:03}", {"d:n": number.to_bytes(8, "big")})
        for index in db.indexes():
            index.rebuild()
        report = advise(db)
        assert [advice for advice in report if advice.code == "schema" or advice.level == "error"] == []
        assert report.tables == ("t",)
        assert report.left_out == ("t_coprocessor", "t_dual", "t_periodic", "t_summary")
        assert report.summary.endswith("; 4 of index entries left out")
        # A table that is named explicitly is inspected.
        assert advise(db, ["t_dual"]).tables == ("t_dual",)
        assert rs.schema.lint(rs.schema.dump(db)) == []


def test_a_clean_table() -> None:
    with rs.connect(":memory:") as db:
        db.create_table("t", ["d"])
        table = db.table("t")
        for number in (5, 1, 4, 2, 3):
            table.put(f"user{number}", {"d:name": "a value that is longer than its coordinates"})
        report = advise(db)
    assert not report, str(report)
    assert report.summary.startswith("1 table: no findings; ")


def test_tables_that_are_asked_for(db: rs.Database) -> None:
    db.create_table("contents", ["contents"])
    db.admin.namespaces.create("ns")
    db.create_table("ns:t", ["d"])
    assert advise(db).tables == ("contents", "ns:t")
    assert advise(db, ["default:contents"]).tables == ("contents",)
    with pytest.raises(errors.TableNotFound, match="no table 'x'; there are: contents, ns:t"):
        advise(db, ["x"])


def test_a_disabled_table_is_judged_by_its_schema(db: rs.Database) -> None:
    db.create_table("t", {"f": rs.Family(max_versions=1000)})
    db.table("t").put("r", {"f:q": b"v" * 2_000_000})
    assert {advice.code for advice in advise(db)} >= {"L12", "L15"}
    db.admin.disable_table("t")
    assert [advice.code for advice in advise(db)] == ["L12"]


def test_without_data_on_request(db: rs.Database) -> None:
    db.create_table("t", ["f"])
    db.table("t").put("r", {"f:q": b"v" * 2_000_000})
    assert {advice.code for advice in advise(db)} == {"L15", "L16", "L35"}
    assert not advise(db, rows_per_region=0)


def test_progress_names_the_tables(db: rs.Database) -> None:
    for name in ("a", "b"):
        db.create_table(name, ["f"])
    named: list[str] = []
    advise(db, progress=named.append)
    assert named == ["a", "b"]
