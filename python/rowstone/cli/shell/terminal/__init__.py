"""The shell on a terminal: entry points, the read-eval-print loop, history, completion, the pager."""
