"""Limits on the freed memory that glibc's malloc retains; set once, before this process opens its first database.

By default glibc raises two limits permanently, up to 32 and 64 MB, each time it frees a block larger than all before.
One is the size from which blocks are mapped individually, and so returned when they are freed. The other is how much
may stay unused at the end of each thread's heap. A database that runs for days meets ever larger blocks, and its
resident memory grows although its data does not. Fixed limits prevent that; ``docs/explanation/performance-memory.md``
has the measurements.

The limits apply to the whole process, so they are generous: 4 MB, where glibc begins with 128 KB. ``rowstone serve``
has its process for itself and many threads. It uses lower limits, and one heap per processor instead of eight. If one
of the limits is set in the environment (``MALLOC_MMAP_THRESHOLD_``, ``MALLOC_TRIM_THRESHOLD_``, ``GLIBC_TUNABLES``),
nothing is changed. Other C libraries return freed memory by themselves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENAS = -1, -3, -8
"""Of ``malloc.h``."""
_EMBEDDED = {_TRIM_THRESHOLD: 4 << 20, _MMAP_THRESHOLD: 4 << 20}
_SERVER = {_TRIM_THRESHOLD: 1 << 20, _MMAP_THRESHOLD: 128 << 10}
_chosen: list[bool] = []
"""Whether limits were fixed, once that is decided."""
_VARIABLES = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")
_TUNABLES = ("glibc.malloc.trim_threshold", "glibc.malloc.mmap_threshold")


def is_settled(environment: Mapping[str, str]) -> bool:
    """Whether the environment sets the limits."""
    tunables = environment.get("GLIBC_TUNABLES", "")
    return any(name in environment for name in _VARIABLES) or any(name in tunables for name in _TUNABLES)


def is_glibc() -> bool:
    """Whether the C library is glibc."""
    try:
        return (os.confstr("CS_GNU_LIBC_VERSION") or "").startswith("glibc")
    except (AttributeError, OSError, ValueError):
        return False


def fix_limits() -> bool:
    """Fix the limits unless the environment sets them; return whether it did. The first decision is kept."""
    return _fixed(_EMBEDDED)


def fix_limits_for_server() -> bool:
    """The same for a process that does nothing but serve."""
    return _fixed({**_SERVER, _ARENAS: os.cpu_count() or 1})


def _fixed(limits: dict[int, int]) -> bool:
    if not _chosen:
        _chosen.append(is_glibc() and not is_settled(os.environ) and _fix(limits))
    return _chosen[0]


def _fix(limits: dict[int, int]) -> bool:
    # Imported here: a client of a cluster needs none of this.
    import ctypes

    libc = ctypes.CDLL(None)
    fixed = [libc.mallopt(limit, number) for limit, number in limits.items()]
    return fixed == [1] * len(limits)
