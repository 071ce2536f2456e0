"""Exit codes of the command line: ``docs/reference/command-line.md`` lists them for scripts.

`status_of` maps errors to them. Commands exit with `NO` (``get``, ``compare``, ``advise``) and, after a report of
damage, with `DAMAGED` (``check``, ``repair``) themselves.
"""

DONE = 0
NO = 1
"""The command worked, and the answer is negative: no such row, differing tables, findings."""
USAGE = 2
"""The command line is invalid; the command line library uses the same status."""
FAILED = 3
"""Any other error: a missing thing, no connection, no space."""
LOCKED = 4
"""Another process has the directory open for writing, or the server is busy: try again later."""
DAMAGED = 5
"""Files of the database are damaged or missing."""
INTERRUPTED = 130
"""Ctrl-C, with the status that shells use."""

_BY_CLASS = {
    "DatabaseLocked": LOCKED,
    "RetryError": LOCKED,
    "CorruptionError": DAMAGED,
    "BadInput": FAILED,
    "UsageError": USAGE,
}
"""Status by the name of an error's class or of one of its bases, so that no errors need to be imported."""


def status_of(error: BaseException) -> int:
    """The exit code for an error."""
    for kind in type(error).__mro__:
        if kind.__name__ in _BY_CLASS:
            return _BY_CLASS[kind.__name__]
    return FAILED
