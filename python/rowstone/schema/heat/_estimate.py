"""Numbers of rows as text: exact ones, and estimates from a sample."""

from __future__ import annotations

_DIGITS = 3
NOT_SAMPLED = "too few to be sampled"
"""Text for rows that a sample may have missed."""


def rounded(number: float) -> int:
    """An estimate, rounded to three digits. A larger number is never rounded to a smaller one.

    >>> rounded(1251.4), rounded(23890.5), rounded(7.2)
    (1250, 23900, 7)
    """
    # Sums of the same numbers in a different order differ in their last digits.
    exact = float(f"{number:.9g}")
    return round(float(f"{exact:.{_DIGITS}g}"))


def rows_text(number: float, *, is_estimate: bool) -> str:
    """A number of rows, with "about" and rounded if it is an estimate.

    >>> rows_text(1251, is_estimate=False), rows_text(1251.4, is_estimate=True)
    ('1,251', 'about 1,250')
    """
    return f"about {rounded(number):,}" if is_estimate else f"{round(number):,}"


def counted_rows(number: float, *, is_estimate: bool) -> str:
    """A number of rows with its noun.

    >>> counted_rows(1, is_estimate=False), counted_rows(1251.4, is_estimate=True)
    ('1 row', 'about 1,250 rows')
    """
    text = rows_text(number, is_estimate=is_estimate)
    return f"{text} row{'' if text.removeprefix('about ') == '1' else 's'}"
