"""Arrow, which is there only where it was asked for. It brings no types: whatever it gives is `Any`."""

from importlib import import_module
from typing import Any


def arrow() -> Any:
    """The module ``pyarrow``, with ``pyarrow.parquet``."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError as error:
        raise ImportError("Parquet needs pyarrow: pip install 'rowstone[arrow]'") from error
