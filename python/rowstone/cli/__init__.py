"""The command ``rowstone``."""

from rowstone.cli._main import main

__all__ = ["main"]
