"""Commands that read, write and move data, by file. `rowstone.cli._main` maps each command to its function."""
