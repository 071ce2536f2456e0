"""Analysis of a database or a schema: collects facts per table, and runs each rule on each."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from rowstone._base.options.checks import as_list
from rowstone._base.printable import from_printable
from rowstone._base.schema import as_bytes
from rowstone._core.database import Database
from rowstone.admin._memory import limits_for_writing
from rowstone.errors import TableNotFound, UnsupportedOperation
from rowstone.indexes._definition import INDEX_OF
from rowstone.schema._lint import lint
from rowstone.schema._model import Schema, canonical, dump
from rowstone.schema.advise._access import Access
from rowstone.schema.advise._registry import rules
from rowstone.schema.advise._report import Advice, Report
from rowstone.schema.advise._rule import LEVELS, Found, Rule
from rowstone.schema.advise._sample import Sample, take_sample
from rowstone.schema.advise._settings import Settings, settings_of
from rowstone.schema.advise._table import TableFacts

ROWS_PER_REGION = 200
MOST_ROWS = 20_000


def advise(
    target: Database | Schema,
    tables: Iterable[str] | None = None,
    *,
    settings: Settings | Mapping[str, Any] | None = None,
    access: Mapping[str, Access] | None = None,
    keys: Iterable[str | bytes] | None = None,
    rows_per_region: int = ROWS_PER_REGION,
    now_ms: int | None = None,
    progress: Callable[[str], None] | None = None,
    spend: Callable[[int], object] | None = None,
) -> Report:
    """Find improvements for the tables of a database, or for a schema that is not yet in use.

    Nothing is written. At most ``rows_per_region`` rows of each region are read, 20,000 per table, and of each
    row only as much as the largest thresholds need.

    Args:
        target: A database (a directory or a cluster), or a schema.
        tables: Only these. By default all but the tables of index entries, whose schema Rowstone chooses.
        settings: Changes to the rules, as `settings_of` accepts them.
        access: Access statistics, by table; see `load_access`.
        keys: Expected row keys: a sample for tables that have no data yet.
        rows_per_region: 0 reads no data at all.
        now_ms: The current time; by default the clock's.
        progress: Called with the name of each table before it is read.
        spend: Called with each number of bytes that was read; it may raise to end the analysis.

    Raises:
        TableNotFound: One of ``tables`` does not exist. InvalidArgument: The settings are invalid.
    """
    chosen = settings if isinstance(settings, Settings) else settings_of(settings or {})
    declared = dump(target, splits=True) if isinstance(target, Database) else target
    entries = {name for name, table in declared.tables.items() if INDEX_OF in table.attributes}
    left_out = tuple(sorted(entries)) if tables is None else ()
    wanted = (
        [name for name in declared.tables if name not in entries]
        if tables is None
        else list(map(canonical, as_list("tables", tables)))
    )
    for name in wanted:
        if name not in declared.tables:
            raise TableNotFound(f"there is no table '{name}'; there are: {', '.join(declared.tables)}")
    now = round(time.time() * 1000) if now_ms is None else now_ms
    planned = [as_bytes(key) for key in as_list("keys", keys)]
    findings: list[Advice] = list(_of_schema(declared, wanted))
    asked: set[str] = set()
    for name in wanted:
        if progress is not None:
            progress(name)
        facts = _declared(declared, name, planned, now)
        if isinstance(target, Database):
            facts = _stored(target, facts, rows_per_region, spend)
        used = {canonical(table): one for table, one in (access or {}).items()}.get(name)
        plans = chosen.plans.get(name, facts.plans)
        findings += _run_rules(replace(facts, access=used, plans=plans), chosen, asked)
    findings.sort(key=lambda one: (-LEVELS.index(one.level), one.code, one.table, one.place))
    silent = {rule.code: _needs(rule) for rule in rules() if rule.code not in asked | chosen.off}
    return Report(tuple(findings), tuple(wanted), silent, left_out)


def _needs(rule: Rule) -> str:
    return (" or " if rule.any_of_needs else ", ").join(rule.needs) or "a table"


def _of_schema(declared: Schema, wanted: list[str]) -> Iterable[Advice]:
    """The findings of `schema.lint` for the selected tables, as advice."""
    chosen = replace(declared, tables={name: declared.tables[name] for name in wanted}, namespaces={})
    for found in lint(chosen):
        if found.message.startswith("namespace '"):
            continue
        table, _, place = found.target.removeprefix("table ").partition(", ")
        reason = "HBase refuses it" if found.severity == "error" else "HBase keeps it, and it has no effect"
        yield Advice(
            found.severity, "schema", "schema-lint", table, place, found.message, reason, "correct it", "HBase's checks"
        )


def _declared(declared: Schema, name: str, keys: list[bytes], now_ms: int) -> TableFacts:
    table = declared.tables[name]
    splits = tuple(sorted(table.splits))
    sample = Sample.of_keys(keys, splits) if keys else None
    return TableFacts(
        name,
        table.families,
        table.attributes,
        table.configuration,
        splits,
        sample=sample,
        others=tuple(other for other in declared.tables if other != name),
        now_ms=now_ms,
    )


def _stored(db: Database, facts: TableFacts, rows_per_region: int, spend: Callable[[int], object] | None) -> TableFacts:
    """The facts of a stored table, with a sample of the data and the file sizes."""
    sample = facts.sample
    if rows_per_region > 0 and db.admin.tables.is_enabled(facts.name):
        taken = take_sample(db.table(facts.name), facts.splits, rows_per_region, MOST_ROWS, spend)
        sample = taken if taken.rows else sample
    sizes: Counter[bytes] = Counter()
    counts: Counter[bytes] = Counter()
    cache_bytes = 0
    try:
        for file in db.admin.tables.store_files(facts.name):
            sizes[file.family] += file.size_bytes
            counts[file.family] += 1
        cache_bytes = limits_for_writing(db).cache_bytes
    except UnsupportedOperation:
        pass  # A cluster does not tell.
    return replace(facts, sample=sample, file_bytes=sizes, file_counts=counts, cache_bytes=cache_bytes)


def _run_rules(facts: TableFacts, settings: Settings, asked: set[str]) -> Iterable[Advice]:
    for rule in rules():
        if rule.code not in settings.off and rule.can_look_at(facts):
            asked.add(rule.code)
            for found in rule.check(facts, settings.thresholds_of(rule)):
                yield _advice(rule, facts.name, found, settings)


def _advice(rule: Rule, table: str, found: Found, settings: Settings) -> Advice:
    level = settings.levels.get(rule.code, found.level)
    remedy = found.remedy or rule.remedy
    return Advice(level, rule.code, rule.name, table, found.place, found.message, rule.reason, remedy, rule.source)


def read_keys(path: str) -> list[bytes]:
    r"""Read row keys from a file, one per line, with ``\xHH`` for a byte. Raises `OSError`."""
    from pathlib import Path

    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [from_printable(line) for line in lines if line]
