"""A list for each user: a row an entry, pages of entries, a column an entry."""
