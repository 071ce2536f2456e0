"""Splits of a job by region: access to the table (`table_access`), one worker each (`claim`), progress (`notes`, `state`)."""
