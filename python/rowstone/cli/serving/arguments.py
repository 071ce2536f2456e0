"""Arguments of `rowstone.serve` from the options of ``rowstone serve``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowstone.cli.serving.options import BadOption, Options

if TYPE_CHECKING:
    from rowstone.server.listening import ServerTls
    from rowstone.server.security import Authentication


def arguments_of(directory: str, options: Options) -> dict[str, Any]:
    """Convert options to arguments of `rowstone.serve`. Raises `BadOption`."""
    from rowstone.server.options import GatewayPorts
    from rowstone.server.serve import serve

    same = GatewayPorts.__optional_keys__.union(serve.__kwdefaults__ or ())
    return {name: value for name, value in vars(options).items() if name in same} | {
        "zk_port": None if options.zk_port < 0 else options.zk_port,
        "allowed_hosts": options.allowed_hosts or (),
        "memstore_bytes": _bytes_of(options.memstore_mb),
        "cache_bytes": _bytes_of(options.cache_mb),
        "configuration": _configuration_of(options.settings or []),
        "tracing": options.tracing,
        "tls": _tls_of(options),
        "authentication": _authentication_of(directory, options),
    }


def _bytes_of(megabytes: int | None) -> int | None:
    return None if megabytes is None else megabytes << 20


def _configuration_of(settings: list[str]) -> dict[str, str]:
    """Parse settings given as ``KEY=VALUE``."""
    pairs = [one.partition("=") for one in settings]
    for key, separator, _ in pairs:
        if not separator or not key:
            raise BadOption(f"--set {key} is not KEY=VALUE")
    return {key.strip(): value.strip() for key, _, value in pairs}


def _tls_of(options: Options) -> "ServerTls | None":
    certificate, key, client_ca = options.tls_certificate, options.tls_key, options.tls_client_ca
    if (certificate is None) != (key is None):
        raise BadOption("TLS needs both --tls-certificate and --tls-key")
    if certificate is None and (client_ca is not None or options.tls_only):
        raise BadOption("--tls-client-ca and --tls-only need --tls-certificate and --tls-key")
    if certificate is None or key is None:
        return None
    from rowstone.server.listening import ServerTls

    return ServerTls(certificate, key, client_ca, plain_text=not options.tls_only)


def _authentication_of(directory: str, options: Options) -> "Authentication | None":
    users, methods = options.users, options.auth
    if not methods:
        if users is not None or options.keytab is not None or options.principal is not None:
            raise BadOption("--users, --keytab and --principal need --auth")
        return None
    from rowstone.server.security import Authentication, Users

    found = Users(directory) if users is None and Path(directory).is_dir() else users
    if isinstance(found, Users) and not found.path.exists() and "password" not in methods:
        found = None
    return Authentication(
        methods=tuple(methods),
        users=found,
        keytab=options.keytab,
        principal=options.principal,
        protection=options.protection,
        certificate_name=options.certificate_name,
    )
