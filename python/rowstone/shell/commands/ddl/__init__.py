"""Commands of the group ddl, one per file."""
