"""Backups and other uploads to object stores."""
