"""The group of all commands: its errors name the value that was given, whatever Typer's version says."""

from typing import Any

import typer
from typer.core import TyperGroup

_MOST_LETTERS = 60

_FAULTS = {
    "int_parsing": "is not a whole number",
    "int_parsing_size": "is too large",
    "float_parsing": "is not a number",
    "bool_parsing": "is neither true nor false",
    "greater_than_equal": "is below the minimum, {ge}",
    "less_than_equal": "is above the maximum, {le}",
}
"""What is wrong with a value, by the type of pydantic's error."""


class Commands(TyperGroup):
    """A group whose commands, and those of its groups, report wrong values in this project's words."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; see `TyperGroup.invoke`."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _message_of(error)
            raise


def _message_of(error: typer.BadParameter) -> str:
    """Return the message with the value, if pydantic refused it; older versions of Typer do without pydantic."""
    list_errors = getattr(error.__cause__, "errors", None)
    if list_errors is None:
        return error.message
    first = list_errors()[0]
    value = str(first["input"])
    shown = repr(value if len(value) <= _MOST_LETTERS else value[:_MOST_LETTERS] + "...")
    limits = first.get("ctx", {})
    if first["type"] in _FAULTS:
        return f"{shown} {_FAULTS[first['type']].format(**limits)}"
    return str(limits["error"]) if "error" in limits else f"{shown}: {first['msg']}"
