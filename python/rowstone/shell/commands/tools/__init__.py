"""Commands of the group tools, one per file."""
