"""Case study of the webtable: reversed host names in keys, and families that are read separately."""

from __future__ import annotations

from examples.case_studies.measure import Report
from examples.case_studies.measure.counted import Counted, Counts
from examples.case_studies.webtable.forms import FORMS, SECOND_CRAWL
from examples.case_studies.webtable.pages import Page

import rowstone as rs
from tests.checklist import checklist


@checklist("012", clause="a domain is a range of the case study's rows")
def test_with_reversed_hosts_a_domain_is_a_range(webtable: Report) -> None:
    domain = {name: webtable.cost("the hosts of a domain", name) for name in ("webtable", "plain hosts")}
    assert domain["webtable"].rows == domain["webtable"].wanted
    assert domain["plain hosts"].rows == webtable.store("plain hosts").rows > 2 * domain["plain hosts"].wanted


@checklist("189", clause="a case study shows it")
def test_a_query_of_links_reads_no_page_contents(webtable: Report) -> None:
    apart, together = (webtable.cost("the most linked pages", name) for name in ("webtable", "one family"))
    assert apart.cells < together.cells
    assert apart.blocks < together.blocks / 3


def test_old_contents_are_read_by_time() -> None:
    seen = [Page("a.python.org", b"first", (("b.python.org", "look"),)), Page("b.python.org", b"other", ())]
    for form in FORMS:
        with rs.connect(":memory:") as db:
            db.create_table(form.table, form.families())
            form.load(db.table(form.table), seen)
            table = Counted(db.table(form.table), Counts())
            assert form.page(table, "a.python.org", before=SECOND_CRAWL) == len(b"first")
            assert form.page(table, "a.python.org", before=SECOND_CRAWL + 1) == len(b"first\n# seen")
            assert form.links_to(table, "b.python.org") == [b"look"]
