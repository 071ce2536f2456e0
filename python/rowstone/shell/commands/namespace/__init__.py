"""Commands of the group namespace, one per file."""
