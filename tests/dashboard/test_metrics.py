"""Metrics: HBase's names, all of them there or missing for a reason; and numbers that follow what is done."""

from __future__ import annotations

import random
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

import rowstone as rs
from rowstone.server.dashboard.metrics._metric import Kind
from rowstone.server.dashboard.metrics._prometheus import name_of
from rowstone.server.dashboard.metrics._table import METRICS
from tests.dashboard import table
from tests.dashboard.conftest import Asker
from tests.dashboard.names import recorded

SERVER = "RegionServer,sub=Server"
IPC = "RegionServer,sub=IPC"


def test_every_metric_of_hbase_is_in_the_table_once() -> None:
    names = [(metric.bean, metric.name) for metric in METRICS]
    assert len(names) == len(set(names))
    assert not [(one.bean, one.name) for one in recorded() if (one.bean, one.name) not in names]


def test_no_name_is_made_up() -> None:
    known = {(one.bean, one.name) for one in recorded()}
    # Client metrics have no bean; these came after the traffic of the recording, which has no failure of the kind.
    extra = {(metric.bean, metric.name) for metric in METRICS if not metric.bean.startswith("Client")} - known
    assert extra == set()


def test_histograms_are_those_that_hbase_has_as_histograms() -> None:
    kinds = {(metric.bean, metric.name): metric.kind for metric in METRICS if metric.source is not None}
    wrong = [
        one.name
        for one in recorded()
        if (one.bean, one.name) in kinds and one.is_histogram != (kinds[one.bean, one.name] in (Kind.TIMES, Kind.SIZES))
    ]
    assert not wrong


def test_the_endpoint_has_what_the_table_has_and_nothing_else(page: Asker) -> None:
    for bean in {metric.bean for metric in METRICS}:
        wanted = {metric.name for metric in METRICS if metric.bean == bean and metric.source is not None}
        if not wanted:
            assert page.json(f"jmx?qry=Hadoop:service=HBase,name={bean}") == {"beans": []}
            continue
        shown = {name for name in page.bean(bean) if not name.startswith(("tag.", "name", "modelerType"))}
        assert {_base(name) for name in shown} == wanted


def _base(name: str) -> str:
    """A metric's name without what histograms put behind it."""
    head, _, tail = name.partition("_")
    return head if tail and not head.startswith(("readRequest", "writeRequest")) else name


def test_the_document_is_what_the_table_says() -> None:
    text = table.DOCUMENT.read_text()
    assert table.in_document(text) == text
    assert all(metric.says for metric in METRICS)


def test_prometheus_names_are_those_of_hbase() -> None:
    for one in recorded():
        process, _, sub = one.bean.partition(",sub=")
        full = f"{one.name}_99.9th_percentile" if one.is_histogram else one.name
        assert name_of(process if sub == "IPC" else sub, full) == one.prometheus


@pytest.mark.parametrize("path", ["metrics", "prometheus", "prometheus?description=true"])
def test_prometheus_reads_the_page(page: Asker, client: rs.Database, path: str) -> None:
    client.table("t").put("row", {"f:q": "value"})
    families = {family.name: family for family in text_string_to_metric_families(page.text(path))}
    [sample] = families["server_region_count"].samples
    assert sample.value == 2
    assert sample.labels.keys() >= {"context", "hostname", "servername"}
    known = {one.prometheus for one in recorded() if not one.is_histogram}
    assert "region_server_num_open_connections" in known & families.keys()
    assert ("rowstone_call_duration_seconds" in families) == (path == "metrics")


def test_our_histograms_add_up(page: Asker, client: rs.Database) -> None:
    for number in range(20):
        client.table("t").put(f"row{number}", {"f:q": "value"})
    families = {family.name: family for family in text_string_to_metric_families(page.text("metrics"))}
    family = families["rowstone_call_duration_seconds"]
    of_mutate = [one for one in family.samples if one.labels["method"] == "Mutate"]
    buckets = [one.value for one in of_mutate if one.name.endswith("_bucket")]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 20 == next(one.value for one in of_mutate if one.name.endswith("_count"))
    assert 0 < next(one.value for one in of_mutate if one.name.endswith("_sum")) < 60


