"""Loads the lists in three layouts and runs the same queries on each."""

from __future__ import annotations

from examples.case_studies.lists.data import lists
from examples.case_studies.lists.forms import FORMS
from examples.case_studies.measure import REPEATS, Bench, Report

import rowstone as rs

SMALL, FULL = 8_000, 340_000

CHOICES = [
    ("no other requirement is known", "tall: a row per entry; page by hand only if a measurement justifies it"),
    ("entries, or the whole list, must change atomically", "wide: one row is atomic; for lists that fit in memory"),
    (
        "lists are read whole, never changed in the middle, and entries are tiny",
        "paged: fewer cells; every insertion rewrites all later pages",
    ),
]

ACCEPTED = {
    "L06": "an entry has no value, only coordinates, and the study compares those",
    "L04": "the qualifier is the entry",
    "L38": "an encoding would hide the size of the forms; a production table sets DATA_BLOCK_ENCODING",
    "L14": "a page has its entries, their number and a flag, in three columns of one family",
    "L35": "the number and the flag of a page are a byte each",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = lists(SMALL if small else FULL)
    count = sum(map(len, found.values()))
    report = Report(
        "lists",
        "Lists",
        (
            f"{count:,} entries in the lists of {len(found):,} users: flights from New York by destination, "
            "2013 (real data)."
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
        bench.query("the first 30", form.name, lambda form=form: form.first(tables[form.name], user, 30))
    for form in FORMS:
        bench.query("the whole list", form.name, lambda form=form: form.all(tables[form.name], user))
    for form in FORMS:
        bench.query("is it in the list", form.name, lambda form=form: form.has(tables[form.name], user, entries[-1]))
    for form in FORMS:
        bench.change(
            "add near the beginning", form.name, lambda form=form: form.add(tables[form.name], user, f"{entries[0]}x")
        )
    for form in FORMS:
        bench.query("the list after that", form.name, lambda form=form: form.all(tables[form.name], user))
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report
