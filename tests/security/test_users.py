"""The users file: authentication, storage of secrets, and no leaks of them."""

from __future__ import annotations

import base64
import logging
import stat
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from rowstone import errors
from rowstone.server import security
from rowstone.server.security import Users, _passwords, _users
from rowstone.server.security._proxies import Proxy, proxies_of

SECRET = "correct horse battery"


@pytest.fixture
def users(tmp_path: Path) -> Users:
    users = Users(tmp_path)
    users.add("ada", password=SECRET, groups=["ops", "readers"], superuser=True)
    users.add("bob")
    return users


def test_the_right_password_and_no_other(users: Users) -> None:
    assert users.check_password("ada", SECRET) == "ada"
    for user, password in (("ada", SECRET + " "), ("ada", ""), ("bob", ""), ("bob", SECRET), ("eve", SECRET), ("", "")):
        assert users.check_password(user, password) is None, (user, password)
    # The second check needs no hash; a wrong password still fails.
    assert users.check_password("ada", SECRET) == "ada"
    assert users.check_password("bob", SECRET) is None
    assert users.check_password("ada", "x" * 5000) is None
    assert users.check_password("ada", "\ud800") is None


def test_a_known_password_waits_for_no_other(users: Users, monkeypatch: pytest.MonkeyPatch) -> None:
    token = users.new_token("bob", "laptop")
    assert users.recall_password("ada", SECRET) is None
    assert users.check_password("ada", SECRET) == "ada"

    def basic(user: str, password: str) -> SimpleNamespace:
        text = base64.b64encode(f"{user}:{password}".encode()).decode()
        return SimpleNamespace(headers={"authorization": f"Basic {text}"})

    for _ in range(_users._MOST_WAITING):
        users._waiting.acquire()
    monkeypatch.setattr(_passwords, "_digest", None)
    assert [users.recall_password("ada", SECRET), users.recall_password("bob", token)] == ["ada", "bob"]
    assert [users.recall_password("ada", "guess"), users.recall_password("eve", SECRET)] == [None, None]
    assert [users.authenticate(basic("ada", SECRET)), users.authenticate(basic("bob", token))] == ["ada", "bob"]
    with pytest.raises(errors.RetryError, match="try again"):
        users.authenticate(basic("ada", "guess"))


