"""Request quotas, enforced by a server; the clock stands still until a test moves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rowstone as rs
from rowstone import errors
from tests.quotas.walk import LIMIT, MOST, THROTTLED, passed, recorded, walk
from tests.served.wire import answer, by_name, connect, field, hello, request

SETTINGS = {"hbase.quota.enabled": True}
HOUR_MS = 3_600_000


@pytest.fixture
def clock() -> rs.testing.ManualClock:
    return rs.testing.ManualClock(1_700_000_000_000)


@pytest.fixture
def url(clock: rs.testing.ManualClock) -> Iterator[str]:
    with rs.testing.server(clock=clock, configuration=SETTINGS) as url:
        yield url


@pytest.fixture
def db(url: str) -> Iterator[rs.Database]:
    with rs.connect(url, user="ann", operation_timeout_ms=5_000) as client:
        client.create_table("t", ["f"])
        client.admin.namespaces.create("ns")
        client.create_table("ns:t", ["f"])
        yield client


def gets(db: rs.Database, name: str = "t") -> int:
    """Number of gets that pass before one is throttled."""
    return passed(db.table(name), lambda table: table.get("r"))


def limited(db: rs.Database, limit: int, **owner: str) -> None:
    db.admin.quotas.set("READ_NUMBER", limit, unit="HOURS", **owner)


def test_every_operation_passes_as_often_as_on_hbase(db: rs.Database) -> None:
    """Operations that count as a read, as a write, or as both: recorded on HBase 2.6.4."""
    assert walk(db) == recorded()


def test_throttling_reports_the_wait_and_refills_each_hour(db: rs.Database, clock: rs.testing.ManualClock) -> None:
    limited(db, LIMIT, table="t")
    assert gets(db) == LIMIT
    with pytest.raises(errors.RowstoneError, match=r"number of read requests exceeded - wait 10mins, 0ms") as told:
        db.table("t").get("r")
    assert told.value.remote_class == THROTTLED
    clock.advance(HOUR_MS // LIMIT)
    assert gets(db) == 1
    clock.advance(HOUR_MS)
    assert gets(db) == LIMIT


def test_calls_of_endpoints_are_limited(url: str, db: rs.Database) -> None:
    """Regression: `GetSum` and `MutateRows` passed every limit."""
    # More than a server reads at once: a call that has begun is not refused.
    with db.table("t").batch() as batch:
        for number in range(2_500):
            batch.put(f"{number:04}", {"f:n": (5).to_bytes(8, "big")})
    [region] = db.admin.regions.list("t")
    interpreter = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter"
    get_sum = field(1, interpreter) + field(2, field(1, field(1, "f")))
    column = field(1, "f") + field(2, field(1, "q") + field(2, "v"))
    mutate_rows = field(1, field(1, "r") + field(2, 2) + field(3, column))

    def call(number: int, service: str, method: str, message: bytes) -> bytes:
        call = field(1, b"") + field(2, service) + field(3, method) + field(4, message)
        socket.sendall(request(number, "ExecService", field(1, by_name(region.name.decode())) + field(2, call)))
        return answer(socket)

    with connect(int(url.rpartition(":")[2])) as socket:
        socket.sendall(hello(user="ann"))
        for kind, *endpoint in (
            ("READ_NUMBER", "AggregateService", "GetSum", get_sum),
            ("WRITE_NUMBER", "MultiRowMutationService", "MutateRows", mutate_rows),
        ):
            db.admin.quotas.set(kind, LIMIT, unit="HOURS", table="t")
            answers = [call(number, *endpoint) for number in range(LIMIT + 1)]
            assert [THROTTLED.encode() in one for one in answers] == [False] * LIMIT + [True], kind


def test_the_most_specific_limit_of_a_user_applies(url: str, db: rs.Database) -> None:
    limited(db, 5, user="ann")
    limited(db, 4, user="ann", namespace="ns")
    limited(db, 3, user="ann", table="ns:t")
    assert (gets(db), gets(db, "ns:t")) == (5, 3)
    with rs.connect(url, user="bob", operation_timeout_ms=5_000) as bob:
        assert gets(bob) == 8


@pytest.mark.parametrize("owner", [{"table": "t"}, {"namespace": "default"}, {"server": "all"}])
def test_limits_of_places_count_for_all(url: str, db: rs.Database, owner: dict[str, str]) -> None:
    limited(db, 5, **owner)
    assert gets(db) == 5
    with rs.connect(url, user="bob", operation_timeout_ms=5_000) as bob:
        assert gets(bob) == 0


def test_bypass_ignores_all_but_the_users_own_limits(db: rs.Database) -> None:
    limited(db, 1, table="t")
    db.admin.quotas.set("GLOBAL_BYPASS", True, user="ann")
    assert gets(db) == 8
    limited(db, 2, user="ann")
    assert gets(db) == 2


def test_users_without_limits_have_the_default() -> None:
    """HBase's `QuotaCache.getUserQuotaState`: the default does not apply to a user with a row in `hbase:quota`."""
    settings = {**SETTINGS, "hbase.quota.default.user.machine.read.size": 1}
    clock = rs.testing.ManualClock(1_700_000_000_000)
    with (
        rs.testing.server(clock=clock, configuration=settings) as url,
        rs.connect(url, user="ann", operation_timeout_ms=5_000) as ann,
        rs.connect(url, user="bob", operation_timeout_ms=5_000) as bob,
    ):
        ann.create_table("t", ["f"])
        ann.table("t").put("r", {"f:q": b"v" * 100_000})
        # The size of the first get is known only afterwards; the next would have to wait too long.
        assert (gets(ann), gets(bob)) == (1, 1)
        ann.admin.quotas.set("WRITE_NUMBER", 1, user="ann", table="t")
        assert (gets(ann), gets(bob)) == (MOST, 0)


