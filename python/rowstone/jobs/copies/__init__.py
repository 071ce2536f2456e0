"""Copies of tables and comparisons with them, by region; digests of tables; backups of running servers."""
