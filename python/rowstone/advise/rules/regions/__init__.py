"""Rules about regions and where they begin."""
