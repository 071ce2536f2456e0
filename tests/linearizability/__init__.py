"""Linearizability of single rows.

Clients record their operations and results. A checker searches for an order of the operations that explains them all.

    python -m tests.linearizability --operations 1000000 --clients 32 --kills 100 --seed 1 [--target hbase]

| file | purpose |
|---|---|
| `model` | a row as a sequential object: its state, and the effect and result of an operation |
| `history` | an operation with its interval, and attempts that failed on the way |
| `checker` | searches for an order of a row's operations that explains all results |
| `client` | random operations of one client, performed through the public API |
| `workers` | processes of many clients, which write their histories to files |
| `targets` | the systems under test: a served directory, an HBase of several processes |
| `disruptions` | failures of servers, splits, merges, moves, flushes and compactions during a run |
| `judging` | random operations of `tests/hbase/cluster_judge.py` on the same HBase |
| `run` | a whole run: start, disrupt, collect, check |
| `faults`, `simulation` | planted faults, and clients that take turns by a seed, for the checker's own tests |
"""
