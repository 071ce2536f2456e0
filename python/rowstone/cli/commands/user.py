"""``rowstone user``: the users of a served database."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli.common.arguments import Json, print_json

if TYPE_CHECKING:
    from rowstone.server.security import Users

app = typer.Typer(name="user", help="Manage the users that may log in to `rowstone serve`.", no_args_is_help=True)

UsersPath = Annotated[
    str,
    typer.Argument(help="A database's directory, which contains users.toml; or the users file.", metavar="DIR_OR_FILE"),
]
Name = Annotated[str, typer.Argument(help="The user's name.", metavar="NAME")]
Label = Annotated[str, typer.Option(help="Label that distinguishes a user's tokens.")]
FromInput = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from the first line of stdin, without a prompt.")
]


def _users(path: str) -> "Users":
    from rowstone.server.security import Users

    return Users(path)


def _password(from_input: bool) -> str:
    """Prompt twice, or read it from the input; never an argument, which other users of the machine could see."""
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


@app.command()
def add(
    path: UsersPath,
    name: Name,
    group: Annotated[list[str] | None, typer.Option(help="A group of the user; may be given several times.")] = None,
    superuser: Annotated[bool, typer.Option("--superuser", help="Give the user all permissions.")] = False,
    no_password: Annotated[
        bool,
        typer.Option("--no-password", help="No password: for tokens, certificates and tickets of that name."),
    ] = False,
    password_stdin: FromInput = False,
) -> None:
    """Add a user; a missing file is created."""
    password = None if no_password else _password(password_stdin)
    users = _users(path)
    users.add(name, password=password, groups=group or (), superuser=superuser)
    typer.echo(f"added {name} to {users.path}")


@app.command()
def remove(path: UsersPath, name: Name) -> None:
    """Remove a user. Open connections stay open."""
    _users(path).remove(name)
    typer.echo(f"removed {name}")


@app.command("list")
def list_users(path: UsersPath, as_json: Json = False) -> None:
    """List the users: name, groups, and whether they are superusers."""
    users = _users(path)
    superusers = users.superusers
    if as_json:
        print_json(
            [
                {"name": name, "groups": list(users.groups_of(name)), "superuser": name in superusers}
                for name in users.names()
            ]
        )
        return
    for name in users.names():
        groups = ",".join(users.groups_of(name)) or "-"
        rank = "\tsuperuser" if name in superusers else ""
        typer.echo(f"{name}\t{groups}{rank}")


@app.command()
def password(path: UsersPath, name: Name, password_stdin: FromInput = False) -> None:
    """Change a user's password."""
    users = _users(path)
    users.set_password(name, _password(password_stdin))
    typer.echo(f"changed the password of {name}")


@app.command()
def token(
    path: UsersPath,
    name: Name,
    label: Label = "default",
    remove: Annotated[bool, typer.Option("--remove", help="Revoke the token instead.")] = False,
) -> None:
    """Create a token for a user and show it once. It replaces an earlier token with the same label."""
    users = _users(path)
    if remove:
        users.remove_token(name, label)
        typer.echo(f"removed the token {label} of {name}")
    else:
        typer.echo(users.new_token(name, label))


@app.command()
def proxy(
    path: UsersPath,
    name: Name,
    user: Annotated[
        list[str] | None, typer.Option(help="User to act for; may be given several times; * for all users.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="Group whose members to act for; may be given several times.")
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option(help="Address, network or host it may connect from; may be given several times; default *."),
    ] = None,
) -> None:
    """Allow a user, such as a gateway, to act for others."""
    _users(path).set_proxy(name, users=user or (), groups=group or (), hosts=host or ("*",))
    typer.echo(f"{name} may act for others")
