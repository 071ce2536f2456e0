"""Commands of the group security, one per file."""
