"""Writes of tasks: rows (`sink`), files for a bulk load (`staging`), and sums that the driver adds (`increments`)."""
