"""Loads the lists in three forms and asks all the same."""

from __future__ import annotations

from examples.case_studies.lists.data import lists
from examples.case_studies.lists.forms import FORMS
from examples.case_studies.measure import REPEATS, Bench, Report

import rowstone as rs

SMALL, FULL = 8_000, 340_000

CHOICES = [
    ("nothing else is known", "tall: a row an entry, and no paging by hand until a measurement asks for it"),
    ("an entry and the whole list must change at once", "wide: one row is atomic; for lists that fit in memory"),
    (
        "lists are read whole, never changed in the middle, and entries are tiny",
        "paged: fewer cells; every insertion rewrites all pages behind it",
    ),
]

ACCEPTED = {
    "L06": "an entry has no value: all of it is coordinates, which is what the study compares",
    "L04": "the qualifier is the entry",
    "L38": "encodings would hide what the forms weigh; a real table sets DATA_BLOCK_ENCODING",
    "L14": "a page holds its entries, their number and a mark, in three columns of one family",
    "L35": "the number and the mark of a page are a byte each",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = lists(SMALL if small else FULL)
    count = sum(map(len, found.values()))
    report = Report(
        "lists",
        "Lists",
        (
            f"{count:,} entries in the lists of {len(found):,} users: which flights from New York went to an "
            "airport, 2013 (real)."
        ),
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    for form in FORMS:
        rows = ((row, data) for user, entries in found.items() for row, data in form.rows(user, entries))
        bench.load(form.name, form.key, rows, table=form.name)
    user = max(found, key=lambda one: (len(found[one]), one))
    entries = found[user]
    tables = {form.name: bench.table(form.name) for form in FORMS}
    for form in FORMS:
        bench.ask("the first 30", form.name, lambda form=form: form.first(tables[form.name], user, 30))
    for form in FORMS:
        bench.ask("the whole list", form.name, lambda form=form: form.all(tables[form.name], user))
    for form in FORMS:
        bench.ask("is it in the list", form.name, lambda form=form: form.has(tables[form.name], user, entries[-1]))
    for form in FORMS:
        bench.change(
            "add near the beginning", form.name, lambda form=form: form.add(tables[form.name], user, f"{entries[0]}x")
        )
    for form in FORMS:
        bench.ask("the list after that", form.name, lambda form=form: form.all(tables[form.name], user))
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report
