"""All rules: each module below `rowstone.advise.rules` has one."""

import importlib
import pkgutil
from functools import cache

from rowstone.advise import rules as package
from rowstone.advise._rule import Rule


@cache
def rules() -> tuple[Rule, ...]:
    """The rules, by their codes."""
    modules = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    found = [importlib.import_module(module.name) for module in modules if not module.ispkg]
    return tuple(sorted((module.RULE for module in found), key=lambda rule: rule.code))
