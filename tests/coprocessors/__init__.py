"""Observers, aggregates."""
