"""Shared by the commands: arguments, output of rows, databases by path or URL, progress, exit codes."""
