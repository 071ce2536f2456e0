"""Commands of the group dml, one per file."""
