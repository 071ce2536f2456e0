"""Commands by group; `rowstone.shell.registry` knows them all."""
