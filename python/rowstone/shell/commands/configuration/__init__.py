"""Commands of the group configuration, one per file."""
