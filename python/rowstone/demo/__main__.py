"""``python -m rowstone.demo``: the same as ``rowstone demo``."""

import sys

from rowstone.cli import main

main(["demo", *sys.argv[1:]])
