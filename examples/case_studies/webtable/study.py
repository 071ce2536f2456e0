"""Crawls the standard library into three webtables and runs the same queries on each."""

from __future__ import annotations

from examples.case_studies.measure import REPEATS, Bench, Report
from examples.case_studies.webtable.forms import FORMS, SECOND_CRAWL
from examples.case_studies.webtable.pages import pages

import rowstone as rs

SMALL, FULL = 80, 2_000

CHOICES = [
    ("keys are host names, and queries are about domains", "hosts reversed: a domain is a prefix"),
    (
        "a row has large and small values, which are read separately",
        "two families: reading links reads no pages; each has its own compression and versions",
    ),
    ("rows are always read as a whole", "one family"),
    (
        "the columns are not known in advance",
        "any design: columns need no declaration; here each linking page is a column",
    ),
]

ACCEPTED = {
    "L02": "named as in the guides; `c` and `a` would be enough",
    "L01": "two families: pages and links are read separately",
    "L04": "the qualifier of a link is the linking page",
    "L14": "the study shows why pages and links should not share a family",
    "L26": (
        "pages are a hundred times as large as links; by default each family is flushed on its own, and splits "
        "depend on the pages"
    ),
    "L25": "pages without links have no row in the family of links",
    "L06": "a link's text is shorter than the name of the linking page",
    "L38": "an encoding would hide the size of the keys",
    "L13": "each page was crawled twice",
    "L35": "pages are large and links are small: in one family no block size fits both",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    found = pages(SMALL if small else FULL)
    links = sum(len(page.links) for page in found)
    report = Report(
        "webtable",
        "Webtable",
        (
            f"{len(found):,} pages, {links:,} links: the modules of Python's standard library and their imports "
            "(real data)."
        ),
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    for form in FORMS:
        db.create_table(form.table, form.families())
        table = db.table(form.table)
        work = lambda table=table, form=form: form.load(table, found)  # noqa: E731
        bench.load(form.name, form.key, None, tables=[form.table], work=work)
    host = max(found, key=lambda page: sum(page.host == to for other in found for to, _ in other.links)).host
    packages = [page.host.split(".")[-3] for page in found if page.host.count(".") > 2]
    domain = f"{max(set(packages), key=packages.count)}.python.org"
    tables = {form.name: bench.table(form.table) for form in FORMS}
    first = found[0].host
    for form in FORMS:
        bench.query("a page", form.name, lambda form=form: form.page(tables[form.name], first, before=SECOND_CRAWL + 1))
    for form in FORMS:
        bench.query(
            "a page as it was before",
            form.name,
            lambda form=form: form.page(tables[form.name], first, before=SECOND_CRAWL),
        )
    for form in FORMS:
        bench.query("who links to a page", form.name, lambda form=form: form.links_to(tables[form.name], host))
    for form in FORMS:
        bench.query("the hosts of a domain", form.name, lambda form=form: form.of_a_domain(tables[form.name], domain))
    for form in FORMS:
        bench.query("the most linked pages", form.name, lambda form=form: form.most_linked(tables[form.name]))
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report
