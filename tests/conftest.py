"""Settings of the whole test suite.

ROWSTONE_HYPOTHESIS chooses how long Hypothesis looks: `quick`, `ci` (the default) or `long`.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_COMMON = settings(
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("quick", _COMMON, max_examples=25, stateful_step_count=30)
settings.register_profile("ci", _COMMON, max_examples=200, stateful_step_count=50)
settings.register_profile("long", _COMMON, max_examples=5000, stateful_step_count=100)
settings.load_profile(os.environ.get("ROWSTONE_HYPOTHESIS", "ci"))
