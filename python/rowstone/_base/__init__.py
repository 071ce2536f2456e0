"""Foundations: names, schemas, settings, rendering of bytes. Nothing here knows a database."""
