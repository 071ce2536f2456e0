"""``rowstone user``: the users of a served database."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rowstone.cli._shared import Json, print_json

if TYPE_CHECKING:
    from rowstone.security import Users

app = typer.Typer(name="user", help="Users of a served database: who may log in.", no_args_is_help=True)

Place = Annotated[
    str,
    typer.Argument(help="A database's directory, in which the file is users.toml; or the file.", metavar="DIR_OR_FILE"),
]
Name = Annotated[str, typer.Argument(help="The user's name.", metavar="NAME")]
Label = Annotated[str, typer.Option(help="What tells tokens of a user apart.")]
FromInput = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from the first line of the input, without asking.")
]


def _users(place: str) -> "Users":
    from rowstone.security import Users

    return Users(place)


def _password(from_input: bool) -> str:
    """Asked for twice, or read; never an argument, which everybody on the machine sees."""
    if from_input:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


@app.command()
def add(
    place: Place,
    name: Name,
    group: Annotated[list[str] | None, typer.Option(help="A group of the user; may be given several times.")] = None,
    superuser: Annotated[bool, typer.Option("--superuser", help="The user may do everything.")] = False,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="None: for tokens, certificates and tickets of that name.")
    ] = False,
    password_stdin: FromInput = False,
) -> None:
    """Add a user; the file is made where it is missing."""
    password = None if no_password else _password(password_stdin)
    users = _users(place)
    users.add(name, password=password, groups=group or (), superuser=superuser)
    typer.echo(f"added {name} to {users.path}")


@app.command()
def remove(place: Place, name: Name) -> None:
    """Remove a user. Connections that are open stay open."""
    _users(place).remove(name)
    typer.echo(f"removed {name}")


@app.command("list")
def list_users(place: Place, as_json: Json = False) -> None:
    """List the users: name, groups, and whether they may do everything."""
    users = _users(place)
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
def password(place: Place, name: Name, password_stdin: FromInput = False) -> None:
    """Give a user another password."""
    users = _users(place)
    users.set_password(name, _password(password_stdin))
    typer.echo(f"changed the password of {name}")


@app.command()
def token(
    place: Place,
    name: Name,
    label: Label = "default",
    remove: Annotated[bool, typer.Option("--remove", help="Make the token useless instead.")] = False,
) -> None:
    """Make a token of a user, which is shown this once; one of the same label before it is of no more use."""
    users = _users(place)
    if remove:
        users.remove_token(name, label)
        typer.echo(f"removed the token {label} of {name}")
    else:
        typer.echo(users.new_token(name, label))


@app.command()
def proxy(
    place: Place,
    name: Name,
    user: Annotated[
        list[str] | None, typer.Option(help="For whom; may be given several times; * is everybody.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help="For members of this group; may be given several times.")
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option(help="From this address, network or host; may be given several times; default *."),
    ] = None,
) -> None:
    """Let a user, such as a gateway, act for others."""
    _users(place).set_proxy(name, users=user or (), groups=group or (), hosts=host or ("*",))
    typer.echo(f"{name} may act for others")
