"""A customer and the orders: two tables, or one table with record types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from examples.case_studies.measure.counted import Counted
from examples.case_studies.orders.data import Customer, Order

from rowstone.keys import Key, KeyRange, java_int64, md5, text, uint8

CUSTOMER, ORDER = 1, 2
"""Record types."""

CUSTOMERS = Key(java_int64("customer"))
ORDERS = Key(java_int64("customer"), md5("order"))
"""8 and 16 bytes; ``md5('customer'), md5('order')`` would be 32, and would spread customers with ascending numbers."""
BOTH = Key(java_int64("customer"), uint8("type"), text("order"))

Put = tuple[bytes, dict[str, Any]]


def customer_columns(one: Customer) -> dict[str, Any]:
    """A customer's row; a column for each phone."""
    phones = {f"d:p{place}": phone for place, phone in enumerate(one.phones)}
    return {"d:n": one.name, "d:a": one.address, **phones}


def order_columns(one: Order) -> dict[str, Any]:
    """The head of an order."""
    return {"d:o": one.number, "d:t": one.day}


def customer_rows(customers: Iterable[Customer]) -> Iterator[Put]:
    """For a table of customers."""
    return ((CUSTOMERS.encode(one.number), customer_columns(one)) for one in customers)


def order_rows(customers: Iterable[Customer]) -> Iterator[Put]:
    """For a table of orders."""
    for one in customers:
        for order in one.orders:
            yield ORDERS.encode(one.number, order.number), order_columns(order)


def rows_of_both(customers: Iterable[Customer]) -> Iterator[Put]:
    """For one table: a customer, then the orders."""
    for one in customers:
        yield BOTH.encode(one.number, CUSTOMER, ""), customer_columns(one)
        for order in one.orders:
            yield BOTH.encode(one.number, ORDER, order.number), order_columns(order)


Found = dict[str, Any]


class TwoTables:
    """A table of customers, one of orders."""

    def __init__(self, customers: Counted, orders: Counted) -> None:
        self.customers = customers
        self.orders = orders

    def customer(self, number: int) -> Found:
        """A customer with all orders: a get and a scan."""
        row = self.customers.get(CUSTOMERS.encode(number))
        with self.orders.scan(*ORDERS.range(customer=number)) as rows:
            return {"name": row["d:n"], "orders": sorted(order["d:o"] for order in rows)}

    def names(self) -> list[bytes]:
        """The names of all customers: a scan of their table."""
        with self.customers.scan(columns=["d:n"]) as rows:
            return [row["d:n"] for row in rows]


class OneTable:
    """Customers and orders in one table."""

    def __init__(self, both: Counted) -> None:
        self.both = both

    def customer(self, number: int) -> Found:
        """A customer with all orders: one scan, the customer comes first."""
        with self.both.scan(*BOTH.range(customer=number)) as rows:
            first = next(rows)
            return {"name": first["d:n"], "orders": [order["d:o"] for order in rows]}

    def names(self) -> list[bytes]:
        """The names of all customers: a scan of everything, because their rows are between those of orders."""
        with self.both.scan() as rows:
            return [row["d:n"] for row in rows if BOTH.decode(row.key).type == CUSTOMER]


def of_a_customer(number: int) -> KeyRange:
    """The rows of a customer in the one table."""
    return BOTH.range(customer=number)
