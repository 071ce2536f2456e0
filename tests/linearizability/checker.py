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

Sources: Wing and Gong, "Testing and Verifying Concurrent Objects"; Lowe, "Testing for Linearizability" (just-in-time
linearization, memory of visited configurations); Horn and Kroening, "Faster linearizability checking via
P-compositionality".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.linearizability.history import Operation
from tests.linearizability.model import ANY, EMPTY, READS, State, step

MOST_NODES = 300_000
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


@dataclass(frozen=True)
class _Return:
    """A return, with the operations pending then. Each has a bit, which later ones may reuse after its return."""

    operation: Operation
    bit: int
    pending: tuple[tuple[int, Operation], ...]
    optional: int
    """Bits of operations that may never take effect."""
    kept: int
    """Bits that are still pending afterwards."""


@dataclass
class _Pending:
    """The operations between invocation and return, while the events of a history are read."""

    operations: dict[int, Operation] = field(default_factory=dict)
    optional: int = 0
    _unused: list[int] = field(default_factory=list)

    def add(self, operation: Operation, *, is_optional: bool) -> int:
        bit = self._unused.pop() if self._unused else 1 << len(self.operations)
        self.operations[bit] = operation
        self.optional |= bit if is_optional else 0
        return bit

    def remove(self, bits: Sequence[int]) -> None:
        for bit in bits:
            del self.operations[bit]
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
            own = pending.add(operation, is_optional=operation.returned is None)
            lost = [pending.add(operation, is_optional=True) for _ in range(operation.lost_attempts)]
            bits[number] = [own, *lost]
            continue
        own, present, optional = bits[number][0], tuple(pending.operations.items()), pending.optional
        pending.remove(bits.pop(number))
        returns.append(_Return(operation, own, present, optional, sum(pending.operations)))
    return returns


def _effect(operation: Operation, state: State, *, is_optional: bool) -> State | None:
    """The state after an operation takes effect; None if that contradicts its result."""
    following, result = step(state, operation.kind, operation.argument)
    return following if is_optional or operation.result in (result, ANY) else None


def _apply_reads(present: _Return, state: State, mask: int) -> int:
    """Add to ``mask`` the bits of all pending reads and failed checks that agree with the state."""
    for bit, operation in present.pending:
        if (operation.kind in READS or operation.result is False) and not bit & (mask | present.optional):
            mask |= bit if _effect(operation, state, is_optional=False) is not None else 0
    return mask


def _follow(present: _Return, state: State, mask: int) -> list[tuple[State, int]]:
    """The nodes after one more pending operation, the most promising last. The operation that returns is the most
    promising, those of unknown outcome are the least."""
    follow = []
    for bit, operation in sorted(
        present.pending, key=lambda one: (one[0] == present.bit, not one[0] & present.optional)
    ):
        is_optional = bool(bit & present.optional)
        following = None if bit & mask else _effect(operation, state, is_optional=is_optional)
        # An operation of unknown outcome that changes nothing need not take effect.
        if following is not None and not (is_optional and following == state):
            follow.append((following, mask | bit))
    return follow


def check(operations: Iterable[Operation], initial: State = EMPTY) -> Violation | None:
    """Return None if the history of one row is linearizable, else the first return that no order explains.

    Raises:
        Undecided: Too many operations of unknown outcome overlap.
    """
    returns = _returns_of(operations)
    furthest, states = 0, {initial}
    stack = [(0, initial, 0)]
    seen: dict[tuple[int, State, int], list[int]] = {}
    visits = 0
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
        visits += 1
        if visits > MOST_NODES:
            raise Undecided(f"row {present.operation.row}: {visits} nodes, {len(present.pending)} pending")
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
    pending = tuple(operation for bit, operation in failed.pending if bit != failed.bit)
    before = tuple(one.operation for one in returns[max(0, furthest - _SHOWN) : furthest])
    return Violation(failed.operation, frozenset(states), pending, before)
