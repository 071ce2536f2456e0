"""``/compactions``: pending compactions, and what flushes and compactions wrote."""

from __future__ import annotations

from rowstone.server.dashboard._markup import Markup, joined, markup
from rowstone.server.dashboard._parts import cards, code, link, section, table, tag
from rowstone.server.dashboard._site import Request, Site, address_of
from rowstone.server.dashboard._words import count, size

_SHOWN = 100
_DUE_HEADINGS = ("Table", "Family", "First row", "Files", "Halves", "Size", "To merge")
_TABLE_HEADINGS = ("Table", "Now", "Files", "Flushed", "Compacted", "Write amplification")


def body(site: Site, request: Request) -> Markup:
    admin = site.database.admin
    stores = admin.metrics.stores()
    due = sorted(
        (one for one in stores if one.compaction_debt_bytes), key=lambda one: -(one.compaction_debt_bytes or 0)
    )
    flushed = sum(one.flushed_bytes or 0 for one in stores)
    compacted = sum(one.compacted_bytes or 0 for one in stores)
    debt = sum(one.compaction_debt_bytes or 0 for one in due)
    ratio = f"{(flushed + compacted) / flushed:.1f}" if flushed else "–"
    rows = [
        [_table(one.table), code(one.family), code(one.start_key), count(one.store_files), count(one.reference_files),
         size(one.store_file_bytes), size(one.compaction_debt_bytes)]
        for one in due[:_SHOWN]
    ]  # fmt: skip
    tables = [
        [_table(one.table), _state(admin.regions.compaction_state(one.table)), count(one.store_files),
         size(one.flushed_bytes), size(one.compacted_bytes),
         "–" if one.write_amplification is None else f"{one.write_amplification:.1f}"]
        for one in stores.sums("table")
    ]  # fmt: skip
    return joined(
        [
            markup("<h1>Compactions</h1>"),
            cards(
                [
                    ("To merge", size(debt), f"in {count(len(due))} stores"),
                    ("Flushed", size(flushed), "since the start"),
                    ("Compacted", size(compacted), "since the start"),
                    ("Write amplification", ratio, "bytes written per byte flushed"),
                ]
            ),
            section("Due", table(_DUE_HEADINGS, rows, numbers=range(3, 7), empty="Nothing is to be merged."),
                    note=f"The first {_SHOWN}." if len(due) > _SHOWN else ""),
            section("Tables", table(_TABLE_HEADINGS, tables, numbers=range(2, 6), empty="There are no tables.")),
        ]
    )  # fmt: skip


def _table(name: str) -> Markup:
    return link(address_of("tables", name), name)


def _state(state: str) -> Markup:
    return tag("none") if state == "NONE" else tag(state.lower().replace("_", " "), "warm")
