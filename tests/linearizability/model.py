"""A row as a sequential object.

A row has a value in two families, which every put writes together, a counter and a text. So a get shows lost, reordered
and torn writes.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class State(NamedTuple):
    """The contents of a row; None where there is no cell."""

    value: bytes | None = None
    copy: bytes | None = None
    counter: int | None = None
    text: bytes | None = None


EMPTY = State()
KINDS = ("get", "scan", "put", "delete", "increment", "append", "check_and_put", "check_and_mutate")
READS = ("get", "scan", "read_count", "read_text")
"""The last two are no operations of clients: see `history.with_lost_attempts`."""
ANY = "any result"
"""Stands for the result of an operation whose answer says nothing about it."""
LOST = "lost result"
"""Result of a repeated increment or append whose value the server no longer knew (`errors.ResultLost`)."""


def step(state: State, kind: str, argument: Any) -> tuple[State, Any]:
    """Return the state after an operation, and its result.

    Arguments: none for reads and deletes; the value of a put, the amount of an increment, the suffix of an append; the
    expected value (None: no value) and the new one for the checks. The new value of `check_and_mutate` comes with the
    deletion of the text, in one atomic change.
    """
    match kind:
        case "get" | "scan":
            return state, state
        case "read_count":
            return state, state.counter
        case "read_text":
            return state, state.text
        case "put":
            return State(argument, argument, state.counter, state.text), None
        case "delete":
            return EMPTY, None
        case "increment":
            count = (state.counter or 0) + argument
            return State(state.value, state.copy, count, state.text), count
        case "append":
            text = (state.text or b"") + argument
            return State(state.value, state.copy, state.counter, text), text
        case "check_and_put" | "check_and_mutate":
            expected, value = argument
            if state.value != expected:
                return state, False
            return State(value, value, state.counter, state.text if kind == "check_and_put" else None), True
    raise ValueError(f"unknown kind of operation: {kind}")
