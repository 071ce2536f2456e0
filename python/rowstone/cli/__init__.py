"""The command ``rowstone``."""

from rowstone.cli._start import main

__all__ = ["main"]
