"""A time series, a row a point or, as OpenTSDB does it, a row a period with a column a point."""
