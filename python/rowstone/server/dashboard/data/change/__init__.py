"""Changes of rows: put, increment and delete, each with a preview."""
