"""Dict with names in bytes as keys, which can also be looked up as text."""

from typing import Any, TypeVar

Value = TypeVar("Value")


class ByName(dict[bytes, Value]):
    """A dict by names; ``str`` finds its UTF-8, as everywhere in Rowstone. Iteration returns bytes.

    >>> names = ByName({b"anchor": 1})
    >>> "anchor" in names, names["anchor"], names.get("people"), names == {b"anchor": 1}
    (True, 1, None, True)
    """

    __slots__ = ()

    def __missing__(self, name: object) -> Value:
        """Called for names that are missing in their given form; raises `KeyError`."""
        if isinstance(name, str):
            data = name.encode()
            if data in self:
                return self[data]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name.encode() if isinstance(name, str) else name)

    def get(self, name: Any, default: Any = None) -> Any:
        """Return the value of that name, or ``default``."""
        return super().get(name.encode() if isinstance(name, str) else name, default)
