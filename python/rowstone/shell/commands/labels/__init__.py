"""Commands of the group labels, one per file."""
