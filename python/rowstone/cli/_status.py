"""Exit codes of the command line: ``docs/command-line.md`` lists them for scripts."""

DONE = 0
NO = 1
"""The command worked, and the answer is no: no such row, tables that differ, findings."""
USAGE = 2
"""The line asks for something that cannot be; the library that reads command lines has the same."""
FAILED = 3
"""Any other error: nothing of that name, no connection, no space."""
LOCKED = 4
"""Another process has the directory open for writing, or the server is busy: try again later."""
DAMAGED = 5
"""Files of the database are damaged or missing."""
INTERRUPTED = 130
"""Ctrl-C, as shells have it."""

_BY_CLASS = {
    "DatabaseLocked": LOCKED,
    "RetryError": LOCKED,
    "CorruptionError": DAMAGED,
    "BadInput": FAILED,
    "UsageError": USAGE,
}
"""By the name of an error's class or of one above it: the errors are not imported for it."""


def status_of(error: BaseException) -> int:
    """The exit code for an error."""
    for kind in type(error).__mro__:
        if kind.__name__ in _BY_CLASS:
            return _BY_CLASS[kind.__name__]
    return FAILED
