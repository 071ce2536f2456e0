"""Splits of a job by region: access to the table (`place`), one worker each (`claim`), progress (`notes`, `state`)."""
