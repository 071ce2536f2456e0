"""HBase's own integration tests, unmodified, on a `rowstone serve` that is killed while they write: `make torture`.

`IntegrationTestBigLinkedList` and `IntegrationTestLoadAndVerify` write rows that refer to earlier rows. Their second
halves read the whole table and count rows that are missing. `AcidGuaranteesTestTool` overwrites rows of several
families and checks that no get or scan finds two values in a row. While they work, the server flushes, splits, merges
and compacts regions at random, and is killed at random.
"""
