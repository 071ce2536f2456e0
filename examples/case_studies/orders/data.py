"""Customers with orders, generated from a seed, because no real data may be published."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import Any

_STREETS = ("Market Street", "Mill Lane", "High Street", "Station Road", "Harbour View")
_TOWNS = (("Springfield", "IL"), ("Portland", "OR"), ("Salem", "MA"), ("Austin", "TX"), ("Boise", "ID"))


@dataclass(frozen=True)
class Line:
    """An item of an order."""

    number: int
    sku: str
    count: int
    cents: int


@dataclass(frozen=True)
class Shipping:
    """An address of an order, and the items shipped there."""

    number: int
    street: str
    town: str
    state: str
    lines: tuple[Line, ...]

    def address(self) -> dict[str, str]:
        """The address of the shipping."""
        return {"street": self.street, "town": self.town, "state": self.state}


@dataclass(frozen=True)
class Order:
    """An order of a customer."""

    customer: int
    number: str
    day: str
    shippings: tuple[Shipping, ...]

    def graph(self) -> dict[str, Any]:
        """The whole order as plain objects, for JSON."""
        shippings = [{**asdict(one), "lines": [asdict(line) for line in one.lines]} for one in self.shippings]
        return {"customer": self.customer, "number": self.number, "day": self.day, "shippings": shippings}


@dataclass(frozen=True)
class Customer:
    """A customer with all orders."""

    number: int
    name: str
    address: str
    phones: tuple[str, ...]
    orders: tuple[Order, ...]


def customers(count: int, seed: int = 226) -> list[Customer]:
    """``count`` customers: most have few orders, some have many."""
    draw = random.Random(seed)
    return [_customer(draw, number) for number in range(1, count + 1)]


def _customer(draw: random.Random, number: int) -> Customer:
    orders = tuple(_order(draw, number, place) for place in range(min(int(draw.expovariate(0.2)), 60)))
    phones = tuple(f"+1-555-{draw.randrange(10_000):04}" for _ in range(draw.randint(1, 3)))
    return Customer(number, f"Customer {number}", f"{draw.randrange(1, 200)} {draw.choice(_STREETS)}", phones, orders)


def _order(draw: random.Random, customer: int, place: int) -> Order:
    shippings, line = [], 0
    for number in range(1, draw.choice((1, 1, 1, 2, 3)) + 1):
        lines = []
        for _ in range(draw.randint(1, 5)):
            line += 1
            lines.append(Line(line, f"SKU-{draw.randrange(500):03}", draw.randint(1, 9), draw.randrange(100, 90_000)))
        town, state = draw.choice(_TOWNS)
        street = f"{draw.randrange(1, 200)} {draw.choice(_STREETS)}"
        shippings.append(Shipping(number, street, town, state, tuple(lines)))
    day = f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    return Order(customer, f"A{customer:06}-{place:03}", day, tuple(shippings))
