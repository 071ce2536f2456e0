"""The pages in a real browser: Debian's chromium, driven by playwright. `make test-browser`."""
