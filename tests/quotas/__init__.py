"""Request and space quotas: in a directory, through its server, and compared with a real HBase."""
