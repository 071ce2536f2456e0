"""``/jmx``: beans as JSON, chosen by ``qry`` and ``get``. Sources: HBase's ``JMXJsonServlet``, ``JSONBean``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Bean = dict[str, Any]


class BadQuery(ValueError):
    """A ``qry`` or ``get`` that is not written as it should be; HBase answers with an empty object."""


def chosen(beans: Iterable[Bean], parameters: Mapping[str, str]) -> dict[str, Any]:
    """What is printed for the parameters of a request. Mistakes in them are told in HBase's words; as there, the
    status is 200 all the same."""
    try:
        return _found(beans, parameters)
    except BadQuery:
        return {}


def _found(beans: Iterable[Bean], parameters: Mapping[str, str]) -> dict[str, Any]:
    wanted = parameters.get("get")
    if wanted is None:
        pattern = _pattern(parameters.get("qry", "*:*"))
        return {"beans": [bean for bean in beans if pattern(bean["name"])]}
    name, separator, attribute = wanted.partition("::")
    if not separator or "::" in attribute or not attribute:
        return {"result": "ERROR", "message": "query format is not as expected."}
    pattern = _pattern(name)
    return {"beans": [_only(bean, attribute) for bean in beans if pattern(bean["name"])]}


def _only(bean: Bean, attribute: str) -> Bean:
    """A bean with one attribute, or with those that match patterns."""
    head = {name: bean[name] for name in ("name", "modelerType")}
    if "*" in attribute:
        try:
            patterns = [re.compile(part) for part in attribute.split(",")]
        except re.error as error:
            raise BadQuery(f"'{attribute}' is no pattern: {error}") from None
        return head | {key: value for key, value in bean.items() if any(one.search(key) for one in patterns)}
    if attribute in bean:
        return head | {attribute: bean[attribute]}
    return head | {"result": "ERROR", "message": f"No attribute with name {attribute} was found."}


def _pattern(text: str) -> Callable[[str], bool]:
    """Whether a bean's name fits a pattern of Java's ``ObjectName``: ``*`` and ``?`` in the domain and in values, and
    ``*`` among the properties for any more of them."""
    domain, separator, rest = text.partition(":")
    parts = rest.split(",")
    if not separator or not rest or any("=" not in part and part != "*" for part in parts):
        raise BadQuery(f"'{text}' is no name of beans: domain:key=value,…")
    has_more = "*" in parts
    wanted = dict(part.split("=", 1) for part in parts if part != "*")

    def fits(name: str) -> bool:
        own_domain, _, own_rest = name.partition(":")
        own = dict(part.split("=", 1) for part in own_rest.split(","))
        if not _like(domain, own_domain) or not (has_more or own.keys() == wanted.keys()):
            return False
        return all(key in own and _like(value, own[key]) for key, value in wanted.items())

    return fits


def _like(pattern: str, text: str) -> bool:
    letters = {"*": ".*", "?": "."}
    return re.fullmatch("".join(letters.get(letter) or re.escape(letter) for letter in pattern), text) is not None
