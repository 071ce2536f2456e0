"""Secondary indexes."""
