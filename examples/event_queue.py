"""The newest events first, and old ones gone by themselves: a key that ends in a reversed time, and a time to live."""

import time

import rowstone as rs

LONGEST = 2**63 - 1


def event_key(device: str, moment_ms: int) -> bytes:
    """Sorts by device, then newest first."""
    return device.encode() + b"\0" + (LONGEST - moment_ms).to_bytes(8, "big")


with rs.connect("./events") as db:
    db.create_table("events", {"e": rs.Family(ttl_seconds=7 * 24 * 3600)})
    events = db.table("events")
    now_ms = time.time_ns() // 1_000_000

    with events.batch() as batch:
        for number in range(1_000):
            for device in ("boiler", "pump"):
                batch.put(event_key(device, now_ms - number * 60_000), {"e:reading": f"{number % 97}"})

    print("the latest of the pump:")
    for row in events.scan(prefix="pump\0", limit=3):
        moment_ms = LONGEST - int.from_bytes(row.key[-8:], "big")
        print(f"  {(now_ms - moment_ms) // 60_000} minutes ago: {row['e:reading'].decode()}")

    # Written with a timestamp of eight days ago, it is past its time at once.
    events.put("pump\0old", {"e:reading": "0"}, timestamp=now_ms - 8 * 24 * 3_600_000)
    print("old event there:", "pump\0old" in events)
