"""Arrow, which is there only where it was asked for. It brings no types: whatever it gives is `Any`."""

from importlib import import_module
from typing import Any

from rowstone.errors import InvalidArgument


def arrow() -> Any:
    """The module ``pyarrow``, with ``pyarrow.parquet``."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow: pip install 'rowstone[arrow]'") from error


def arrow_type(name: str, field: str) -> Any:
    """Arrow's type of this name, that a field is to have. Raises `InvalidArgument`."""
    try:
        return arrow().type_for_alias(name)
    except ValueError:
        raise InvalidArgument(f"field '{field}' has type '{name}', which Arrow does not know") from None
