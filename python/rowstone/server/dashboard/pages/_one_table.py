"""One table: its families, and its regions in pages, so that a table with many regions loads as fast as a small one."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from rowstone._base.printable import counted, from_printable
from rowstone.errors import InvalidName, TableNotFound
from rowstone.server.dashboard._markup import Markup, escaped, joined, markup
from rowstone.server.dashboard._parts import cards, code, link, section, table
from rowstone.server.dashboard._site import Request, Site, address_of, no_table
from rowstone.server.dashboard._words import count, size
from rowstone.server.dashboard.data._cells import row_form
from rowstone.server.dashboard.data.sql.examples import largest_rows
from rowstone.server.dashboard.pages._key_axis import key_axis

if TYPE_CHECKING:
    from rowstone._base.schema import TableSchema
    from rowstone._base.stores import StoreStats

_PER_PAGE = 100
_ORDERS = {"key": "first row", "size": "size", "memory": "memory", "reads": "rows read", "writes": "rows written"}
_FAMILY_HEADINGS = (
    "Family",
    "Versions",
    "Time to live",
    "Bloom filter",
    "Compression",
    "Encoding",
    "Files",
    "Size",
    "In memory",
)
_COUNTED = "since the regions were opened"
_REGION_HEADINGS = ("First row", "Region", "Files", "Size", "In memory", "Rows read", "Rows written", "To compact")


def body(site: Site, request: Request) -> Markup:
    name = request.rest
    admin = site.database.admin
    try:
        schema, stores = admin.describe(name), admin.metrics.stores(name)
    except (InvalidName, TableNotFound):
        raise no_table(request.database, name) from None
    regions, [whole] = stores.sums("region"), stores.sums("table") or [None]
    families = {one.family: one for one in stores.sums("family")}
    state = "enabled" if admin.tables.is_enabled(name) else "disabled"
    return joined(
        [
            markup("<h1>{}</h1>", name),
            markup('<p class="lead">{}</p>', _lead(site, request, state)),
            row_form(name) if site.has_data else Markup(""),
            _cards(whole, len(regions)) if whole is not None else Markup(""),
            section("Families", _families(schema, families)),
            section(counted(len(regions), "region"), _regions(name, list(regions), request)),
            key_axis(list(regions)),
            _settings(schema),
        ]
    )


def _lead(site: Site, request: Request, state: str) -> Markup:
    def to(page: str) -> str:
        return address_of(page, request.rest)

    pages = [
        (to("rows"), "rows", site.has_data),
        (to("sql"), "SQL", site.has_sql),
        (largest_rows(site, request), "largest rows", site.has_sql),
        (to("heat"), "heat map", "heat" in site.titles),
        (to("advice"), "schema advice", site.has_data),
    ]
    links = (markup(" · {}", link(address, text)) for address, text, is_there in pages if is_there)
    return joined([escaped(state), *links])


def _cards(whole: StoreStats, regions: int) -> Markup:
    amplification = whole.write_amplification
    return cards(
        [
            ("Regions", count(regions), counted(whole.store_files, "file")),
            ("Files", size(whole.store_file_bytes), f"{size(whole.uncompressed_bytes)} before compression"),
            ("In memory", size(whole.memstore_bytes), f"{count(whole.memstore_cells)} cells"),
            ("Rows read", count(whole.region_reads), _COUNTED),
            ("Rows written", count(whole.region_writes), _COUNTED),
            (
                "Write amplification",
                "–" if amplification is None else f"{amplification:.1f}",
                "bytes written per byte flushed",
            ),
        ]
    )


def _families(schema: TableSchema, sums: dict[bytes | None, StoreStats]) -> Markup:
    from rowstone._base.schema import ttl_text, whole_seconds

    rows = []
    for name, family in schema.families.items():
        own = sums.get(name)
        ttl = ttl_text(whole_seconds(family.ttl_seconds))
        numbers = (
            ("", "", "")
            if own is None
            else (count(own.store_files), size(own.store_file_bytes), size(own.memstore_bytes))
        )
        kinds = (family.bloom_filter, family.compression, family.data_block_encoding)
        rows.append([code(name), family.max_versions or 1, ttl, *kinds, *numbers])
    return table(_FAMILY_HEADINGS, rows, numbers=(1, 6, 7, 8))


def _regions(name: str, regions: list[StoreStats], request: Request) -> Markup:
    order = request.query.get("order", "key")
    order = order if order in _ORDERS else "key"
    wanted = request.query.get("from", "")
    if wanted:
        first = bisect_right([one.start_key or b"" for one in regions], from_printable(wanted)) - 1
        regions = regions[max(first, 0) :]
    if order != "key":
        regions = sorted(regions, key=lambda one: -_by(one, order))
    last = max((len(regions) - 1) // _PER_PAGE + 1, 1)
    number = min(request.number("page", 1), last)
    shown = regions[(number - 1) * _PER_PAGE : number * _PER_PAGE]
    rows = [_line(one) for one in shown]
    drawn = table(_REGION_HEADINGS, rows, numbers=range(2, 8), empty="No regions.")
    listed = markup('<div class="data">{}</div>', drawn)
    return joined([_filter(name, order, wanted), listed, _pager(name, number, last, {"order": order, "from": wanted})])


def _by(one: StoreStats, order: str) -> int:
    found = {
        "size": one.store_file_bytes,
        "memory": one.memstore_bytes,
        "reads": one.region_reads,
        "writes": one.region_writes,
    }[order]
    return found or 0


def _line(one: StoreStats) -> list[object]:
    first = code(one.start_key) if one.start_key else escaped("(the table's beginning)")
    sizes = (size(one.store_file_bytes), size(one.memstore_bytes))
    requests = (count(one.region_reads), count(one.region_writes))
    return [first, code(one.region), count(one.store_files), *sizes, *requests, size(one.compaction_debt_bytes)]


def _filter(name: str, order: str, wanted: str) -> Markup:
    options = joined(
        markup('<option value="{}"{}>by {}</option>', key, Markup(" selected" if key == order else ""), words)
        for key, words in _ORDERS.items()
    )
    return markup(
        '<form class="filter" action="{}"><input type="search" name="from" value="{}" '
        'placeholder="region of this row" aria-label="From the region of this row on">'
        '<select name="order" aria-label="Order">{}</select><button>Show</button></form>',
        address_of("tables", name),
        wanted,
        options,
    )


def _pager(name: str, number: int, last: int, query: dict[str, str]) -> Markup:
    if last == 1:
        return Markup("")

    def to(page: int, text: str) -> Markup:
        return markup('<a class="button" href="{}">{}</a>', address_of("tables", name, **query, page=page), text)

    parts = [to(number - 1, "← Back")] if number > 1 else []
    parts.append(markup("<span>page {} of {}</span>", number, last))
    parts += [to(number + 1, "Next →")] if number < last else []
    return markup('<div class="pages">{}</div>', joined(parts))


def _settings(schema: TableSchema) -> Markup:
    pairs = [*schema.attributes.items(), *schema.configuration.items()]
    lines = [(code(key), code(value)) for key, value in pairs]
    return section("Other settings", table(("Name", "Value"), lines, empty="The table has no other settings."))
