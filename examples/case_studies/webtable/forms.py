"""Three webtables: hosts reversed or not, contents and anchors in two families or in one."""

from __future__ import annotations

from dataclasses import dataclass

from examples.case_studies.measure.counted import Counted
from examples.case_studies.webtable.pages import Page

import rowstone as rs
from rowstone.filters import FirstKeyOnlyFilter
from rowstone.keys import Key, domain, startswith, text

FIRST_CRAWL, SECOND_CRAWL = 1_000, 2_000
"""Times of the two crawls. The second finds some pages changed."""

CONTENTS = rs.Family(max_versions=3, compression="GZ")


@dataclass(frozen=True)
class Form:
    """A table of pages: ``contents:html`` by crawl time, ``anchor:<host>`` with the text of that host's link."""

    name: str
    table: str
    key: Key
    contents: str
    anchor: str

    def families(self) -> dict[str, rs.Family]:
        """Large values with versions and compression; small ones without."""
        return {self.anchor: rs.Family(), self.contents: CONTENTS}

    def row(self, host: str) -> bytes:
        """The row of a page."""
        return self.key.encode(host)

    def load(self, table: rs.Table, found: list[Page]) -> None:
        """Writes two crawls. Links are stored in the row of their target."""
        known = {page.host for page in found}
        with table.batch() as writer:
            for page in found:
                writer.put(self.row(page.host), {f"{self.contents}:html": page.text}, timestamp=FIRST_CRAWL)
                for host, said in page.links:
                    if host in known:
                        anchor = {f"{self.anchor}:{self.row(page.host).decode()}": said}
                        writer.put(self.row(host), anchor, timestamp=FIRST_CRAWL)
            for page in found[::3]:
                writer.put(
                    self.row(page.host), {f"{self.contents}:html": page.text + b"\n# seen"}, timestamp=SECOND_CRAWL
                )

    def page(self, table: Counted, host: str, *, before: int) -> int:
        """The size of a page's contents as they were before a time."""
        row = table.get(self.row(host), [f"{self.contents}:html"], time_range=(0, before))
        return len(row[f"{self.contents}:html"])

    def links_to(self, table: Counted, host: str) -> list[bytes]:
        """Texts of the links to a page."""
        column = f"{self.anchor}:".encode()
        row = table.get(self.row(host), [self.anchor])
        return sorted(row[name] for name in row if name.startswith(column) and not name.endswith(b":html"))

    def of_a_domain(self, table: Counted, of: str) -> list[str]:
        """The hosts of a domain, itself included."""
        # With reversed hosts a domain is a prefix; otherwise its hosts may be anywhere.
        is_reversed = "domain" in repr(self.key)
        ranges = [{"host": of}, {"host": startswith(f".{of}")}] if is_reversed else [{}]
        found = []
        for where in ranges:
            with table.scan(*self.key.range(where), filter=FirstKeyOnlyFilter()) as rows:
                found += [self.key.decode(row.key).host for row in rows]
        return sorted(host for host in found if host == of or host.endswith(f".{of}"))

    def most_linked(self, table: Counted) -> list[tuple[int, str]]:
        """The ten pages with the most incoming links: a full scan of the anchors."""
        counts = []
        with table.scan(columns=[self.anchor]) as rows:
            for row in rows:
                links = sum(cell.qualifier != b"html" for cell in row.cells)
                counts.append((links, self.key.decode(row.key).host))
        return sorted(counts, reverse=True)[:10]


FORMS = (
    Form("webtable", "webtable", Key(domain("host")), "contents", "anchor"),
    Form("plain hosts", "plain_hosts", Key(text("host")), "contents", "anchor"),
    Form("one family", "one_family", Key(domain("host")), "d", "d"),
)
