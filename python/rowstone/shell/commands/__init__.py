"""Shell commands by group; `rowstone.shell.registry` lists them all."""
