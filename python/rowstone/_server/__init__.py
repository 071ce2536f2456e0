"""Servers and their gateways: listening, HTTP, TLS, limits."""
