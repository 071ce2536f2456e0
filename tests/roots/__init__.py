"""HBase's root directory read without its servers, compared with HBase's own readers cell by cell.

| file | contents |
|---|---|
| `java/` | a Java program that fills tables and reads them through servers and by `TableSnapshotScanner` |
| `session.py` | that program as a process |
| `tables.py`, `plan.py` | the tables and snapshots of the tests, and their scans |
| `text.py`, `comparing.py` | cells as text, digests, the first difference |
| `histories.py` | random histories of a table with splits, merges, compactions, snapshots and clones |

Sizes: `ROWSTONE_ROOTS_CELLS` (of all tables), `ROWSTONE_ROOTS_HISTORIES`, `ROWSTONE_ROOTS_SEED`. `make roots` has
10 million cells and 1,000 histories.
"""
