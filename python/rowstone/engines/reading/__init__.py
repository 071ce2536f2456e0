"""Batches of a split: the scan (`scan`), rows decoded in Python (`decode`), and the residue (`mask`)."""
