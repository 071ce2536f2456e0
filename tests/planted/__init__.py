"""Bugs planted into the engine one by one: each must be caught by the test that it names."""
