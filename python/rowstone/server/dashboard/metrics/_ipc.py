"""The bean ``RegionServer,sub=IPC``: calls, connections, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rowstone.server.dashboard.metrics._metric import (
    Histogram,
    Kind,
    Look,
    Metric,
    counter,
    gauge,
    missing,
    sizes,
    times,
)

BEAN = "RegionServer,sub=IPC"
_CLASSES = {
    "RegionTooBusyException": "RegionTooBusyException",
    "OutOfOrderScannerNextException": "OutOfOrderScannerNextException",
    "UnknownScannerException": "UnknownScannerException",
    "NotServingRegionException": "NotServingRegionException",
    "ScannerResetException": "ScannerResetException",
    "multiResponseTooLarge": "MultiActionResultTooLarge",
    "callQueueTooBig": "CallQueueTooBigException",
    "quotaExceeded": "QuotaExceededException",
    "requestTooBig": "RequestTooBigException",
    "rpcThrottling": "RpcThrottlingException",
}
"""HBase's names of failure metrics, by exception class."""


def metrics() -> Iterator[Metric]:
    """All metrics of the bean."""
    for name, key, says in (
        ("queueSize", "bytes_in_flight", "bytes of calls that wait or are worked on"),
        ("numCallsInGeneralQueue", "calls_waiting", "calls that no thread has taken yet"),
        ("numOpenConnections", "open_connections", "connections, those to ZooKeeper's port included"),
    ):
        yield gauge(BEAN, name, _number(key), says, served=True)
    working = "calls that a thread works on; those answered at once by the thread that read them are not seen"
    for name in ("numActiveHandler", "numActiveGeneralHandler"):
        yield gauge(BEAN, name, _active, working, served=True)
    for name in ("authenticationSuccesses", "authenticationFailures", "authenticationFallbacks",
                 "authorizationSuccesses", "authorizationFailures"):  # fmt: skip
        key = name.replace("S", "_s").replace("F", "_f")
        yield counter(BEAN, name, _number(key), "connections, by what became of their greeting", served=True)
    yield times(BEAN, "QueueCallTime", "from a call's last byte to its beginning", "queue")
    yield Metric(BEAN, "ProcessCallTime", Kind.TIMES, _processed, "calls of all methods", needs_server=True)
    yield times(BEAN, "TotalCallTime", "both together", "total")
    yield sizes(BEAN, "RequestSize", "bytes of calls as they came", "request")
    yield sizes(BEAN, "ResponseSize", "bytes of answers as they were sent", "response")
    yield counter(BEAN, "receivedBytes", lambda look: look.calls.times("request").sum, "the sum of them", served=True)
    yield counter(BEAN, "sentBytes", lambda look: look.calls.times("response").sum, "the sum of them", served=True)
    yield from _exceptions()
    yield from _missing()


def _number(name: str) -> Callable[[Look], float]:
    return lambda look: look.calls.numbers.get(name, 0)


def _active(look: Look) -> float:
    numbers = look.calls.numbers
    return max(numbers.get("calls_in_flight", 0) - numbers.get("calls_waiting", 0), 0)


def _processed(look: Look) -> Histogram:
    return look.recent(*look.calls.methods)


def _exceptions() -> Iterator[Metric]:
    total = "what clients were told, and single actions of their multis"
    yield counter(BEAN, "exceptions", lambda look: sum(look.calls.failures.values()), total, served=True)
    for name, wanted in _CLASSES.items():
        yield counter(BEAN, f"exceptions.{name}", lambda look, wanted=wanted: _failed(look, wanted),  # type: ignore[misc]
                      f"of them `{wanted}`", served=True)  # fmt: skip
    yield counter(BEAN, "exceptions.otherExceptions", _others, "of them all others", served=True)


def _failed(look: Look, wanted: str) -> int:
    return sum(times for name, times in look.calls.failures.items() if name.rpartition(".")[2] == wanted)


def _others(look: Look) -> int:
    known = set(_CLASSES.values())
    return sum(times for name, times in look.calls.failures.items() if name.rpartition(".")[2] not in known)


def _missing() -> Iterator[Metric]:
    queues = ("Replication", "BulkLoad", "Priority", "MetaPriority", "Write", "Read", "Scan")
    yield from missing(BEAN, " ".join(f"numCallsIn{queue}Queue" for queue in queues), "there is one queue")
    handlers = ("Priority", "Replication", "BulkLoad", "Write", "Read", "Scan")
    yield from missing(
        BEAN, " ".join(f"numActive{kind}Handler" for kind in handlers), "threads take calls of all kinds"
    )
    dropped = "numGeneralCallsDropped numLifoModeSwitches exceptions.callDropped exceptions.callTimedOut"
    yield from missing(BEAN, dropped,
                       "calls are answered in the order in which they came; none is dropped")  # fmt: skip
    netty = "nettyDirectMemoryUsage nettyTotalPendingOutboundBytes nettyMaxPendingOutboundBytes"
    yield from missing(BEAN, f"{netty} maxOutboundBytesExceeded UnwritableTime", "there is no Netty")
    yield from missing(BEAN, "exceptions.RegionMovedException", "regions do not move: there is one server")
    sanity = "`DoNotRetryIOException` here, as HBase's master answers; counted among the others"
    yield from missing(BEAN, "exceptions.FailedSanityCheckException", sanity)
