"""Corrections as versions: what was known when. Deletes keep what they hide, so that the past stays readable."""

from datetime import UTC, datetime

import rowstone as rs

MONDAY, TUESDAY, WEDNESDAY, THURSDAY = (datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2, 3, 4))

with rs.connect("./audit") as db:
    db.create_table("prices", {"p": rs.Family(max_versions=1000, keep_deleted_cells="TRUE")})
    prices = db.table("prices")

    prices.put("book-17", {"p:euro": "20.00"}, timestamp=MONDAY)
    prices.put("book-17", {"p:euro": "18.50"}, timestamp=TUESDAY)
    prices.delete("book-17", "p:euro", timestamp=WEDNESDAY)
    prices.put("book-17", {"p:euro": "19.00"}, timestamp=THURSDAY)

    for moment in (MONDAY, TUESDAY, WEDNESDAY, THURSDAY):
        known = prices.as_of(moment).get("book-17").get("p:euro", b"not for sale")
        print(f"{moment:%A}: {known.decode()}")

    # The price changes only if it is still the one that was read.
    seen = prices["book-17"]["p:euro"]
    raised = prices.check_and_mutate("book-17", "p:euro", "EQUAL", seen, rs.Put("book-17", {"p:euro": "19.90"}))
    print("raised:", raised.success)
