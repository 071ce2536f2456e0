"""Commands of the group storefiletracker, one per file."""
