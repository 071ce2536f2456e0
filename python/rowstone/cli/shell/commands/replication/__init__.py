"""Replication peers and what they replicate."""
