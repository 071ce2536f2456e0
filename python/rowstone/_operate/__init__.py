"""What operators of a cluster do beside data and schema: the parts of `rowstone.Admin` that only a cluster has."""
