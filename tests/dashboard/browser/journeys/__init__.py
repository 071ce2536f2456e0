"""Journeys through the explorer in a real browser, on each kind of target."""
