"""Script runners: the reference model, and the store through its Python package."""
