"""``rowstone serve``: `options` declares the options, `plain` parses most calls without typer, `run` serves."""
