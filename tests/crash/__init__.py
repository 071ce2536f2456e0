"""A writer that is killed at any moment, and what must be left of its work."""
