"""What users of the Python package see."""
