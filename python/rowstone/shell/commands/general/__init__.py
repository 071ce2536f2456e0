"""Commands of the group general, one per file."""
