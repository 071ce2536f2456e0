"""Inspection of tables: explain, missing cells, columns, sizes, samples."""
