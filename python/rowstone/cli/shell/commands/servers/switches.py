"""Commands of the group tools that enable, disable or run background work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.cli.shell.checks import split_or_merge, truth
from rowstone.cli.shell.command import command
from rowstone.cli.shell.commands.shared import show, turn
from rowstone.cli.shell.errors import ArgumentMistake
from rowstone.cli.shell.values import inspect, is_text, kind_of, to_s

if TYPE_CHECKING:
    from rowstone.cli.shell.session import Session


@command(directory="one server")
def balance_switch(session: Session, on: Any) -> bool:
    """Enable or disable the balancer. Returns the previous setting. A directory has no regions to move and only stores
    the switch.

      hbase> balance_switch true
      hbase> balance_switch false
    """
    return turn(session, "balancer", on, "Previous balancer state : ")


@command(directory="one server")
def balancer(session: Session, *options: Any) -> bool:
    """Run the balancer now; returns true if it ran. In a directory it has nothing to do and returns true unless it is
    switched off. With 'ignore_rit' (or 'force') it runs even if regions are in transition. With 'dry_run' it only
    calculates moves.

      hbase> balancer
      hbase> balancer 'ignore_rit'
      hbase> balancer 'dry_run', 'ignore_rit'
    """
    request = _balance_request(options)
    if session.is_cluster:
        answer = session.admin.servers.call("MasterService", "Balance", request)
    else:
        answer = {"ran": "ignore_regions_in_transition" in request or session.switch("balancer")}
    if not answer["ran"]:
        session.formatter.row(["Balancer did not run. See logs for details."])
        return False
    moves = [answer.get(f"moves_{kind}", 0) for kind in ("calculated", "executed")]
    session.formatter.row(["Balancer ran"])
    session.formatter.row([f"Moves calculated: {moves[0]}, moves executed: {moves[1]}"])
    return True


def _balance_request(options: tuple[Any, ...]) -> dict[str, bool]:
    """The balancer's options. Source: ``BalancerUtils.create_balance_request`` of HBase's shell."""
    if len(options) > 2:
        raise ArgumentMistake(
            f"Illegal arguments {inspect(list(options))}. Expected between 0 and 2 arguments, but got {len(options)}."
        )
    fields = {"force": "ignore_regions_in_transition", "ignore_rit": "ignore_regions_in_transition"}
    fields["dry_run"] = "dry_run"
    for index, option in enumerate(options):
        problem = f"Illegal argument in index {index}: {to_s(option)}."
        if not is_text(option):
            raise ArgumentMistake(f"{problem} All arguments must be strings, but got {kind_of(option)}.")
        if option not in fields:
            raise ArgumentMistake(f"{problem} Unknown option {option}, expected 'force', 'ignore_rit', or 'dry_run'.")
    return {fields[option]: True for option in options}


@command(directory="one server")
def balancer_enabled(session: Session) -> bool:
    """Show whether the balancer is enabled. A directory has no regions to move and shows the stored switch.

    hbase> balancer_enabled
    """
    return show(session, "balancer")


@command(directory="one server")
def catalogjanitor_enabled(session: Session) -> bool:
    """Show whether the catalog janitor is enabled. It removes split and merged regions from hbase:meta.
    A directory only stores the switch, while it is open.

      hbase> catalogjanitor_enabled
    """
    return show(session, "catalog_janitor")


@command(directory="one server")
def catalogjanitor_run(session: Session) -> int:
    """Run the catalog janitor: remove split and merged regions from hbase:meta. Returns their number, which is always
    0 in a directory.

      hbase> catalogjanitor_run
    """
    return session.admin.master.run_catalog_janitor() if session.is_cluster else 0


@command(directory="one server")
def catalogjanitor_switch(session: Session, on: Any) -> bool:
    """Enable or disable the catalog janitor. Returns the previous setting.
    A directory only stores the switch, while it is open.

      hbase> catalogjanitor_switch true
      hbase> catalogjanitor_switch false
    """
    return turn(session, "catalog_janitor", on)


@command(directory="one server")
def cleaner_chore_enabled(session: Session) -> bool:
    """Show whether the cleaner chore is enabled. It removes unused store files and logs.
    A directory only stores the switch, while it is open.

      hbase> cleaner_chore_enabled
    """
    return show(session, "cleaner_chore")


@command(directory="one server")
def cleaner_chore_run(session: Session) -> bool:
    """Run the cleaner chore: remove unused store files and logs. Returns whether it ran. A directory removes files as
    soon as the last reader is done, so there is nothing to run.

      hbase> cleaner_chore_run
    """
    return session.admin.master.run_cleaner_chore() if session.is_cluster else False


@command(directory="one server")
def cleaner_chore_switch(session: Session, on: Any) -> bool:
    """Enable or disable the cleaner chore, which removes unused store files and logs. Returns the previous setting.
    A directory only stores the switch, while it is open.

      hbase> cleaner_chore_switch true
      hbase> cleaner_chore_switch false
    """
    return turn(session, "cleaner_chore", on)


@command(directory="one server")
def compaction_switch(session: Session, on: Any, *servers: Any) -> None:
    """Enable or disable compactions. Returns the previous setting per server. While they are off, compact and
    major_compact do nothing. A directory stores the switch while it is open.

      hbase> compaction_switch true
      hbase> compaction_switch false, 'rs1,port,startcode'
    """
    session.formatter.header(["['SERVER'", "'PREV_STATE']"])
    chosen = session.chosen_servers(list(servers)) if servers and session.is_cluster else session.servers()
    before = session.admin.switches.set_compactions(truth(on), chosen)
    for name, state in before.items():
        session.formatter.row([name, state])
    session.formatter.footer(len(before))


@command(directory="one server")
def hbck_chore_run(session: Session) -> bool:
    """Compare hbase:meta with the servers' regions; returns whether the check started. A directory has none to compare.

    hbase> hbck_chore_run
    """
    return session.admin.master.run_hbck_chore() if session.is_cluster else True


@command(directory="one server")
def normalizer_enabled(session: Session) -> bool:
    """Show whether the normalizer is enabled. It splits and merges regions of unusual sizes.
    A directory stores the switch.

      hbase> normalizer_enabled
    """
    return show(session, "normalizer")


@command(directory="one server")
def normalizer_switch(session: Session, on: Any) -> bool:
    """Enable or disable the normalizer, which splits and merges regions of unusual sizes. Returns the previous setting.
    A directory stores the switch.

      hbase> normalizer_switch true
      hbase> normalizer_switch false
    """
    return turn(session, "normalizer", on)


@command(directory="one server")
def snapshot_cleanup_enabled(session: Session) -> bool:
    """Show whether expired snapshots are deleted automatically.
    A directory stores the switch.

      hbase> snapshot_cleanup_enabled
    """
    return show(session, "snapshot_cleanup")


@command(directory="one server")
def snapshot_cleanup_switch(session: Session, on: Any) -> bool:
    """Enable or disable automatic deletion of expired snapshots. Returns the previous setting.
    A directory stores the switch.

      hbase> snapshot_cleanup_switch true
      hbase> snapshot_cleanup_switch false
    """
    return turn(session, "snapshot_cleanup", on, "Previous snapshot cleanup state : ")


@command(directory="one server")
def splitormerge_enabled(session: Session, kind: Any) -> bool:
    """Show whether splits (SPLIT) or merges (MERGE) of regions are enabled.
    In a directory this applies to split and merge_region in this shell.

      hbase> splitormerge_enabled 'SPLIT'
    """
    return show(session, split_or_merge(kind))


@command(directory="one server")
def splitormerge_switch(session: Session, kind: Any, on: Any) -> bool:
    """Enable or disable splits (SPLIT) or merges (MERGE) of regions. Returns the previous setting.
    A directory stores the switch.

      hbase> splitormerge_switch 'SPLIT', true
      hbase> splitormerge_switch 'MERGE', false
    """
    return turn(session, split_or_merge(kind), on)
