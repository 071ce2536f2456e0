"""All rules, from the modules of `rowstone.schema.advise.rules`."""

import importlib
import pkgutil
from functools import cache

from rowstone.schema.advise import rules as package
from rowstone.schema.advise._rule import RULES, Rule


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules, by their codes."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    return tuple(sorted(RULES, key=lambda rule: rule.code))
