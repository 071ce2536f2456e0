"""A time series with a row per point, or with a row per period and a column per point, as in OpenTSDB."""
