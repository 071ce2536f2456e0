"""Table output as in HBase's shell, and the same as JSON for programs.

On a terminal of known width, the first of two columns gets a quarter of the width and longer text wraps.
Without a width (0) nothing is padded or wrapped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TextIO

from rowstone._base.printable import printable
from rowstone.cli.shell.values import to_s


class Formatter:
    """Prints the rows of one command. ``width()`` is the terminal's width in characters, or 0 if unknown."""

    def __init__(self, out: TextIO, width: Callable[[], int]) -> None:
        self._out = out
        self._width = width
        self.row_count = 0

    def header(self, names: Sequence[str] = (), widths: Sequence[int] = ()) -> None:
        """Print the column names and restart the row count. ``widths`` are percentages of the terminal's width."""
        self._row(names, inset=False, widths=widths)
        self.row_count = 0

    def row(self, values: Sequence[Any], *, inset: bool = True, widths: Sequence[int] = ()) -> None:
        """Print a row; a row of several columns starts with a space unless ``inset`` is false."""
        self._row([None if value is None else to_s(value) for value in values], inset=inset, widths=widths)
        self.row_count += 1

    def cell(self, row: str | None, column: str, cell: Any, text: str) -> None:
        """Print a cell of a read: with its row for a scan, without for a get."""
        if row is None:
            self.row([column, text])
        else:
            self.row([row, f"column={column}, {text}"])

    def footer(self, row_count: int | None = None) -> None:
        """Print the number of rows."""
        self.line(f"{self.row_count if row_count is None else row_count} row(s)")

    def line(self, text: Any = "") -> None:
        """Print a line unchanged."""
        self._out.write(f"{to_s(text)}\n")

    def write(self, text: str) -> None:
        """Print text without a newline."""
        self._out.write(text)

    def took(self, seconds: float, *, ends_line: bool) -> None:
        """Print how long the command took."""
        self._out.write(_padded(f"Took {seconds:.4f} seconds", self._width()) + ("\n" if ends_line else ""))
        self._out.flush()

    def result(self, value: Any, shown: str) -> None:
        """Print the return value of a statement."""
        self._out.write(f"=> {shown}\n")

    def error(self, message: str, command: str, kind: str) -> None:
        """Print the error of a command."""
        self._out.write(f"\nERROR: {message}\n\nFor usage try 'help \"{command}\"'\n\n")

    def finish(self, command: str, seconds: float) -> None:
        """Called when a command has succeeded."""

    def _row(self, values: Sequence[str | None], *, inset: bool, widths: Sequence[int]) -> None:
        if not values:
            return
        width = self._width()
        if len(values) == 1:
            for piece in _pieces(values[0] or "", width):
                self._out.write(f"{_padded(piece, width)}\n")
        elif len(values) == 2:
            self._two(values[0] or "", values[1] or "", inset, *_column_widths(width, widths))
        else:
            self._out.write(f" {' '.join(value or '' for value in values)}\n")

    def _two(self, left: str, right: str, inset: bool, left_width: int, right_width: int) -> None:
        lefts, rights = _pieces(left, left_width), _pieces(right, right_width)
        for place in range(max(len(lefts), len(rights))):
            first = lefts[place] if place < len(lefts) else ""
            second = rights[place] if place < len(rights) else ""
            gap = " " if inset else "  "
            begin = " " if inset else ""
            self._out.write(f"{begin}{_padded(first, left_width)}{gap}{_padded(second, right_width)}\n")


def _column_widths(width: int, percents: Sequence[int]) -> tuple[int, int]:
    if width == 0:
        return 0, 0
    left = width * percents[0] // 100 if percents else width // 4
    return left, width * percents[1] // 100 - 2 if len(percents) > 1 else width - left - 2


def _pieces(text: str, width: int) -> list[str]:
    if width <= 0:
        return [text]
    return [text[place : place + width] for place in range(0, len(text), width)]


def _padded(text: str, width: int) -> str:
    return text.ljust(width)


class JsonFormatter(Formatter):
    """Prints JSON objects, one per line: one for each row, then one for the outcome of the command.

    Rows use the table's column names as keys; cells of a read use ``row``, ``column``, ``timestamp``, ``type`` and
    ``value``. Bytes are printed as HBase prints them (``\\xHH``).
    """

    def __init__(self, out: TextIO) -> None:
        import json  # nothing else needs it

        super().__init__(out, lambda: 0)
        self._dumps = json.dumps
        self._names: Sequence[str] = ()
        self._begun = ""

    def header(self, names: Sequence[str] = (), widths: Sequence[int] = ()) -> None:
        """Set the keys of the rows that follow."""
        self._names = names
        self.row_count = 0

    def row(self, values: Sequence[Any], *, inset: bool = True, widths: Sequence[int] = ()) -> None:
        """Print an object for the row."""
        self.row_count += 1
        names = self._names if len(self._names) == len(values) else ("text",) if len(values) == 1 else ()
        if names:
            self._print({name: _plain(value) for name, value in zip(names, values, strict=True)})
        else:
            self._print({"values": [_plain(value) for value in values]})

    def cell(self, row: str | None, column: str, cell: Any, text: str) -> None:
        """Print an object for the cell."""
        self.row_count += 1
        place = {"row": printable(cell.row), "column": printable(cell.column)}
        self._print({**place, "timestamp": cell.timestamp, "type": cell.type, "value": printable(cell.value)})

    def footer(self, row_count: int | None = None) -> None:
        """Store the row count for the final object."""
        self.row_count = self.row_count if row_count is None else row_count

    def line(self, text: Any = "") -> None:
        """Print an object with the text."""
        if whole := self._begun + to_s(text):
            self._print({"text": whole})
        self._begun = ""

    def write(self, text: str) -> None:
        """Buffer text until the line ends."""
        *lines, rest = text.split("\n")
        for part in lines:
            self.line(part)
        self._begun += rest

    def took(self, seconds: float, *, ends_line: bool) -> None:
        """Do nothing: `finish` and `error` report the time."""

    def result(self, value: Any, shown: str) -> None:
        """Print an object with the return value of the statement."""
        self._print({"result": _plain(value)})

    def error(self, message: str, command: str, kind: str) -> None:
        """Print an object with the error."""
        self._print({"command": command, "error": message, "class": kind})

    def finish(self, command: str, seconds: float) -> None:
        """Print an object that reports success."""
        self._print({"command": command, "rows": self.row_count, "seconds": round(seconds, 4)})
        self._out.flush()

    def _print(self, value: dict[str, Any]) -> None:
        self._out.write(self._dumps(value, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:
    """Convert a value to a JSON type."""
    if isinstance(value, bytes):
        return printable(value)
    if isinstance(value, dict):
        return {to_s(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return to_s(value)
