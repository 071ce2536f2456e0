"""An order with its addresses and items, in four forms: read whole, given another address, searched for a product."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Protocol

from examples.case_studies.measure.counted import Counted
from examples.case_studies.orders.data import Line, Order

from rowstone.keys import Key, text, uint8, uint16

Put = tuple[bytes, dict[str, Any]]
_FOLLOWING = ("street", "town", "state")
ADDRESS = {"street": "1 New Road", "town": "Newtown", "state": "NY"}


class Form(Protocol):
    """A layout of orders."""

    name: str
    tables: tuple[str, ...]
    key: str

    def rows(self, table: str, order: Order) -> Iterator[Put]:
        """The rows of an order in one of the tables."""

    def read(self, tables: dict[str, Counted], number: str) -> dict[str, Any]:
        """An order: (street, sorted SKUs) of each address, by its number."""

    def move(self, tables: dict[str, Counted], number: str, shipping: int) -> None:
        """Gives a shipping of an order another address."""

    def sold(self, tables: dict[str, Counted], sku: str) -> int:
        """Total number of pieces sold of a product."""


def line_columns(line: Line) -> dict[str, str]:
    """An item's row."""
    return {"d:s": line.sku, "d:n": str(line.count), "d:c": str(line.cents)}


def _address(values: dict[str, str]) -> dict[str, str]:
    return {f"d:{name}": values[name] for name in _FOLLOWING}


def _count(rows: Any, sku: str) -> int:
    return sum(int(row["d:n"]) for row in rows if row.get("d:s") == sku.encode())


class Normalized:
    """Three tables, as a relational design has them."""

    name = "normalized"
    tables = ("orders", "shippings", "lines")
    key = "[order]; [order][shipping]; [order][shipping][line]"
    order = Key(text("order"))
    shipping = Key(text("order"), uint8("shipping"))
    line = Key(text("order"), uint8("shipping"), uint16("line"))

    def rows(self, table: str, order: Order) -> Iterator[Put]:
        """See `Form`."""
        if table == "orders":
            yield self.order.encode(order.number), {"d:u": str(order.customer), "d:t": order.day}
        for one in order.shippings:
            if table == "shippings":
                yield self.shipping.encode(order.number, one.number), _address(one.address())
            elif table == "lines":
                for line in one.lines:
                    yield self.line.encode(order.number, one.number, line.number), line_columns(line)

    def read(self, tables: dict[str, Counted], number: str) -> dict[str, Any]:
        """A get, a scan of the addresses, a scan of the items of each."""
        found = {"day": tables["orders"].get(self.order.encode(number))["d:t"].decode(), "to": {}}
        with tables["shippings"].scan(*self.shipping.range(order=number)) as rows:
            shippings = [(self.shipping.decode(row.key).shipping, row["d:street"].decode()) for row in rows]
        for place, street in shippings:
            with tables["lines"].scan(*self.line.range(order=number, shipping=place)) as rows:
                found["to"][place] = (street, sorted(row["d:s"].decode() for row in rows))
        return found

    def move(self, tables: dict[str, Counted], number: str, shipping: int) -> None:
        """One row."""
        tables["shippings"].put(self.shipping.encode(number, shipping), _address(ADDRESS))

    def sold(self, tables: dict[str, Counted], sku: str) -> int:
        """A scan of the items only."""
        with tables["lines"].scan() as rows:
            return _count(rows, sku)


class RecordTypes:
    """One table: the order, then its addresses, then its items."""

    name = "record types"
    tables = ("records",)
    key = "[order][type][shipping][line]"
    record = Key(text("order"), uint8("type"), uint8("shipping"), uint16("line"))

    def rows(self, table: str, order: Order) -> Iterator[Put]:
        """See `Form`."""
        yield self.record.encode(order.number, 1, 0, 0), {"d:u": str(order.customer), "d:t": order.day}
        for one in order.shippings:
            yield self.record.encode(order.number, 2, one.number, 0), _address(one.address())
            for line in one.lines:
                yield self.record.encode(order.number, 3, one.number, line.number), line_columns(line)

    def read(self, tables: dict[str, Counted], number: str) -> dict[str, Any]:
        """One scan."""
        found: dict[str, Any] = {"to": {}}
        with tables["records"].scan(*self.record.range(order=number)) as rows:
            for row in rows:
                values = self.record.decode(row.key)
                if values.type == 1:
                    found["day"] = row["d:t"].decode()
                elif values.type == 2:
                    found["to"][values.shipping] = (row["d:street"].decode(), [])
                else:
                    found["to"][values.shipping][1].append(row["d:s"].decode())
        found["to"] = {place: (street, sorted(skus)) for place, (street, skus) in found["to"].items()}
        return found

    def move(self, tables: dict[str, Counted], number: str, shipping: int) -> None:
        """One row."""
        tables["records"].put(self.record.encode(number, 2, shipping, 0), _address(ADDRESS))

    def sold(self, tables: dict[str, Counted], sku: str) -> int:
        """A full scan: items are between the other records."""
        with tables["records"].scan() as rows:
            return _count(rows, sku)


