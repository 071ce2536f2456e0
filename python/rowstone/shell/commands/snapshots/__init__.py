"""Commands of the group snapshots, one per file."""
