"""Optional packages, imported when they are used."""

import importlib
from typing import Any


def import_optional(module: str, what: str, extra: str) -> Any:
    """Import an optional package. Raises `ImportError` with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{what} needs {module}: pip install 'rowstone[{extra}]'") from error
