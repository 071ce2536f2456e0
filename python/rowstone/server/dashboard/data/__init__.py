"""Pages with the data of tables: the explorer.

`rowstone explore` and the dashboard of a server have the same pages. Each query has a limit of rows, bytes and seconds
(`_budget`), and ends when its client disconnects (`_routes`).

| module | page |
|---|---|
| `rows` | rows of a table as a grid, by key, prefix, columns and filter |
| `row`, `cell` | versions and delete markers of a row; one value in full |
| `scan` | cost of a query, and the query as Python, HBase shell and curl |
| `download` | rows as CSV, JSON lines or Parquet |
| `sql` | SQL over a table; only in `rowstone explore` |
| `advice` | schema advice with its evidence |
| `change.edit` | put, increment and delete, with a preview |
"""
