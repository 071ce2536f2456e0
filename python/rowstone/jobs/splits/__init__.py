"""Splits of a job by region: table access (`table_access`), one worker each (`claim`), progress (`notes`, `state`)."""
