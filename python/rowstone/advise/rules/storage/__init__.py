"""Rules about how files are written and cached."""
