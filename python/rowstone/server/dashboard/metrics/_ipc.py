"""The bean ``RegionServer,sub=IPC``: calls, connections, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rowstone.server.dashboard.metrics._metric import (
    Histogram,
    Kind,
    Metric,
    MetricInput,
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
        ("queueSize", "bytes_in_flight", "bytes of waiting and running calls"),
        ("numCallsInGeneralQueue", "calls_waiting", "calls that wait for a thread"),
        ("numOpenConnections", "open_connections", "open connections, including those to ZooKeeper's port"),
    ):
        yield gauge(BEAN, name, _number(key), says, served=True)
    working = "running calls, except those that run on the thread that read them"
    for name in ("numActiveHandler", "numActiveGeneralHandler"):
        yield gauge(BEAN, name, _active, working, served=True)
    for name in ("authenticationSuccesses", "authenticationFailures", "authenticationFallbacks",
                 "authorizationSuccesses", "authorizationFailures"):  # fmt: skip
        key = name.replace("S", "_s").replace("F", "_f")
        yield counter(BEAN, name, _number(key), "connections by the outcome of their handshake", served=True)
    yield times(BEAN, "QueueCallTime", "time from a call's last byte to its start", "queue")
    yield Metric(BEAN, "ProcessCallTime", Kind.TIMES, _processed, "execution time of all calls", needs_server=True)
    yield times(BEAN, "TotalCallTime", "waiting and execution time of all calls", "total")
    yield sizes(BEAN, "RequestSize", "bytes of received calls", "request")
    yield sizes(BEAN, "ResponseSize", "bytes of sent responses", "response")
    yield counter(
        BEAN,
        "receivedBytes",
        lambda data: data.calls.times("request").sum,
        "total bytes of received calls",
        served=True,
    )
    yield counter(
        BEAN,
        "sentBytes",
        lambda data: data.calls.times("response").sum,
        "total bytes of sent responses",
        served=True,
    )
    yield from _exceptions()
    yield from _missing()


def _number(name: str) -> Callable[[MetricInput], float]:
    return lambda data: data.calls.numbers.get(name, 0)


def _active(data: MetricInput) -> float:
    numbers = data.calls.numbers
    return max(numbers.get("calls_in_flight", 0) - numbers.get("calls_waiting", 0), 0)


def _processed(data: MetricInput) -> Histogram:
    return data.recent(*data.calls.methods)


def _exceptions() -> Iterator[Metric]:
    total = "exceptions returned to clients, including those of single actions of multis"
    yield counter(BEAN, "exceptions", lambda data: sum(data.calls.failures.values()), total, served=True)
    for name, wanted in _CLASSES.items():
        yield counter(BEAN, f"exceptions.{name}", lambda data, wanted=wanted: _failed(data, wanted),  # type: ignore[misc]
                      f"of them `{wanted}`", served=True)  # fmt: skip
    yield counter(BEAN, "exceptions.otherExceptions", _others, "all other exceptions", served=True)


def _failed(data: MetricInput, wanted: str) -> int:
    return sum(times for name, times in data.calls.failures.items() if name.rpartition(".")[2] == wanted)


def _others(data: MetricInput) -> int:
    known = set(_CLASSES.values())
    return sum(times for name, times in data.calls.failures.items() if name.rpartition(".")[2] not in known)


def _missing() -> Iterator[Metric]:
    queues = ("Replication", "BulkLoad", "Priority", "MetaPriority", "Write", "Read", "Scan")
    yield from missing(BEAN, " ".join(f"numCallsIn{queue}Queue" for queue in queues), "there is one queue")
    handlers = ("Priority", "Replication", "BulkLoad", "Write", "Read", "Scan")
    yield from missing(BEAN, " ".join(f"numActive{kind}Handler" for kind in handlers), "threads run calls of all kinds")
    dropped = "numGeneralCallsDropped numLifoModeSwitches exceptions.callDropped exceptions.callTimedOut"
    yield from missing(BEAN, dropped,
                       "calls run in the order of arrival; none is dropped")  # fmt: skip
    netty = "nettyDirectMemoryUsage nettyTotalPendingOutboundBytes nettyMaxPendingOutboundBytes"
    yield from missing(BEAN, f"{netty} maxOutboundBytesExceeded UnwritableTime", "there is no Netty")
    yield from missing(BEAN, "exceptions.RegionMovedException", "regions do not move: there is one server")
    sanity = "raised as `DoNotRetryIOException`, as by HBase's master; included in `otherExceptions`"
    yield from missing(BEAN, "exceptions.FailedSanityCheckException", sanity)
