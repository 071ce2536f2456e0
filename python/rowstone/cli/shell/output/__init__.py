"""Output of the shell: tables, schemas, regions, metrics, times and values, as HBase prints them."""
