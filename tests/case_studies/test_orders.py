"""Customers and orders (checklist 226-234)."""

from __future__ import annotations

import json

from examples.case_studies.measure import Report
from examples.case_studies.orders.customers import BOTH, rows_of_both
from examples.case_studies.orders.data import Order, customers
from examples.case_studies.orders.graphs import FORMS, OneObject

from tests.checklist import checklist

CUSTOMER, NAMES = "a customer with all orders", "the names of all customers"
ORDER, SOLD, MOVED = "an order whole", "pieces sold of a product", "another address"


def largest() -> Order:
    """The order that the study reads."""
    orders = (order for one in customers(150) for order in one.orders)
    return max(orders, key=lambda one: len(one.shippings) * 100 + sum(len(part.lines) for part in one.shippings))


@checklist("226", clause="the case study stores customers and their orders")
def test_a_customer_comes_before_the_orders() -> None:
    people = customers(20)
    keys = sorted(row for row, _ in rows_of_both(people))
    kinds = [(BOTH.decode(key).customer, BOTH.decode(key).type) for key in keys]
    assert kinds == [(one.number, kind) for one in people for kind in (1, *(2 for _ in one.orders))]


@checklist("229", clause="one scan gets all of a customer")
@checklist("229", clause="one kind of record is a full scan")
def test_one_table_reads_customers_at_once_and_kinds_badly(orders: Report) -> None:
    one, two = (orders.cost(CUSTOMER, name) for name in ("one table", "two tables"))
    assert (one.calls, two.calls) == (1, 2)
    names = orders.cost(NAMES, "one table")
    assert names.rows == orders.store("one table").rows > 3 * names.wanted
    assert orders.cost(NAMES, "two tables").rows == names.wanted


@checklist("230", clause="an order is a get, a scan, and a scan for each address")
@checklist("231", clause="an order is one scan")
@checklist("233", clause="an order is one get")
def test_only_normalised_orders_need_several_reads(orders: Report) -> None:
    addresses = len(largest().shippings)
    calls = {form.name: orders.cost(ORDER, form.name).calls for form in FORMS}
    assert addresses > 1
    assert calls == {"normalized": 2 + addresses, "record types": 1, "denormalized": 1, "one object": 1}
    assert orders.cost(ORDER, "one object").cells == 1


@checklist("232", clause="a changed address is a write for each item")
def test_only_denormalised_orders_rewrite_every_item(orders: Report) -> None:
    items = len(largest().shippings[0].lines)
    written = {form.name: orders.cost(MOVED, form.name).written for form in FORMS}
    assert items > 1
    assert written == {"normalized": 1, "record types": 1, "denormalized": items, "one object": 1}


def test_record_types_and_single_objects_need_full_scans(orders: Report) -> None:
    assert orders.cost(SOLD, "normalized").rows == orders.cost(SOLD, "denormalized").rows
    assert orders.cost(SOLD, "record types").rows == orders.store("record types").rows
    assert orders.cost(SOLD, "one object").rows == orders.store("one object").rows


@checklist("233", clause="an object carries the version of its form, and older forms are read")
def test_an_object_of_the_older_form_is_read() -> None:
    old = {"form": 1, "number": "A1", "day": "d", "street": "s", "town": "t", "state": "NY", "lines": [{"sku": "x"}]}
    new = OneObject.load(json.dumps(old).encode())
    assert new["form"] == OneObject.form
    assert new["shippings"] == [{"number": 1, "street": "s", "town": "t", "state": "NY", "lines": [{"sku": "x"}]}]
    assert "street" not in new
    assert OneObject.load(json.dumps(new).encode()) == new