def test_limits_that_grow_at_fixed_times() -> None:
    """HBase's `FixedIntervalRateLimiter`: a share each interval, rounded up."""
    settings = {
        **SETTINGS,
        "hbase.quota.rate.limiter": "org.apache.hadoop.hbase.quotas.FixedIntervalRateLimiter",
        "hbase.quota.rate.limiter.refill.interval.ms": 500,
    }
    clock = rs.testing.ManualClock(1_700_000_000_000)
    with (
        rs.testing.server(clock=clock, configuration=settings) as url,
        rs.connect(url, user="ann", operation_timeout_ms=5_000) as db,
    ):
        db.create_table("t", ["f"])
        db.admin.quotas.set("READ_NUMBER", 5, table="t")
        for _ in range(5):
            db.table("t").get("r")
        clock.advance(500)
        # Refilled continuously, there would be two and a half by now, and the third get would wait for ever.
        for _ in range(3):
            db.table("t").get("r")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("hbase.quota.default.user.machine.read.num", 0, "would let nothing pass; -1 is no limit"),
        ("hbase.quota.default.user.machine.read.num", -2, "not a number from -1"),
        ("hbase.quota.rate.limiter", "Mine", "rate limiter 'Mine' is unknown; there are: Average"),
        ("hbase.quota.default.user.machine.reads.num", 5, "did you mean 'hbase.quota.default.user.machine.read.num'"),
    ],
)
def test_wrong_settings_are_named(key: str, value: object, message: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=message):
        rs.connect(":memory:", configuration={**SETTINGS, key: value})


def test_the_switch_lets_limits_not_count(db: rs.Database) -> None:
    limited(db, 1, table="t")
    assert gets(db) == 1
    assert db.admin.switches.set("rpc_throttle", False) is True
    assert gets(db) == 8
    assert db.admin.switches.set("rpc_throttle", True) is False
    assert db.admin.switches.get("rpc_throttle")
    assert gets(db) == 0


def test_while_the_server_has_room_limits_may_be_exceeded(db: rs.Database) -> None:
    for kind in ("READ_NUMBER", "WRITE_NUMBER"):
        db.admin.quotas.set(kind, 6, server="all")
    limited(db, 1, table="t")
    assert db.admin.switches.set("exceed_throttle_quota", True) is False
    table = db.table("t")
    assert [table.get("r") for _ in range(6)]
    assert db.admin.switches.set("exceed_throttle_quota", False) is True
    assert gets(db) == 0


def test_bytes_count_when_they_are_known(db: rs.Database) -> None:
    db.admin.quotas.set("WRITE_SIZE", 10_000, unit="HOURS", table="t")
    table = db.table("t")
    table.put("r", {"f:q": "x" * 50_000})
    assert passed(table, lambda table: table.put("r", {"f:q": "v"})) == 0
    # A get needs 64 KiB of remaining quota, the size of a block, and then costs 50,000 bytes.
    db.admin.quotas.set("READ_SIZE", 200_000, unit="HOURS", table="t")
    assert gets(db) == 3


def test_a_scan_is_asked_part_by_part(db: rs.Database, clock: rs.testing.ManualClock) -> None:
    table = db.table("t")
    for row in range(40):
        table.put(f"{row:02}", {"f:q": "x" * 1000})
    limited(db, 3, table="t")
    assert gets(db) == 3
    with pytest.raises(errors.RowstoneError, match="number of read requests exceeded"):
        list(table.scan())
    clock.advance(HOUR_MS)
    assert len(list(table.scan())) == 40


def test_tables_of_the_system_have_no_limits(db: rs.Database) -> None:
    limited(db, 1, user="ann")
    assert gets(db) == 1
    assert [len(list(db.table("hbase:quota").scan())) for _ in range(5)] == [1] * 5


def test_the_owner_process_is_not_throttled() -> None:
    with rs.connect(":memory:", configuration=SETTINGS) as db:
        db.create_table("t", ["f"])
        limited(db, 1, table="t")
        assert gets(db) == 8
