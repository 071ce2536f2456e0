"""Commands of the group tools that turn background work on and off, or run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rowstone.shell.checks import split_or_merge, truth
from rowstone.shell.command import command
from rowstone.shell.errors import ArgumentMistake
from rowstone.shell.switches import show, turn
from rowstone.shell.values import to_s

if TYPE_CHECKING:
    from rowstone.shell.session import Session


@command(directory="one server")
def balance_switch(session: Session, on: Any) -> bool:
    """Lets the balancer move regions between servers, or not; says what held before. In a directory there is nothing
    to move: it only remembers the switch.

      hbase> balance_switch true
      hbase> balance_switch false
    """
    return turn(session, "balancer", on, "Previous balancer state : ")


@command(directory="one server")
def balancer(session: Session, force: Any = None) -> bool:
    """Runs the balancer now; true where it ran. In a directory it has nothing to do and always has run, unless it is
    switched off.

      hbase> balancer
      hbase> balancer 'force'
    """
    if force is not None and force != "force":
        raise ArgumentMistake(f"Invalid argument {to_s(force)}.")
    forced = force is not None
    if session.is_cluster:
        ran = session.admin.balance_now(ignore_regions_in_transition=forced)
    else:
        ran = forced or session.switch("balancer")
    session.formatter.row([ran])
    return ran


@command(directory="one server")
def balancer_enabled(session: Session) -> bool:
    """Whether the balancer moves regions between servers. In a directory there is nothing to move; the answer is
    that of the switch.

      hbase> balancer_enabled
    """
    return show(session, "balancer")


@command(directory="one server")
def catalogjanitor_enabled(session: Session) -> bool:
    """Whether hbase:meta is cleared of regions that were split or merged.
    A directory only remembers the switch, while it is open.

      hbase> catalogjanitor_enabled
    """
    return show(session, "catalog_janitor")


@command(directory="one server")
def catalogjanitor_run(session: Session) -> int:
    """Clears hbase:meta of regions that were split or merged; the number of those it cleared. In a directory it is
    clear at all times: the number is 0.

      hbase> catalogjanitor_run
    """
    return session.admin.run_catalog_janitor() if session.is_cluster else 0


@command(directory="one server")
def catalogjanitor_switch(session: Session, on: Any) -> bool:
    """Lets hbase:meta be cleared of regions that were split or merged, or not; says what held before.
    A directory only remembers the switch, while it is open.

      hbase> catalogjanitor_switch true
      hbase> catalogjanitor_switch false
    """
    return turn(session, "catalog_janitor", on)


@command(directory="one server")
def cleaner_chore_enabled(session: Session) -> bool:
    """Whether files and logs that nobody needs are removed in the background.
    A directory only remembers the switch, while it is open.

      hbase> cleaner_chore_enabled
    """
    return show(session, "cleaner_chore")


@command(directory="one server")
def cleaner_chore_run(session: Session) -> bool:
    """Removes files and logs that nobody needs; whether it ran. A directory removes them when the last reader is
    gone, so there is nothing to run.

      hbase> cleaner_chore_run
    """
    return session.admin.run_cleaner_chore() if session.is_cluster else False


@command(directory="one server")
def cleaner_chore_switch(session: Session, on: Any) -> bool:
    """Lets files and logs that nobody needs be removed in the background, or not; says what held before.
    A directory only remembers the switch, while it is open.

      hbase> cleaner_chore_switch true
      hbase> cleaner_chore_switch false
    """
    return turn(session, "cleaner_chore", on)


@command(directory="one server")
def compaction_switch(session: Session, on: Any, *servers: Any) -> None:
    """Lets servers compact, or not; says what held before for each. Where it is off, compact and major_compact do
    nothing. A directory remembers it while it is open.

      hbase> compaction_switch true
      hbase> compaction_switch false, 'rs1,port,startcode'
    """
    session.formatter.header(["['SERVER'", "'PREV_STATE']"])
    chosen = session.chosen_servers(list(servers)) if servers and session.is_cluster else session.servers()
    before = session.admin.set_compactions(truth(on), chosen)
    for name, state in before.items():
        session.formatter.row([name, state])
    session.formatter.footer(len(before))


@command(directory="one server")
def hbck_chore_run(session: Session) -> bool:
    """Compares hbase:meta with what servers say; whether that was started. In a directory both are one.

    hbase> hbck_chore_run
    """
    return session.admin.run_hbck_chore() if session.is_cluster else True


@command(directory="one server")
def normalizer_enabled(session: Session) -> bool:
    """Whether regions of odd sizes are split and merged in the background.
    A directory remembers the switch.

      hbase> normalizer_enabled
    """
    return show(session, "normalizer")


@command(directory="one server")
def normalizer_switch(session: Session, on: Any) -> bool:
    """Lets regions of odd sizes be split and merged in the background, or not; says what held before.
    A directory remembers the switch.

      hbase> normalizer_switch true
      hbase> normalizer_switch false
    """
    return turn(session, "normalizer", on)


@command(directory="one server")
def snapshot_cleanup_enabled(session: Session) -> bool:
    """Whether snapshots go by themselves when their time is over.
    A directory remembers the switch.

      hbase> snapshot_cleanup_enabled
    """
    return show(session, "snapshot_cleanup")


@command(directory="one server")
def snapshot_cleanup_switch(session: Session, on: Any) -> bool:
    """Lets snapshots go by themselves when their time is over, or not; says what held before.
    A directory remembers the switch.

      hbase> snapshot_cleanup_switch true
      hbase> snapshot_cleanup_switch false
    """
    return turn(session, "snapshot_cleanup", on, "Previous snapshot cleanup state : ")


@command(directory="one server")
def splitormerge_enabled(session: Session, kind: Any) -> bool:
    """Whether regions are split (SPLIT) or merged (MERGE) when that is asked for or due.
    In a directory that holds for split and merge_region of this shell.

      hbase> splitormerge_enabled 'SPLIT'
    """
    return show(session, split_or_merge(kind).lower())


@command(directory="one server")
def splitormerge_switch(session: Session, kind: Any, on: Any) -> bool:
    """Lets regions be split (SPLIT) or merged (MERGE), or not; says what held before.
    A directory remembers it.

      hbase> splitormerge_switch 'SPLIT', true
      hbase> splitormerge_switch 'MERGE', false
    """
    return turn(session, split_or_merge(kind).lower(), on)
