"""Keys spread evenly between two others, in the characters of the keys around them.

Between the decimal keys ``0100`` and ``0900``, most positions computed from bytes would not be digits.
"""

import os
import string
from collections.abc import Sequence

_DIGITS = string.digits
_ALPHABETS = tuple(
    "".join(sorted(letters)).encode("latin-1")
    for letters in (
        _DIGITS,
        _DIGITS + "abcdef",
        _DIGITS + "ABCDEF",
        string.ascii_lowercase,
        _DIGITS + string.ascii_lowercase,
        _DIGITS + string.ascii_letters,
        "".join(map(chr, range(32, 127))),
        "".join(map(chr, range(256))),
    )
)
_WIDTH = 8


def spread(low: bytes, high: bytes, count: int, known: Sequence[bytes]) -> list[bytes]:
    """Return up to ``count`` keys between ``low`` and ``high``, in order. ``known`` are examples of existing keys.

    Only the eight bytes after the common prefix of both ends count.

    >>> spread(b"user0000", b"user0999", 4, [])
    [b'user019980000', b'user039960000', b'user059940000', b'user079920000']
    """
    shared = len(os.path.commonprefix([low, high]))  # noqa: RUF071 (of bytes, not of paths)
    tails = [key[shared : shared + _WIDTH] for key in (low, high, *known)]
    used = set().union(*tails)
    alphabet = next(letters for letters in _ALPHABETS if used <= set(letters))
    first, last = _number(tails[0], alphabet), _number(tails[1], alphabet)
    numbers = sorted({first + (last - first) * step // (count + 1) for step in range(1, count + 1)})
    return [low[:shared] + _text(number, alphabet) for number in numbers]


def _number(tail: bytes, alphabet: bytes) -> int:
    number = 0
    for byte in tail.ljust(_WIDTH, alphabet[:1]):
        number = number * len(alphabet) + alphabet.index(byte)
    return number


def _text(number: int, alphabet: bytes) -> bytes:
    letters = []
    for _ in range(_WIDTH):
        number, letter = divmod(number, len(alphabet))
        letters.append(alphabet[letter])
    return bytes(reversed(letters))