def test_calls_are_counted_under_the_names_of_hbase(page: Asker, client: rs.Database) -> None:
    t = client.table("t")
    t.put("a", {"f:q": "value"})
    t.put("b", {"f:n": b"\0" * 8})
    for _ in range(3):
        t.get("a")
    t.delete("a")
    t.increment("b", "f:n", 2)
    t.append("b", "f:q", "more")
    assert t.check_and_mutate("b", "f:q", "EQUAL", "more", rs.Put("b", {"f:q": "new"}))
    assert not t.check_and_mutate("b", "f:q", "EQUAL", "more", rs.Delete("b"))
    t.multi([rs.Put("c", {"f:q": "value"}), rs.Put("n", {"f:q": "value"}), rs.Delete("d"), rs.Get("c")])
    list(t.scan())
    bean = page.bean(SERVER)
    counts = {name: bean[f"{name}_num_ops"] for name in ("Put", "Get", "Delete", "Increment", "Append", "CheckAndPut")}
    # One get more: of the table in hbase:meta.
    assert counts == {"Put": 2, "Get": 5, "Delete": 1, "Increment": 1, "Append": 1, "CheckAndPut": 1}
    assert (bean["CheckAndDelete_num_ops"], bean["CheckAndMutate_num_ops"]) == (1, 2)
    assert bean["PutBatch_num_ops"] >= 1 <= bean["DeleteBatch_num_ops"]
    assert (bean["checkMutatePassedCount"], bean["checkMutateFailedCount"]) == (1, 1)
    assert bean["rpcGetRequestCount"] == 4
    assert bean["rpcMutateRequestCount"] == 7
    assert bean["ScanTime_num_ops"] == bean["rpcScanRequestCount"] >= 2
    assert (bean["regionCount"], bean["storeCount"], bean["slowPutCount"]) == (2, 2, 0)
    assert bean["writeRequestCount"] >= 7


def read_settled(page: Asker, name: str) -> dict[str, Any]:
    """A bean whose numbers stay: a call is counted after its answer is sent."""
    before: dict[str, Any] = {}
    bean = page.bean(name)
    while bean != before:
        before, bean = bean, page.bean(name)
    return bean


def test_connections_bytes_and_failures_are_counted(page: Asker, client: rs.Database) -> None:
    with pytest.raises(rs.errors.NoSuchColumnFamily):
        client.table("t").put("a", {"none:q": "value"})
    bean = read_settled(page, IPC)
    assert bean["numOpenConnections"] >= 1
    assert bean["authorizationSuccesses"] >= 1
    assert bean["exceptions"] >= 1 <= bean["exceptions.otherExceptions"]
    assert bean["receivedBytes"] > 100 < bean["sentBytes"]
    assert bean["ProcessCallTime_num_ops"] == bean["TotalCallTime_num_ops"] == bean["RequestSize_num_ops"]
    assert bean["RequestSize_max"] >= bean["RequestSize_99.9th_percentile"] >= bean["RequestSize_min"] > 0
    ranges = {name: number for name, number in bean.items() if name.startswith("RequestSize_SizeRangeCount_")}
    assert sum(ranges.values()) == bean["RequestSize_num_ops"]


def test_tables_and_regions_have_beans(page: Asker, client: rs.Database) -> None:
    client.table("t").put("a", {"f:q": "value"})
    tables = page.bean("RegionServer,sub=Tables")
    assert tables["Namespace_default_table_t_metric_writeRequestCount"] == 1
    assert tables["Namespace_default_table_t_metric_regionCount"] == 2
    regions = page.bean("RegionServer,sub=Regions")
    counts = [number for name, number in regions.items() if name.endswith("_metric_writeRequestCount")]
    assert sorted(counts) == [0, 1]


