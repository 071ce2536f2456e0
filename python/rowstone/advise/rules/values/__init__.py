"""Rules about values, qualifiers and rows."""
