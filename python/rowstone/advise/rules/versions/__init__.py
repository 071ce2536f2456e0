"""Rules about versions, timestamps and deletes."""
