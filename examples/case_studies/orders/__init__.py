"""Customers and orders: in two tables or one; an order normalised, as record types, flat, or as one object."""
