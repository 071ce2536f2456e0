"""Tests of heat maps."""