def test_a_wrong_token_takes_as_long_with_a_known_name(users: Users, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the time of an answer would tell which names exist."""
    hashed: list[str] = []
    monkeypatch.setattr(_passwords, "_digest", lambda password, *_: hashed.append(password) or b"")
    counts = []
    for user, password in (("ada", "guess"), ("bob", "guess"), ("eve", "guess")):
        assert users.check_password(user, password) is None
        counts.append(len(hashed))
    assert counts == [1, 2, 3]
    hashed.clear()
    for user in ("ada", "bob", "eve"):
        assert users.check_password(user, "rowstone_guess") is None
    assert hashed == []


def test_a_changed_file_counts_at_once(users: Users) -> None:
    assert users.check_password("ada", SECRET) == "ada"
    Users(users.path).set_password("ada", "another one")
    assert users.check_password("ada", SECRET) is None
    assert users.check_password("ada", "another one") == "ada"
    Users(users.path).remove("ada")
    assert users.check_password("ada", "another one") is None
    assert users.superusers == []


def test_tokens_authenticate_until_they_are_removed(users: Users) -> None:
    token = users.new_token("bob", "laptop")
    assert users.check_token(token) == "bob"
    assert users.check_password("bob", token) == "bob"
    assert users.check_password("ada", token) is None
    assert users.check_token(token[:-1]) is None
    again = users.new_token("bob", "laptop")
    assert users.check_token(token) is None
    users.remove_token("bob", "laptop")
    assert users.check_token(again) is None
    with pytest.raises(errors.InvalidArgument, match="no token 'laptop'"):
        users.remove_token("bob", "laptop")


def request_with(authorization: str) -> SimpleNamespace:
    """Return the answer to a request with this header."""
    return SimpleNamespace(headers={"authorization": authorization})


def test_gateway_requests_authenticate_with_basic_or_bearer(users: Users) -> None:
    token = users.new_token("bob")
    basic = base64.b64encode(f"ada:{SECRET}".encode()).decode()
    assert users.authenticate(request_with(f"Basic {basic}")) == "ada"
    assert users.authenticate(request_with(f"bearer {token}")) == "bob"
    assert users.authenticate(SimpleNamespace(headers={})) is None
    alone = base64.b64encode(b"ada").decode()
    for nobody in ("", "Basic", "Basic ???", f"Negotiate {basic}", "Bearer ", f"Basic {alone}", "Bearer rowstone_é"):
        assert users.authenticate(request_with(nobody)) is None, nobody


def test_no_secret_is_kept_or_shown(users: Users, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    token = users.new_token("ada")
    users.check_password("ada", SECRET + "!")
    text = users.path.read_text()
    assert SECRET not in text
    assert token not in text
    assert SECRET not in repr(vars(users)) + caplog.text
    for bad in ("", "a\0b" + SECRET, SECRET * 100):
        with pytest.raises(errors.InvalidArgument) as raised:
            users.set_password("ada", bad)
        assert SECRET not in str(raised.value)


def test_the_users_file_is_private_to_its_owner(users: Users) -> None:
    assert stat.S_IMODE(users.path.stat().st_mode) == 0o600
    users.path.chmod(0o620)
    with pytest.raises(errors.InvalidArgument, match="chmod 600"):
        Users(users.path).names()
    users.path.chmod(0o600)
    assert Users(users.path).names() == ["ada", "bob"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "version"),
        ("version = 2", "version"),
        ("version = 1\nuser = []", "'user', which is unknown"),
        ("version = 1\nusers = 3", "users is no table"),
        ("version = 1\n[users.ada]\npasword = 'x'", "'pasword', which is unknown"),
        ("version = 1\n[users.ada]\npassword = 'plain text'", "the password of ada"),
        ("version = 1\n[users.ada]\npassword = 'scrypt$40$8$1$AAAA$AAAA'", "the password of ada"),
        ("version = 1\n[users.ada.tokens]\nx = 'sha256$12'", "the token x of ada"),
        ("version = 1\n[users.'a:b']", "no user name"),
        ("version = 1\nsuperusers = 'ada'", "no list"),
        ("version = 1\n[proxies.gate]\nhost = ['*']", "'host', which is unknown"),
        ("version = 1\n[users", "cannot be used"),
    ],
)
def test_an_invalid_users_file_admits_no_user(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "users.toml"
    file.write_text(text)
    file.chmod(0o600)
    with pytest.raises(errors.InvalidArgument, match=words) as raised:
        Users(file).check_password("ada", SECRET)
    assert "plain text" not in str(raised.value)


def test_a_file_that_is_not_there_is_no_empty_one(tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidArgument, match="there is no users file"):
        Users(tmp_path).names()
    with pytest.raises(errors.InvalidArgument, match="there is no users file"):
        Users(tmp_path).set_password("ada", SECRET)
    # A misspelt directory does not become a file.
    with pytest.raises(errors.InvalidArgument, match="is no directory"):
        Users(tmp_path / "missing").add("ada")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "a b", "a:b", "@ops", "a/b", "a\n", "é", "x" * 129, "-x"])
def test_names_that_are_none(users: Users, name: str) -> None:
    with pytest.raises(errors.InvalidArgument, match="no user name"):
        users.add(name)
    with pytest.raises(errors.InvalidArgument, match="already"):
        users.add("ada")


def test_written_users_files_are_read_back(users: Users) -> None:
    users.new_token("ada", 'say "hi"\\')
    users.set_proxy("bob", users=["ada"], groups=["ops"], hosts=["10.0.0.0/8"])
    before = users.path.read_text()
    users.add("carol", groups=["ops"])
    users.remove("carol")
    assert users.path.read_text() == before
    assert users.groups_of("ada") == ["ops", "readers"]
    assert users.superusers == ["ada"]


def test_changes_at_the_same_time_are_all_there(users: Users) -> None:
    threads = [threading.Thread(target=Users(users.path).add, args=(f"user{number}",)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(users.names()) == 22
    assert [file.name for file in users.path.parent.iterdir()] == ["users.toml"]


def test_impersonation_depends_on_user_group_and_host(users: Users) -> None:
    users.set_proxy("bob", groups=["ops"], hosts=["10.0.0.0/8", "127.0.0.1"])
    assert users.may_impersonate("bob", "ada", "10.1.2.3")
    assert users.may_impersonate("bob", "ada", "127.0.0.1")
    assert not users.may_impersonate("bob", "ada", "11.0.0.1")
    assert not users.may_impersonate("bob", "ada", "::1")
    assert not users.may_impersonate("bob", "eve", "10.1.2.3")
    assert not users.may_impersonate("ada", "bob", "10.1.2.3")
    everybody = Proxy(users=("*",), hosts=("localhost",))
    assert everybody.allows("anybody", (), "127.0.0.1")
    assert not Proxy(users=("*",)).allows("anybody", (), "127.0.0.1")


def test_proxies_under_hadoops_names() -> None:
    settings = {"hadoop.proxyuser.my.gate.hosts": "10.0.0.1, 10.0.0.2", "hadoop.proxyuser.my.gate.groups": "*"}
    assert proxies_of(settings) == {"my.gate": Proxy(groups=("*",), hosts=("10.0.0.1", "10.0.0.2"))}
    with pytest.raises(errors.InvalidArgument, match=r"hadoop\.proxyuser\.x\.host'"):
        proxies_of({"hadoop.proxyuser.x.host": "*"})


def test_incomplete_authentications_are_refused(tmp_path: Path) -> None:
    for options, words in (
        ({"methods": "kerberos"}, "keytab"),
        ({"methods": "password"}, "users file"),
        ({"methods": "ldap"}, "choose from: simple, certificate, password, kerberos"),
        ({"methods": ()}, "no authentication method"),
        ({"methods": "password", "users": 3}, "must be a path"),
    ):
        with pytest.raises(errors.InvalidArgument, match=words):
            security.Authentication(**options)  # type: ignore[arg-type]
    assert security.Authentication("certificate, password", users=tmp_path).methods == ("certificate", "password")


def test_a_hash_costs_what_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    kept = _passwords.hash_password(SECRET)
    assert kept.startswith("scrypt$15$8$3$")
    assert _passwords.matches(SECRET, kept)
    assert not _passwords.matches(SECRET.upper(), kept)
    assert kept != _passwords.hash_password(SECRET)
