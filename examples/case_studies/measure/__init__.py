"""What all case studies share: counting what reads cost, reports, pictures, the command."""

from examples.case_studies.measure.bench import REPEATS, Bench
from examples.case_studies.measure.report import Cost, Grid, Report, Stored

__all__ = ["REPEATS", "Bench", "Cost", "Grid", "Report", "Stored"]
