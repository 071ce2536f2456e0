"""`/jmx` prints what a real HBase printed for the same questions."""

from __future__ import annotations

import pytest

from tests.dashboard.conftest import Asker

BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server"


def test_get_returns_one_attribute(page: Asker) -> None:
    head = {"name": BEAN, "modelerType": "RegionServer,sub=Server"}
    assert page.json(f"jmx?get={BEAN}::regionCount") == {"beans": [{**head, "regionCount": 2}]}
    missing = {"result": "ERROR", "message": "No attribute with name none was found."}
    assert page.json(f"jmx?get={BEAN}::none") == {"beans": [head | missing]}


def test_attributes_by_pattern(page: Asker) -> None:
    [bean] = page.json(f"jmx?get={BEAN}::[a-z]*RequestCount,region*")["beans"]
    assert {"readRequestCount", "regionCount"} <= bean.keys()
    assert "storeCount" not in bean


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("get=xx", {"result": "ERROR", "message": "query format is not as expected."}),
        ("get=No:name=x::y", {"beans": []}),
        ("qry=xx", {}),
        ("qry=java.lang:*", {"beans": []}),
    ],
)
def test_questions_without_an_answer(page: Asker, question: str, answer: dict[str, object]) -> None:
    assert page.json(f"jmx?{question}") == answer


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("Hadoop:service=HBase,name=RegionServer,sub=*", 6),
        ("*:name=Master,*", 2),
        ("Hadoop:*", 8),
        ("Hadoop:sub=WA?,*", 1),
    ],
)
def test_beans_by_pattern(page: Asker, query: str, count: int) -> None:
    beans = page.json(f"jmx?qry={query}")["beans"]
    assert len(beans) == count, [bean["name"] for bean in beans]


def test_attributes_have_descriptions(page: Asker) -> None:
    [bean] = page.json(f"jmx?description=true&qry={BEAN}")["beans"]
    assert bean["regionCount"] == {"description": "`regions` of `db.admin.metrics.stats()`", "value": 2}


def test_tags_name_the_server(page: Asker) -> None:
    bean = page.bean("RegionServer,sub=Server")
    assert bean["tag.serverName"].count(",") == 2
    assert bean["tag.Context"] == "regionserver"
