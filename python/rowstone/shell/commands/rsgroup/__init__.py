"""Commands of the group rsgroup, one per file."""
