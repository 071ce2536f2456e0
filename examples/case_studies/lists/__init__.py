"""A list for each user: a row per entry, pages of entries, a column per entry."""
