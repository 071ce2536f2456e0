"""HBase's shell for Rowstone: the same commands, the same output, on a directory or a cluster.

``rowstone shell DIR`` opens it. From Python, use `run_shell`, or `execute` to run commands and get their output:

Example:
    >>> import rowstone as rs
    >>> from rowstone.cli.shell import execute
    >>> with rs.connect(":memory:") as db:
    ...     print(execute(db, "create 't', 'f'; put 't', 'r', 'f:q', 'v', 1000; get 't', 'r', 'f:q'").splitlines()[-2])
    1 row(s)
"""

from rowstone.cli.shell.terminal.run import execute, run_shell

__all__ = ["execute", "run_shell"]
