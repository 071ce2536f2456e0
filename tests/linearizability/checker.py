"""Searches for an order of a row's operations that explains every result.

The history is linearizable if each operation can be placed at a moment in its interval, so that a row that executes
them in this order gives the recorded results. Linearizability is local, so rows are checked one by one.

The search goes through the returns in the order of time. Each node consists of a return, a state of the row, and the
set of pending operations that have taken effect. When an operation returns, it must have taken effect. If it has not
yet, the search tries every order of pending operations that ends with it. It goes deep first, and ends with the first
order that reaches the last return. Four reductions keep it small:

* An operation takes effect as late as possible: just before a return that depends on it.
* A pending read, or failed check, that agrees with the state takes effect at once. It changes nothing.
* A node is visited once.
* An operation of unknown outcome may never take effect. If two nodes have the same state, and such an operation has
  taken effect in one of them only, the other is at least as good. The first is left out.
* The attempts of one operation are alike. They take effect in the order of their numbers.
* Of the operations that may come next, the one whose state is most like that of the returning one comes first.

Sources: Wing and Gong, "Testing and Verifying Concurrent Objects"; Lowe, "Testing for Linearizability" (just-in-time
linearization, memory of visited configurations); Horn and Kroening, "Faster linearizability checking via
P-compositionality".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.linearizability.history import Operation
from tests.linearizability.model import ANY, EMPTY, LOST, READS, State, step

MOST_WORK = 20_000_000
"""Limit of the search of one row: pending operations and earlier nodes that are compared, of all nodes together."""
_SHOWN = 12


class Undecided(Exception):
    """The search of one row exceeded its limit: too many operations of unknown outcome overlap."""


@dataclass(frozen=True)
class Violation:
    """The furthest return that the search reached: no order explains it."""

    operation: Operation
    states: frozenset[State]
    """The states that were possible before."""
    pending: tuple[Operation, ...]
    before: tuple[Operation, ...]
    """The operations that returned last before it."""

    def __str__(self) -> str:
        lines = [f"row {self.operation.row} is not linearizable: nothing explains {self.operation}"]
        lines += [f"  possible state: {state}" for state in sorted(self.states, key=repr)[:_SHOWN]]
        lines += [f"  pending: {operation}" for operation in self.pending]
        lines += [f"  before: {operation}" for operation in self.before]
        return "\n".join(lines)


class _Attempt(NamedTuple):
    """An operation that may take effect."""

    bit: int
    operation: Operation
    earlier: int
    """Bit of the attempt of the same operation that takes effect before it; 0 if there is none."""


@dataclass(frozen=True)
class _Return:
    """A return, with the operations pending then. Each has a bit, which later ones may reuse after its return."""

    operation: Operation
    bit: int
    pending: tuple[_Attempt, ...]
    optional: int
    """Bits of operations that may never take effect."""
    kept: int
    """Bits that are still pending afterwards."""


@dataclass
class _Pending:
    """The operations between invocation and return, while the events of a history are read."""

    attempts: dict[int, _Attempt] = field(default_factory=dict)
    optional: int = 0
    _unused: list[int] = field(default_factory=list)

    def add(self, operation: Operation) -> list[int]:
        """Return the bits of its attempts, the last one first."""
        is_optional, earlier, bits = operation.returned is None, 0, list[int]()
        for number in range(operation.lost_attempts + 1):
            bit = self._unused.pop() if self._unused else 1 << len(self.attempts)
            self.attempts[bit] = _Attempt(bit, operation, earlier)
            self.optional |= bit if number or is_optional else 0
            # The last attempt is not one of those alike if its result is known.
            earlier = bit if number or is_optional else 0
            bits.append(bit)
        return bits

    def remove(self, bits: Sequence[int]) -> None:
        for bit in bits:
            del self.attempts[bit]
            self.optional &= ~bit
        self._unused += bits


def _returns_of(operations: Iterable[Operation]) -> list[_Return]:
    """The returns in the order of time; at equal times invocations come first, as that allows more."""
    numbered = [(number, one) for number, one in enumerate(operations) if one.returned or one.kind not in READS]
    events = [(one.invoked, False, number, one) for number, one in numbered]
    events += [(one.returned, True, number, one) for number, one in numbered if one.returned is not None]
    pending, bits, returns = _Pending(), dict[int, list[int]](), list[_Return]()
    for _, is_return, number, operation in sorted(events, key=lambda event: event[:3]):
        if not is_return:
            bits[number] = pending.add(operation)
            continue
        own, present, optional = bits[number][0], tuple(pending.attempts.values()), pending.optional
        pending.remove(bits.pop(number))
        returns.append(_Return(operation, own, present, optional, sum(pending.attempts)))
    return returns


def _effect(operation: Operation, state: State, *, is_optional: bool) -> State | None:
    """The state after an operation takes effect; None if that contradicts its result."""
    following, result = step(state, operation.kind, operation.argument)
    return following if is_optional or operation.result in (result, ANY) else None


def _apply_reads(present: _Return, state: State, mask: int) -> int:
    """Add to ``mask`` the bits of all pending reads and failed checks that agree with the state."""
    for bit, operation, _ in present.pending:
        if (operation.kind in READS or operation.result is False) and not bit & (mask | present.optional):
            mask |= bit if _effect(operation, state, is_optional=False) is not None else 0
    return mask


def _differences(state: State, operation: Operation) -> int:
    """Number of fields of the row that keep the operation from returning its result."""
    result = operation.result
    match operation.kind:
        case "get" | "scan":
            return sum(one != other for one, other in zip(state, result, strict=True))
        case "increment" if result not in (ANY, LOST):
            return int((state.counter or 0) + operation.argument != result)
        case "append" if result not in (ANY, LOST):
            return int((state.text or b"") + operation.argument != result)
        case "put" | "delete" | "increment" | "append":
            return 0
    return int(step(state, operation.kind, operation.argument)[1] != result)


def _follow(present: _Return, state: State, mask: int) -> list[tuple[State, int]]:
    """The nodes after one more pending operation, the most promising last. The operation that returns is the most
    promising, then those after which it is more likely to return its result, and those of unknown outcome last."""
    follow = []
    for bit, operation, earlier in present.pending:
        is_optional = bool(bit & present.optional)
        if bit & mask or earlier & ~mask:
            continue
        following = _effect(operation, state, is_optional=is_optional)
        # An operation of unknown outcome that changes nothing need not take effect.
        if following is not None and not (is_optional and following == state):
            promise = (bit == present.bit, -_differences(following, present.operation), not is_optional)
            follow.append((promise, following, mask | bit))
    follow.sort(key=lambda node: node[0])
    return [(following, taken) for _, following, taken in follow]


def check(operations: Iterable[Operation], initial: State = EMPTY) -> Violation | None:
    """Return None if the history of one row is linearizable, else the first return that no order explains.

    Raises:
        Undecided: Too many operations of unknown outcome overlap.
    """
    returns = _returns_of(operations)
    furthest, states = 0, {initial}
    stack = [(0, initial, 0)]
    seen: dict[tuple[int, State, int], list[int]] = {}
    work = 0
    while stack:
        index, state, mask = stack.pop()
        if index == len(returns):
            return None
        present = returns[index]
        mask = _apply_reads(present, state, mask)
        spent, others = mask & present.optional, seen.setdefault((index, state, mask & ~present.optional), [])
        if any(other & spent == other for other in others):
            continue
        others.append(spent)
        work += len(present.pending) + len(others)
        if work > MOST_WORK:
            raise Undecided(f"row {present.operation.row}: {len(seen):,} nodes, {len(present.pending)} pending")
        if index > furthest:
            furthest, states = index, set()
        if index == furthest:
            states.add(state)
        if mask & present.bit:
            stack.append((index + 1, state, mask & present.kept))
        else:
            stack += [(index, *node) for node in _follow(present, state, mask)]
    if not returns:
        return None
    failed = returns[furthest]
    pending = tuple(attempt.operation for attempt in failed.pending if attempt.bit != failed.bit)
    before = tuple(one.operation for one in returns[max(0, furthest - _SHOWN) : furthest])
    return Violation(failed.operation, frozenset(states), pending, before)
