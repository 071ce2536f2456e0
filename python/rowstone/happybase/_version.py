"""The happybase version whose API this package provides."""

__version__ = "1.3.0"
