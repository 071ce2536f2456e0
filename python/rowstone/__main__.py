"""`python -m rowstone`: the command line."""

from rowstone.cli import main

if __name__ == "__main__":
    main()
