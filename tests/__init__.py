"""The judges (reference model, real HBase), the script language they share, and the tests."""
