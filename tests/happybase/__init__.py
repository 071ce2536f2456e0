"""`rowstone.happybase` against happybase: its recorded answers, its own test suite, and what is ours."""
