"""Registry of commands and groups. A command's module is imported when the command is first called."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rowstone.cli.shell.command import COMMANDS, Command
from rowstone.cli.shell.errors import ArgumentMistake


@dataclass(frozen=True)
class Group:
    """A group of commands, as in HBase's help. ``modules`` maps each module to its commands."""

    name: str
    modules: dict[str, tuple[str, ...]]
    note: str = ""
    """Footer of the group's help."""

    @property
    def commands(self) -> tuple[str, ...]:
        """The names of the group's commands."""
        return tuple(name for names in self.modules.values() for name in names)


def _group(name: str, note: str = "", *, folder: str = "", **modules: str) -> Group:
    prefix = f"{folder}." if folder else ""
    return Group(name, {prefix + module: tuple(words.split()) for module, words in modules.items()}, note)


GROUPS: tuple[Group, ...] = (
    _group(
        "general",
        general="processlist status table_help version whoami",
    ),
    _group(
        "ddl",
        folder="tables",
        ddl=(
            "alter alter_async alter_status clone_table_schema create describe drop drop_all get_table list "
            "show_filters"
        ),
        states=(
            "disable disable_all enable enable_all exists is_disabled is_enabled list_disabled_tables "
            "list_enabled_tables list_regions locate_region"
        ),
    ),
    _group(
        "namespace",
        folder="tables",
        namespaces=(
            "alter_namespace create_namespace describe_namespace drop_namespace list_namespace list_namespace_tables"
        ),
    ),
    _group(
        "dml",
        folder="data",
        dml="append count delete deleteall get get_counter get_splits incr put scan truncate truncate_preserve",
    ),
    _group(
        "tools",
        "On a cluster these change what servers do: a mistake can cost service or data.",
        folder="servers",
        regions=(
            "assign close_region merge_region move normalize refresh_hfiles refresh_meta regioninfo reopen_regions "
            "rit split truncate_region unassign"
        ),
        storage=(
            "clear_block_cache clear_compaction_queues compact compact_rs compaction_state flush flush_master_store "
            "major_compact wal_roll wal_roll_all"
        ),
        switches=(
            "balance_switch balancer balancer_enabled catalogjanitor_enabled catalogjanitor_run catalogjanitor_switch "
            "cleaner_chore_enabled cleaner_chore_run cleaner_chore_switch compaction_switch hbck_chore_run "
            "normalizer_enabled normalizer_switch snapshot_cleanup_enabled snapshot_cleanup_switch "
            "splitormerge_enabled splitormerge_switch"
        ),
        servers=(
            "clear_deadservers clear_slowlog_responses decommission_regionservers get_balancer_decisions "
            "get_balancer_rejections get_largelog_responses get_slowlog_responses is_in_maintenance_mode "
            "list_deadservers list_decommissioned_regionservers list_liveservers list_unknownservers "
            "recommission_regionserver stop_master stop_regionserver trace zk_dump"
        ),
    ),
    _group(
        "replication",
        folder="replication",
        peers=(
            "add_peer disable_peer disable_table_replication enable_peer enable_table_replication get_peer_config "
            "list_peer_configs list_peers list_replicated_tables peer_modification_enabled peer_modification_switch "
            "remove_peer transit_peer_sync_replication_state update_peer_config"
        ),
        scope=(
            "append_peer_exclude_namespaces append_peer_exclude_tableCFs append_peer_namespaces append_peer_tableCFs "
            "remove_peer_exclude_namespaces remove_peer_exclude_tableCFs remove_peer_namespaces remove_peer_tableCFs "
            "set_peer_bandwidth set_peer_exclude_namespaces set_peer_exclude_tableCFs set_peer_namespaces "
            "set_peer_replicate_all set_peer_serial set_peer_tableCFs show_peer_tableCFs"
        ),
    ),
    _group(
        "snapshots",
        folder="tables",
        snapshots=(
            "clone_snapshot delete_all_snapshot delete_snapshot delete_table_snapshots list_snapshots "
            "list_table_snapshots restore_snapshot snapshot"
        ),
    ),
    _group(
        "configuration",
        folder="tables",
        configuration="update_all_config update_config update_rsgroup_config",
    ),
    _group(
        "quotas",
        folder="access",
        quotas=(
            "disable_exceed_throttle_quota disable_rpc_throttle enable_exceed_throttle_quota enable_rpc_throttle "
            "list_quota_snapshots list_quota_table_sizes list_quotas list_snapshot_sizes rpc_throttle_enabled "
            "set_quota"
        ),
    ),
    _group(
        "security",
        "These need a cluster that controls access.",
        folder="access",
        permissions="grant list_security_capabilities revoke user_permission",
    ),
    _group(
        "procedures",
        folder="servers",
        servers="list_locks list_procedures",
    ),
    _group(
        "visibility labels",
        "These need a cluster that controls visibility.",
        folder="access",
        labels="add_labels clear_auths get_auths list_labels set_auths set_visibility",
    ),
    _group(
        "rsgroup",
        "These need a cluster with groups of region servers.",
        folder="servers",
        rsgroup=(
            "add_rsgroup alter_rsgroup_config balance_rsgroup get_namespace_rsgroup get_rsgroup get_server_rsgroup "
            "get_table_rsgroup list_rsgroups move_namespaces_rsgroup move_servers_namespaces_rsgroup "
            "move_servers_rsgroup move_servers_tables_rsgroup move_tables_rsgroup remove_rsgroup "
            "remove_servers_rsgroup rename_rsgroup show_rsgroup_config"
        ),
    ),
    _group(
        "storefiletracker",
        folder="tables",
        storefiletracker="change_sft change_sft_all",
    ),
)

ALIASES = {"desc": "describe", "hlog_roll": "wal_roll"}

_MODULES = {name: module for group in GROUPS for module, names in group.modules.items() for name in names}

NAMES: tuple[str, ...] = (*_MODULES, *ALIASES)
"""All names that can be typed as a command."""


def is_command(name: str) -> bool:
    """Whether a command or an alias of that name exists."""
    return name in _MODULES or name in ALIASES


def canonical(name: str) -> str:
    """The command name that a name or an alias stands for."""
    return ALIASES.get(name, name)


def find(name: str) -> Command:
    """Look up a command by name or alias, importing its module if needed."""
    name = canonical(name)
    if name not in COMMANDS:
        importlib.import_module(f"rowstone.cli.shell.commands.{_MODULES[name]}")
    return COMMANDS[name]


def check_count(function: Callable[..., Any], given: int) -> None:
    """Refuse a call with too few or too many arguments, with Ruby's message. The session argument does not count."""
    code = function.__code__
    most = code.co_argcount - 1
    least = most - len(function.__defaults__ or ())
    has_rest = bool(code.co_flags & 0x04)
    if given >= least and (has_rest or given <= most):
        return
    expected = f"{least}+" if has_rest else f"{least}" if least == most else f"{least}..{most}"
    raise ArgumentMistake(f"wrong number of arguments (given {given}, expected {expected})")
