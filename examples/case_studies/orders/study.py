"""Loads customers and orders in all layouts and runs the same queries on each."""

from __future__ import annotations

from examples.case_studies.measure import REPEATS, Bench, Report
from examples.case_studies.orders.customers import (
    BOTH,
    CUSTOMERS,
    ORDERS,
    OneTable,
    TwoTables,
    customer_rows,
    order_rows,
    rows_of_both,
)
from examples.case_studies.orders.data import Customer, Order, customers
from examples.case_studies.orders.graphs import FORMS, Form

import rowstone as rs

SMALL, FULL = 150, 3_000

CHOICES = [
    ("customers and orders are nearly always read together", "one table with record types: one scan"),
    ("one kind of record is often read on its own", "a table for each kind; record types make that a full scan"),
    (
        "an order is read and written as a whole",
        "one object: one get, one put; give the format a version, and use a codec that other languages can read",
    ),
    ("parts of an order change independently", "record types: one scan to read, one row to change"),
    (
        "items are analyzed without their orders, and addresses rarely change",
        "denormalized: everything about an item is in one row; a changed address is a write for each item",
    ),
    ("you come from a relational design", "avoid the three tables: each level is another round of reads"),
]

ACCEPTED = {
    "L06": ("short values in separate columns; one object has them in one cell, and the study shows the cost of that"),
    "L38": "an encoding would hide the size of the keys; a production table sets DATA_BLOCK_ENCODING",
    "L07": ("loaded in order of customers; with many clients that create customers, growing numbers would be hashed"),
    "L14": "customers and orders share the family of the one table; both are small",
}


def run(db: rs.Database, *, small: bool) -> Report:
    """The study."""
    people = customers(SMALL if small else FULL)
    orders = [order for one in people for order in one.orders]
    items = sum(len(one.lines) for order in orders for one in order.shippings)
    report = Report(
        "orders",
        "Customers and orders",
        (
            f"{len(people):,} customers, {len(orders):,} orders, {items:,} items, generated from a seed (there "
            "is no real data that may be published)."
        ),
    )
    bench = Bench(db, report, repeats=1 if small else REPEATS)
    _customers(bench, people)
    _graphs(bench, orders)
    bench.advise(ACCEPTED)
    report.choices += CHOICES
    return report


def _fill(bench: Bench, table: str, rows: object) -> None:
    with bench.db.table(table).batch() as writer:
        for row, data in rows:  # type: ignore[attr-defined]
            writer.put(row, data)


def _customers(bench: Bench, people: list[Customer]) -> None:
    for name in ("customers", "customer_orders", "customers_and_orders"):
        bench.db.create_table(name, {"d": rs.Family()})

    def two() -> None:
        _fill(bench, "customers", customer_rows(people))
        _fill(bench, "customer_orders", order_rows(people))

    keys = f"{CUSTOMERS!r}"[4:-1] + "; " + f"{ORDERS!r}"[4:-1]
    bench.load("two tables", keys, None, tables=["customers", "customer_orders"], work=two)
    bench.load(
        "one table",
        BOTH,
        None,
        tables=["customers_and_orders"],
        work=lambda: _fill(bench, "customers_and_orders", rows_of_both(people)),
    )
    forms = {
        "two tables": TwoTables(bench.table("customers"), bench.table("customer_orders")),
        "one table": OneTable(bench.table("customers_and_orders")),
    }
    busy = max(people, key=lambda one: len(one.orders))
    for name, form in forms.items():
        bench.query("a customer with all orders", name, lambda form=form: form.customer(busy.number))
    for name, form in forms.items():
        bench.query("the names of all customers", name, lambda form=form: form.names())


def _graphs(bench: Bench, orders: list[Order]) -> None:
    for form in FORMS:
        _load(bench, form, orders)
    large = max(orders, key=lambda one: len(one.shippings) * 100 + sum(len(part.lines) for part in one.shippings))
    tables = {form.name: {name: bench.table(name) for name in form.tables} for form in FORMS}
    for form in FORMS:
        bench.query("an order whole", form.name, lambda form=form: form.read(tables[form.name], large.number))
    for form in FORMS:
        bench.query("pieces sold of a product", form.name, lambda form=form: form.sold(tables[form.name], "SKU-007"))
    for form in FORMS:
        bench.change("another address", form.name, lambda form=form: form.move(tables[form.name], large.number, 1))
    for form in FORMS:
        bench.query("the order after that", form.name, lambda form=form: form.read(tables[form.name], large.number))


def _load(bench: Bench, form: Form, orders: list[Order]) -> None:
    for table in form.tables:
        bench.db.create_table(table, {"d": rs.Family()})

    def work() -> None:
        for table in form.tables:
            _fill(bench, table, (put for order in orders for put in form.rows(table, order)))

    bench.load(form.name, form.key, None, tables=form.tables, work=work)
