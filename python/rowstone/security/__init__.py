"""Who may connect to a served database, and how that is found out.

| module | duty |
|---|---|
| `_users` | the users file: read, checked, changed |
| `_file` | its text |
| `_passwords`, `_tokens` | what is kept of a password and of a token, and how they are compared |
| `_proxies` | who may act for others |
| `_authentication` | how the clients of a server are known |
| `_authority` | what the server asks while somebody logs in, and writes down |
| `_exposure` | what a server that other machines reach must have |
| `_kerberos` | conversations of Kerberos, by the package ``gssapi`` |
"""

from rowstone.security._authentication import Authentication
from rowstone.security._users import Users

__all__ = ["Authentication", "Users"]
