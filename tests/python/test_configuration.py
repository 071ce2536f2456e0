"""Effective settings and their sources."""

from __future__ import annotations

from pathlib import Path

import pytest

import rowstone as rs
from rowstone import _native, errors


def test_every_setting_has_a_value_and_a_source() -> None:
    with rs.connect(":memory:", compat="0.94", configuration={"hbase.hstore.compaction.ratio": 1.5}) as db:
        shown = db.configuration
        assert len(shown) > 30
        assert shown["hbase.column.max.version"] == 3
        assert shown.source("hbase.column.max.version") == "compat"
        assert shown.setting("hbase.hstore.compaction.ratio") == rs.Setting(
            "hbase.hstore.compaction.ratio", 1.5, "argument", 1.2, "family"
        )
        assert shown["hbase.online.schema.update.enable"] is True
        assert shown.changed() == {"hbase.column.max.version": 3, "hbase.hstore.compaction.ratio": 1.5}
        assert "hbase.column.max.version" in str(shown)
        assert "<td style='text-align:left'>compat</td>" in shown._repr_html_()


def test_every_setting_may_be_given_as_it_is() -> None:
    """No setting is mistaken for a misspelling of another one."""
    for key, _, default, _ in _native.describe_settings({}):
        with rs.connect(":memory:", configuration={key: default}) as db:
            assert db.configuration.source(key) == "argument"


def test_arguments_take_precedence_over_compat() -> None:
    with rs.connect(":memory:", compat="0.94", configuration={"hbase.column.max.version": 5}) as db:
        assert db.configuration["hbase.column.max.version"] == 5
        assert db.configuration.source("hbase.column.max.version") == "argument"


def test_a_wrong_key_gets_a_hint() -> None:
    with rs.connect(":memory:") as db:
        for kind in (KeyError, errors.InvalidArgument):
            with pytest.raises(kind, match=r"did you mean 'hbase\.column\.max\.version'"):
                db.configuration["hbase.column.max.versions"]
        assert db.configuration.get("nothing") is None
        assert "nothing" not in db.configuration


def test_tables_and_families_have_their_own() -> None:
    key, other = "hbase.hstore.compaction.max", "hbase.regionserver.maxlogs"
    with rs.connect(":memory:", configuration={key: 5}) as db:
        family = rs.Family(configuration={key: 7, "mine": "x"})
        db.create_table("t", {"f": family, "g": {}}, configuration={key: 6, other: 64})
        of_table, of_family = db.configuration.of("t"), db.configuration.of("t", "f")
        assert (of_table[key], of_table.source(key)) == (6, "table")
        assert (of_family[key], of_family.source(key)) == (7, "family")
        assert (db.configuration.of("t", "g")[key], db.configuration[key]) == (6, 5)
        # A table cannot change settings that apply to the whole database.
        assert (of_table[other], of_table.source(other)) == (32, "default")
        assert "mine" not in of_family
        with pytest.raises(errors.TableNotFound):
            db.configuration.of("u")
        with pytest.raises(KeyError):
            db.configuration.of("t", "h")


def test_settings_come_from_a_file_of_hbase(tmp_path: Path) -> None:
    site = tmp_path / "hbase-site.xml"
    site.write_text(
        "<?xml version='1.0'?><configuration>"
        "<property><name>hbase.column.max.version</name><value> 4 </value></property>"
        "<property><name>hbase.rootdir</name><value>file:///somewhere</value></property>"
        "</configuration>"
    )
    with rs.connect(":memory:", configuration=site) as db:
        assert db.configuration["hbase.column.max.version"] == 4
        assert db.configuration.source("hbase.column.max.version") == "file"
        db.create_table("t", ["f"])
        assert db.admin.describe("t").family("f").max_versions == 4
    for text in ("no xml", "<site/>"):
        site.write_text(text)
        with pytest.raises(errors.InvalidArgument, match=r"no hbase-site\.xml"):
            rs.connect(":memory:", configuration=str(site))
    with pytest.raises(FileNotFoundError):
        rs.connect(":memory:", configuration=tmp_path / "none.xml")
