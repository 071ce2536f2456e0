"""The database: connect, databases, tables, views, data frames."""
