"""For whom a gateway's request is made: for who came, or for another in whose place he may act (Hadoop's ``doAs``).

Source: HBase's ``ProxyUserAuthenticationFilter`` and ``ThriftHttpServlet``.
"""

from __future__ import annotations

from collections.abc import Callable

MayActFor = Callable[[str, str, str], bool]
"""Given who came, for whom he would act, and the address he comes from: whether he may."""


_MOST_NAME_BYTES = 256


def is_user_name(name: str) -> bool:
    """Whether a user may have that name: rights and logs have it, and there ``@`` and a name is a group.

    >>> is_user_name("ada"), is_user_name("@admins"), is_user_name("ada\\nroot")
    (True, False, False)
    """
    return (
        name.isprintable() and not name.startswith("@") and 0 < len(name.encode(errors="replace")) <= _MOST_NAME_BYTES
    )


def acting_user(user: str | None, wanted: str | None, address: str, may_act_for: MayActFor | None) -> str | None:
    """The user for whom the request is made; None where who came may not act for ``wanted``.

    Args:
        user: Who came, or None where nobody is known: then nobody may act for another.
        wanted: What ``doAs`` says, None where it is not there.
    """
    if wanted is None or wanted == user:
        return user
    if user is None or may_act_for is None or not is_user_name(wanted):
        return None
    return wanted if may_act_for(user, wanted, address) else None
