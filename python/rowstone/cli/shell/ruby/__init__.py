"""The Ruby of the shell: lexer, parser and interpreter of the part of Ruby that HBase scripts use.

`parser` turns text into the nodes of `nodes`, `interpreter` evaluates them. Nothing is ever handed to Python's
``eval``. A script reaches no Python object: every method that it can call is listed in a table of methods.
"""
