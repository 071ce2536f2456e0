"""The demo: 336,776 real flights in tables, eight questions, and the webtable of HBase's reference guide.

Run it with ``rowstone demo``; the flights come with ``pip install 'rowstone[demo]'``.
"""

from rowstone.cli.demo._run import run

__all__ = ["run"]
