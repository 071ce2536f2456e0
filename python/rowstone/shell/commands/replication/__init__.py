"""Commands of the group replication, one per file."""
