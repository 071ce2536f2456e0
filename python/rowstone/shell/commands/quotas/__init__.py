"""Commands of the group quotas, one per file."""
