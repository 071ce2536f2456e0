"""Every command with its group; a command's module is imported when it is first called."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from rowstone.shell.errors import ArgumentMistake


@dataclass(frozen=True)
class Group:
    """Commands of a kind. ``folder`` holds their modules; ``note`` stands below their help."""

    name: str
    folder: str
    commands: tuple[str, ...]
    note: str = ""


def _group(name: str, words: str, *, folder: str = "", note: str = "") -> Group:
    return Group(name, folder or name, tuple(words.split()), note)


GROUPS: tuple[Group, ...] = (
    _group("general", "processlist status table_help version whoami"),
    _group(
        "ddl",
        "alter alter_async alter_status clone_table_schema create describe disable disable_all drop drop_all enable "
        "enable_all exists get_table is_disabled is_enabled list list_disabled_tables list_enabled_tables "
        "list_regions locate_region show_filters",
    ),
    _group(
        "namespace",
        "alter_namespace create_namespace describe_namespace drop_namespace list_namespace list_namespace_tables",
    ),
    _group("dml", "append count delete deleteall get get_counter get_splits incr put scan truncate truncate_preserve"),
    _group(
        "tools",
        "assign balance_switch balancer balancer_enabled catalogjanitor_enabled catalogjanitor_run "
        "catalogjanitor_switch cleaner_chore_enabled cleaner_chore_run cleaner_chore_switch clear_block_cache "
        "clear_compaction_queues clear_deadservers clear_slowlog_responses close_region compact compact_rs "
        "compaction_state compaction_switch decommission_regionservers flush flush_master_store "
        "get_balancer_decisions get_balancer_rejections get_largelog_responses get_slowlog_responses hbck_chore_run "
        "is_in_maintenance_mode list_deadservers list_decommissioned_regionservers list_liveservers "
        "list_unknownservers major_compact merge_region move normalize normalizer_enabled normalizer_switch "
        "recommission_regionserver refresh_hfiles refresh_meta regioninfo reopen_regions rit "
        "snapshot_cleanup_enabled snapshot_cleanup_switch split splitormerge_enabled splitormerge_switch stop_master "
        "stop_regionserver trace truncate_region unassign wal_roll wal_roll_all zk_dump",
        note="On a cluster these change what servers do: a mistake can cost service or data.",
    ),
    _group(
        "replication",
        "add_peer append_peer_exclude_namespaces append_peer_exclude_tableCFs append_peer_namespaces "
        "append_peer_tableCFs disable_peer disable_table_replication enable_peer enable_table_replication "
        "get_peer_config list_peer_configs list_peers list_replicated_tables peer_modification_enabled "
        "peer_modification_switch remove_peer remove_peer_exclude_namespaces remove_peer_exclude_tableCFs "
        "remove_peer_namespaces remove_peer_tableCFs set_peer_bandwidth set_peer_exclude_namespaces "
        "set_peer_exclude_tableCFs set_peer_namespaces set_peer_replicate_all set_peer_serial set_peer_tableCFs "
        "show_peer_tableCFs transit_peer_sync_replication_state update_peer_config",
    ),
    _group(
        "snapshots",
        "clone_snapshot delete_all_snapshot delete_snapshot delete_table_snapshots list_snapshots "
        "list_table_snapshots restore_snapshot snapshot",
    ),
    _group("configuration", "update_all_config update_config update_rsgroup_config"),
    _group(
        "quotas",
        "disable_exceed_throttle_quota disable_rpc_throttle enable_exceed_throttle_quota enable_rpc_throttle "
        "list_quota_snapshots list_quota_table_sizes list_quotas list_snapshot_sizes rpc_throttle_enabled set_quota",
    ),
    _group(
        "security",
        "grant list_security_capabilities revoke user_permission",
        note="These need a cluster that controls access.",
    ),
    _group("procedures", "list_locks list_procedures"),
    _group(
        "visibility labels",
        "add_labels clear_auths get_auths list_labels set_auths set_visibility",
        folder="labels",
        note="These need a cluster that controls visibility.",
    ),
    _group(
        "rsgroup",
        "add_rsgroup alter_rsgroup_config balance_rsgroup get_namespace_rsgroup get_rsgroup get_server_rsgroup "
        "get_table_rsgroup list_rsgroups move_namespaces_rsgroup move_servers_namespaces_rsgroup "
        "move_servers_rsgroup move_servers_tables_rsgroup move_tables_rsgroup remove_rsgroup remove_servers_rsgroup "
        "rename_rsgroup show_rsgroup_config",
        note="These need a cluster with groups of region servers.",
    ),
    _group("storefiletracker", "change_sft change_sft_all"),
)

ALIASES = {"desc": "describe", "hlog_roll": "wal_roll"}

_FOLDERS = {command: group.folder for group in GROUPS for command in group.commands}

NAMES: tuple[str, ...] = (*_FOLDERS, *ALIASES)
"""All that may be typed as a command."""


def is_command(name: str) -> bool:
    """Whether there is a command of that name, or one that it is an alias of."""
    return name in _FOLDERS or name in ALIASES


def canonical(name: str) -> str:
    """The command that a name or an alias means."""
    return ALIASES.get(name, name)


def module_of(name: str) -> ModuleType:
    """The module of a command: its ``HELP``, its ``ON_DIRECTORY`` and ``ON_CLUSTER``, its function ``command``."""
    command = canonical(name)
    return importlib.import_module(f"rowstone.shell.commands.{_FOLDERS[command]}.{command}")


def function_of(name: str) -> Callable[..., Any]:
    """What a command does; its first argument is the session."""
    function: Callable[..., Any] = module_of(name).command
    return function


def check_count(function: Callable[..., Any], given: int) -> None:
    """Refuses a call with too few or too many arguments, in Ruby's words. The session does not count."""
    code = function.__code__
    most = code.co_argcount - 1
    least = most - len(function.__defaults__ or ())
    has_rest = bool(code.co_flags & 0x04)
    if given >= least and (has_rest or given <= most):
        return
    expected = f"{least}+" if has_rest else f"{least}" if least == most else f"{least}..{most}"
    raise ArgumentMistake(f"wrong number of arguments (given {given}, expected {expected})")