class Denormalized:
    """One table of items; each has its order's day and address."""

    name = "denormalized"
    tables = ("flat",)
    key = "[order][line]"
    line = Key(text("order"), uint16("line"))

    def rows(self, table: str, order: Order) -> Iterator[Put]:
        """See `Form`."""
        for one in order.shippings:
            for line in one.lines:
                yield (
                    self.line.encode(order.number, line.number),
                    {
                        **line_columns(line),
                        "d:u": str(order.customer),
                        "d:t": order.day,
                        "d:p": str(one.number),
                        **_address(one.address()),
                    },
                )

    def read(self, tables: dict[str, Counted], number: str) -> dict[str, Any]:
        """One scan; each item has the fields of its order."""
        found: dict[str, Any] = {"to": {}}
        with tables["flat"].scan(*self.line.range(order=number)) as rows:
            for row in rows:
                found["day"] = row["d:t"].decode()
                place = int(row["d:p"])
                _, skus = found["to"].setdefault(place, (row["d:street"].decode(), []))
                skus.append(row["d:s"].decode())
        found["to"] = {place: (street, sorted(skus)) for place, (street, skus) in found["to"].items()}
        return found

    def move(self, tables: dict[str, Counted], number: str, shipping: int) -> None:
        """Writes a row for each item with that address, not atomically: readers may see both addresses."""
        with tables["flat"].scan(*self.line.range(order=number), columns=["d:p"]) as rows:
            going = [row.key for row in rows if int(row["d:p"]) == shipping]
        for key in going:
            tables["flat"].put(key, _address(ADDRESS))

    def sold(self, tables: dict[str, Counted], sku: str) -> int:
        """All items."""
        with tables["flat"].scan(columns=["d:s", "d:n"]) as rows:
            return _count(rows, sku)


class OneObject:
    """A column with the whole order as JSON, with a format version."""

    name = "one object"
    tables = ("objects",)
    key = "[order]"
    order = Key(text("order"))
    form = 2

    def rows(self, table: str, order: Order) -> Iterator[Put]:
        """See `Form`."""
        text = json.dumps({"form": self.form, **order.graph()}, separators=(",", ":"))
        yield self.order.encode(order.number), {"d:o": text}

    @classmethod
    def load(cls, data: bytes) -> dict[str, Any]:
        """Decodes an order of any format version. In version 1 an order had one address, next to its items."""
        graph: dict[str, Any] = json.loads(data)
        if graph["form"] == 1:
            address = {name: graph.pop(name) for name in _FOLLOWING}
            graph = {**graph, "form": cls.form, "shippings": [{"number": 1, **address, "lines": graph.pop("lines")}]}
        return graph

    def read(self, tables: dict[str, Counted], number: str) -> dict[str, Any]:
        """One get, all of the object."""
        graph = self.load(tables["objects"].get(self.order.encode(number))["d:o"])
        to = {
            one["number"]: (one["street"], sorted(line["sku"] for line in one["lines"])) for one in graph["shippings"]
        }
        return {"to": to, "day": graph["day"]}

    def move(self, tables: dict[str, Counted], number: str, shipping: int) -> None:
        """Reads and rewrites the whole object. Without a check, a concurrent change is overwritten."""
        key = self.order.encode(number)
        graph = self.load(tables["objects"].get(key)["d:o"])
        for one in graph["shippings"]:
            if one["number"] == shipping:
                one.update(ADDRESS)
        tables["objects"].put(key, {"d:o": json.dumps(graph, separators=(",", ":"))})

    def sold(self, tables: dict[str, Counted], sku: str) -> int:
        """Parses all objects completely: filters and other tools cannot read their contents."""
        with tables["objects"].scan() as rows:
            graphs = (self.load(row["d:o"]) for row in rows)
            lines = (line for graph in graphs for one in graph["shippings"] for line in one["lines"])
            return sum(line["count"] for line in lines if line["sku"] == sku)


FORMS: tuple[Form, ...] = (Normalized(), RecordTypes(), Denormalized(), OneObject())
