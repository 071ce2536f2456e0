"""Database directories written by each version, and kept forever: every later version must read them."""
