"""Rights: what each user may do, on a directory, behind a port, and as a real HBase decides it."""
