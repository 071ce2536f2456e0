"""Shell commands by group; `rowstone.cli.shell.registry` lists them all."""
