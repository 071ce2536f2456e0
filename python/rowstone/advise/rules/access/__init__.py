"""Rules about how a table is read and written."""
