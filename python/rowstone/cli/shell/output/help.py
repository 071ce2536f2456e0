"""Help for the shell, a command group or a command."""

from __future__ import annotations

from rowstone._base.version import __version__
from rowstone.cli.shell import registry

_HEADER = """\
Rowstone shell, version {version}. It accepts the commands of HBase's shell.
Type help 'get' for a command, help 'dml' for all commands of a group. Names need quotes.
"""

_FOOTER = """\
SHELL USAGE:
Quote the names of tables and columns, keys and values. Separate arguments with commas, and press Return to run the
command. Settings are hashes:

  {'key1' => 'value1', 'key2' => 'value2'}

Words in capitals such as NAME, VERSIONS and COMPRESSION are constants and need no quotes. At the end of a command a
hash needs no braces. Write bytes that are not text in double quotes:

  hbase> get 't1', "key\\x03\\x3f\\xcd"
  hbase> get 't1', "key\\003\\023\\011"
  hbase> put 't1', "test\\xef\\xff", 'f1:', "\\x01\\x33\\x40"

Variables, conditions, loops, blocks and methods work as in Ruby, and so do filters in HBase's classes. Classes, files
and other libraries of Ruby are not available; docs/reference/shell.md lists what is.
"""


def help_text(topic: str | None) -> str:
    """The help text of a command or a group, or of the shell without a topic."""
    if topic is None:
        return f"{_overview()}\n{_FOOTER}"
    if registry.is_command(topic):
        return registry.find(topic).help
    for group in registry.GROUPS:
        if group.name == topic:
            note = f"{'-' * 80}\n\n{group.note}\n\n" if group.note else ""
            return "".join(f"Command: {name}\n{registry.find(name).help}\n" for name in sorted(group.commands)) + note
    return f"ERROR: Invalid command or command group name: {topic}\n\n{_overview()}"


def _overview() -> str:
    groups = [
        f"  Group name: {group.name}\n  Commands: {', '.join(sorted(group.commands))}\n" for group in registry.GROUPS
    ]
    return "\n".join([_HEADER.format(version=__version__), "COMMAND GROUPS:\n" + "\n".join(groups)])
