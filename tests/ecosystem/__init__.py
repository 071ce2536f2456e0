"""Programs of HBase's ecosystem, unmodified, against a real HBase and against `rowstone serve`: `make ecosystem`."""
