"""Random administration of one table under random writes, while a scanner checks, and kill -9 again and again.

    python -m tests.crash.administration --minutes 30 --kills 50 --seed 1

| file | duty |
|---|---|
| `model` | what tables and snapshots hold, and what an operation makes of it |
| `operations` | the next random operation, and how it is done to a database |
| `scanning` | the scanner: which rows it may see while others write |
| `child` | the process that is killed |
| `run` | the parent: kills, reads the journal, compares what the next child finds |
"""
