"""Kerberos, with a KDC that the tests start: `make test-kerberos`. They touch a temporary folder only."""
