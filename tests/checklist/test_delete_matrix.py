"""Four markers, three times, memory and file, both behaviours, under time ranges: as the reference model (checklist 108).

Each case is a script in the language of `tests/script`, given to the model and to the store.
"""

from __future__ import annotations

import itertools

import pytest

from tests.checklist import checklist
from tests.script.model_runner import ModelRunner
from tests.script.parse import parse
from tests.script.runner import Runner
from tests.script.store_runner import StoreRunner

MARKERS = {
    "version": "delete r f:q {ts}",
    "column": "delete r f:q {ts} columns",
    "family": "delete r f {ts}",
    "family version": "delete r f {ts} version",
}
