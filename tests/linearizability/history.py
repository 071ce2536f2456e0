"""An operation of a history: what was asked, when, and what was answered.

Times are nanoseconds of the monotonic clock, which all processes of a machine share. The operation took effect at some
moment between `invoked` and `returned`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tests.linearizability.model import ANY, LOST, READS

READ_BACK = {"increment": "read_count", "append": "read_text"}
"""Operations that a client sends with a nonce, so that a repetition has no effect, and the read that a restarted server
answers a repetition with."""


class Operation(NamedTuple):
    """One operation of one client on one row."""

    client: int
    row: int
    kind: str
    argument: Any
    invoked: int
    returned: int | None
    """None if the outcome is unknown: it may take effect at any time after `invoked`, or never."""
    result: Any = None
    lost_attempts: int = 0
    """Attempts whose answer was lost before the client sent the operation again. Each may have taken effect, once."""


class Outage(NamedTuple):
    """The connections of a server broke at moments between these."""

    began: int
    ended: int


def with_lost_attempts(
    operations: Iterable[Operation], outages: Sequence[Outage], *, nonces_survive: bool
) -> list[Operation]:
    """Note for each operation the outages in its interval: the client may have sent it again after each.

    A client repeats puts, deletes and checks, as HBase's own client does, and a repetition is a second write. An
    increment or append has a nonce. While the server lives, a repetition gets the first attempt's answer, so nothing
    is noted without an outage. With `nonces_survive` the server still knows the nonce after a kill, and the operation
    takes effect once, but the answer is what the row has by then. So such an operation becomes two: one with any
    result, and a read in the same interval.
    """
    noted = []
    for operation in operations:
        lost = sum(
            operation.invoked <= outage.ended and (operation.returned is None or operation.returned >= outage.began)
            for outage in outages
        )
        if not lost or operation.kind in READS:
            noted.append(operation)
        elif operation.kind not in READ_BACK:
            noted.append(operation._replace(lost_attempts=lost))
        else:
            noted.append(operation._replace(lost_attempts=0 if nonces_survive else lost, result=ANY))
            # A lost result says that the cell was deleted. From HBase it says nothing: a server that has the nonce
            # from a log reads at sequence id 0 (`ServerNonceManager.reportOperationFromWal` sets none).
            is_lost = operation.result == LOST
            if operation.returned is not None and (nonces_survive or not is_lost):
                result = None if is_lost else operation.result
                noted.append(operation._replace(kind=READ_BACK[operation.kind], result=result))
    return noted
