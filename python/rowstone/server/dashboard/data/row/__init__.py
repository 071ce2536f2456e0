"""Pages of one row: its versions, one cell, a comparison with another row."""
