"""SQL over a table."""
