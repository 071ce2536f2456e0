"""File formats by name, and by file name extension."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from rowstone.errors import InvalidArgument
from rowstone.jobs.files.delimited import DelimitedFile
from rowstone.jobs.files.json_lines import JsonLinesFile
from rowstone.jobs.files.parquet import ParquetFile
from rowstone.jobs.files.records import Reader

ImportFormat = Literal["csv", "tsv", "jsonl", "parquet"]
FORMATS: tuple[ImportFormat, ...] = get_args(ImportFormat)
_ENDINGS = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def format_of(path: Path, given: str | None) -> str:
    """Return the format ``given``, or else the one of the file name's extension. Raises `InvalidArgument`."""
    found = given or _ENDINGS.get(path.suffix.lower())
    if found not in FORMATS:
        raise InvalidArgument(f"the format of '{path}' is {found or 'unknown'}: use one of {', '.join(FORMATS)}")
    return found


def reader_of(
    path: Path, form: str, sources: Sequence[str | int], *, separator: str | None, header: bool, fields: tuple[int, int]
) -> Reader:
    """Create the reader of a file. ``fields``: minimum and maximum field count of CSV and TSV without a header."""
    if form in ("csv", "tsv"):
        return DelimitedFile(
            path,
            sources,
            separator=separator or ("," if form == "csv" else "\t"),
            quoted=form == "csv",
            header=header,
            fields=fields,
        )
    names = [source for source in sources if isinstance(source, str)]
    if len(names) != len(sources):
        raise InvalidArgument(f"fields of {form} have names: pass columns as a mapping")
    return JsonLinesFile(path, names) if form == "jsonl" else ParquetFile(path, names)
