"""The demo: 336,776 real flights in tables, eight questions, and the webtable of HBase's reference guide.

Run it with ``python -m rowstone.demo`` or ``rowstone demo``; the flights come with ``pip install 'rowstone[demo]'``.
"""

from rowstone.demo._run import run

__all__ = ["run"]
