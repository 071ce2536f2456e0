"""The methods of each kind of value."""

from rowstone.cli.shell.ruby.methods.lookup import register, table_of

__all__ = ["register", "table_of"]
