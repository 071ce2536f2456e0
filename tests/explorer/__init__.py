"""The explorer: pages with the data of tables, their limits, changes, and attacks on them."""
