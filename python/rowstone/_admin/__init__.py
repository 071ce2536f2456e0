"""Administration: what `db.admin` does."""
