"""Customers and orders: in two tables or one; an order normalized, as record types, flat, or as one object."""
