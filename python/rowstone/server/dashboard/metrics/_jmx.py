"""``/jmx``: beans as JSON, filtered by ``qry`` and ``get``. Sources: HBase's ``JMXJsonServlet``, ``JSONBean``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rowstone import _native
from rowstone.errors import InvalidArgument

Bean = dict[str, Any]
MOST_PATTERNS = 64
"""Maximum attribute patterns in one request."""


class BadQuery(ValueError):
    """A malformed ``qry`` or ``get``; HBase answers with an empty object."""


def select(beans: Iterable[Bean], parameters: Mapping[str, str]) -> dict[str, Any]:
    """The response for a request's parameters. Errors in them are reported with HBase's messages and, as there, with
    status 200."""
    try:
        return _find(beans, parameters)
    except BadQuery:
        return {}


def _find(beans: Iterable[Bean], parameters: Mapping[str, str]) -> dict[str, Any]:
    wanted = parameters.get("get")
    if wanted is None:
        pattern = _pattern(parameters.get("qry", "*:*"))
        return {"beans": [bean for bean in beans if pattern(bean["name"])]}
    name, separator, attribute = wanted.partition("::")
    if not separator or "::" in attribute or not attribute:
        return {"result": "ERROR", "message": "query format is not as expected."}
    pattern = _pattern(name)
    found = [bean for bean in beans if pattern(bean["name"])]
    if "*" not in attribute:
        return {"beans": [_head(bean) | _attribute(bean, attribute) for bean in found]}
    try:
        is_wanted = _any_of(attribute.split(","))
        return {"beans": [_head(bean) | {key: bean[key] for key in bean if is_wanted(key)} for bean in found]}
    except InvalidArgument as error:
        raise BadQuery(str(error)) from None


def _head(bean: Bean) -> Bean:
    return {name: bean[name] for name in ("name", "modelerType")}


def _attribute(bean: Bean, name: str) -> Bean:
    if name in bean:
        return {name: bean[name]}
    return {"result": "ERROR", "message": f"No attribute with name {name} was found."}


def _any_of(patterns: list[str]) -> Callable[[str], bool]:
    """Match a text against any of several regular expressions. Raises `InvalidArgument`."""
    if len(patterns) > MOST_PATTERNS:
        raise BadQuery(f"{len(patterns)} patterns of attributes; at most {MOST_PATTERNS} are allowed")
    compiled = [_native.Pattern(pattern, whole=False) for pattern in patterns]
    return lambda text: any(one.matches(text) for one in compiled)


def _pattern(text: str) -> Callable[[str], bool]:
    """Match a bean's name against a pattern of Java's ``ObjectName``: ``*`` and ``?`` in the domain and in values, and
    ``*`` among the properties for any others."""
    domain, separator, rest = text.partition(":")
    parts = rest.split(",")
    if not separator or not rest or any("=" not in part and part != "*" for part in parts):
        raise BadQuery(f"'{text}' is no name of beans: domain:key=value,…")
    has_more = "*" in parts
    is_domain = _wildcards(domain)
    wanted = {key: _wildcards(value) for key, value in (part.split("=", 1) for part in parts if part != "*")}

    def fits(name: str) -> bool:
        own_domain, _, own_rest = name.partition(":")
        own = dict(part.split("=", 1) for part in own_rest.split(","))
        if not is_domain(own_domain) or not (has_more or own.keys() == wanted.keys()):
            return False
        return all(key in own and is_value(own[key]) for key, is_value in wanted.items())

    return fits


def _wildcards(pattern: str) -> Callable[[str], bool]:
    """Match a text against a pattern with the wildcards ``*`` and ``?``."""
    letters = {"*": ".*", "?": "."}
    expression = "".join(letters.get(letter) or f"\\x{{{ord(letter):X}}}" for letter in pattern)
    try:
        return _native.Pattern(expression).matches
    except InvalidArgument as error:
        raise BadQuery(str(error)) from None
