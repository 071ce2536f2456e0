"""Freed memory returns to the operating system: glibc does not raise its thresholds once a database was open."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from rowstone._base import heap as _heap

FREES = """
import ctypes, sys
import rowstone as rs

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in "arena ordblks smblks hblks hblkhd a b c d e".split()]

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.mallinfo.restype, libc.free.argtypes = ctypes.c_void_p, Info, [ctypes.c_void_p]
rs.connect(sys.argv[1]).close()
libc.free(libc.malloc(24 << 20))
before = libc.mallinfo().hblks
libc.malloc(20 << 20)
print(libc.mallinfo().hblks - before)
"""
"""Prints the number of mappings for an allocation of 20 MB after 24 MB were freed: 0 if glibc raises its thresholds."""


def test_large_pieces_are_given_back_however_large_others_were_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """This C library returns it if its thresholds are fixed. Others return it by themselves, and nothing is set."""
    if not _heap.is_glibc():
        monkeypatch.setattr(_heap, "_chosen", [])
        assert not _heap.fix_limits()
        return
    environment = {name: value for name, value in os.environ.items() if not _heap.is_settled({name: value})}
    command = [sys.executable, "-c", FREES, ":memory:"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "1"


@pytest.mark.parametrize(
    "chosen",
    [
        {"MALLOC_MMAP_THRESHOLD_": "1"},
        {"MALLOC_TRIM_THRESHOLD_": "1"},
        {"GLIBC_TUNABLES": "glibc.malloc.check=1:glibc.malloc.trim_threshold=128"},
    ],
)
def test_limits_set_by_the_user_stay(chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    assert _heap.is_settled(os.environ)
    monkeypatch.setattr(_heap, "_chosen", [])
    assert not _heap.fix_limits()
    assert not _heap.fix_limits_for_server()


def test_the_first_choice_of_a_process_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed: list[dict[int, int]] = []
    monkeypatch.setattr(_heap, "_chosen", [])
    monkeypatch.setattr(_heap, "is_glibc", lambda: True)
    monkeypatch.setattr(_heap, "is_settled", lambda environment: False)

    def fix(limits: dict[int, int]) -> bool:
        fixed.append(limits)
        return True

    monkeypatch.setattr(_heap, "_fix", fix)
    assert _heap.fix_limits_for_server()
    assert _heap.fix_limits()
    assert len(fixed) == 1
    assert fixed[0][_heap._ARENAS] >= 1


def test_other_choices_do_not_count() -> None:
    assert not _heap.is_settled({"GLIBC_TUNABLES": "glibc.malloc.check=1", "MALLOC_ARENA_MAX": "2"})
