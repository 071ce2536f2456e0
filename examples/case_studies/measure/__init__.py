"""Shared parts of the case studies: counted reads, reports, pictures."""

from examples.case_studies.measure.bench import REPEATS, Bench
from examples.case_studies.measure.report import Cost, Grid, Report, Stored

__all__ = ["REPEATS", "Bench", "Cost", "Grid", "Report", "Stored"]
