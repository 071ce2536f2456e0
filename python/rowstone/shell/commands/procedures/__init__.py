"""Commands of the group procedures, one per file."""
