"""A real HBase region under a script with its own clock: the judge of everything else."""
