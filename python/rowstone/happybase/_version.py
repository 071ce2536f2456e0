"""The version of happybase whose API this is."""

__version__ = "1.3.0"
