"""What the shell prints: tables, schemas, regions, metrics, times and values, as HBase prints them."""
