"""Authentication and user management for a served database.

| module | duty |
|---|---|
| `_users` | the users file: reading, checking, changing |
| `_file` | the file's TOML text |
| `_passwords`, `_tokens` | hashes of passwords and tokens, and their comparison |
| `_proxies` | impersonation rules (proxy users) |
| `_authentication` | the authentication settings of a server |
| `_authority` | the server's calls during a login, and the audit log |
| `_exposure` | requirements for a server that other machines can reach |
"""

from rowstone.server.security._authentication import Authentication
from rowstone.server.security._users import Users

__all__ = ["Authentication", "Users"]
