"""Quotas on requests and on space: in a directory, behind its server, and beside a real HBase."""