def test_a_database_without_a_server_tells_what_the_store_knows() -> None:
    with rs.connect(":memory:") as db, rs.server.dashboard.serve(db) as dashboard:
        db.create_table("t", ["f"])
        page = Asker(dashboard.url)
        bean = page.bean(SERVER)
        assert bean["regionCount"] == 1
        assert "Get_num_ops" not in bean
        assert page.json(f"jmx?qry=Hadoop:service=HBase,name={IPC}") == {"beans": []}
        assert "rowstone_table_store_files" in page.text("metrics")


def test_background_work_of_the_engine_is_counted() -> None:
    """Blocks that leave the cache, splits, flushes, compactions, the log, and writes that skip it."""
    settings = {"hbase.regionserver.logroll.size": 1 << 20, "rowstone.compaction.background": False}
    chance = random.Random(1)
    with (
        rs.serve(":memory:", port=0, zk_port=None, info_port=0, cache_bytes=1 << 20, configuration=settings) as server,
        rs.connect(server.url) as client,
    ):
        page, db = Asker(str(server.info_url)), server.database
        db.create_table("t", ["f"])
        before, log = page.bean(SERVER), page.bean("RegionServer,sub=WAL")
        assert {before[name] for name in ("splitRequestCount", "blockCacheEvictionCount", "maxStoreFileCount")} == {0}
        for part in range(2):
            for number in range(200):
                client.table("t").put(f"{part}{number:03}", {"f:q": chance.randbytes(10_000)})
            db.admin.flush("t")
        client.table("t").put("unlogged", {"f:q": "value"}, durability="SKIP_WAL")
        assert sum(1 for _ in client.table("t").scan()) == 401
        bean = page.bean(SERVER)
        assert (bean["maxStoreFileCount"], bean["mutationsWithoutWALCount"]) == (2, 1)
        assert 5 < bean["mutationsWithoutWALSize"] < 100
        db.admin.major_compact("t")
        db.admin.regions.split("t", "1")
        after, log_after = page.bean(SERVER), page.bean("RegionServer,sub=WAL")
        metrics = page.text("metrics")
    assert (after["splitRequestCount"], after["splitSuccessCount"]) == (1, 1)
    assert after["blockCacheEvictionCount"] == after["l1CacheEvictionCount"] > 10
    assert (after["blockedRequestCount"], after["updatesBlockedTime"]) == (0, 0)
    assert log_after["writtenBytes"] - log["writtenBytes"] > 400 * 10_000
    assert log_after["successfulLogRolls"] == log_after["rollRequest"] >= 3
    families = {family.name: family.samples for family in text_string_to_metric_families(metrics)}
    [evictions] = families["rowstone_cache_evictions"]
    assert evictions.value == after["blockCacheEvictionCount"]
    assert families["rowstone_log_sync_seconds"][0].value > 0


def test_flushes_and_compactions_are_timed(page: Asker, server: rs.Server) -> None:
    db = server.database
    for _ in range(2):
        db.table("t").put("a", {"f:q": "value"})
        db.admin.flush("t")
    db.admin.major_compact("t")
    [stats] = db.admin.metrics.stores("t").sums("table")
    assert (stats.flushes, stats.compactions) == (2, 1)
    assert stats.flush_ns is not None
    assert stats.compaction_ns is not None
    families = {family.name: family.samples for family in text_string_to_metric_families(page.text("metrics"))}
    samples = {
        name: families[f"rowstone_table_{name}"][0] for name in ("flushes", "flush_seconds", "compaction_seconds")
    }
    assert {one.labels["table"] for one in samples.values()} == {"t"}
    assert samples["flushes"].value == 2
    assert samples["flush_seconds"].value == stats.flush_ns / 1e9 > 0
    assert samples["compaction_seconds"].value == stats.compaction_ns / 1e9 > 0
    assert page.bean(SERVER)["compactedInputBytes"] == stats.compacted_input_bytes > 0
