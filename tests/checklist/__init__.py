"""The checklist of statements that the store must fulfill, and the tests that prove them.

`clauses.toml` lists the statements and their clauses; a test cites what it proves:

    @checklist("071", clause="readers never see half a put")
    def test_...

`make checklist` prints what is covered (`ledger.py` counts).
"""

from tests.checklist.marks import checklist

__all__ = ["checklist"]
