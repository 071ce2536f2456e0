"""Permissions: what each user is allowed to do, on a directory, behind a port, and as a real HBase decides it."""
